//! `cargo xtask faults`: fault injection into system calls.
//!
//! Small C programs on mauve (`xtask/faults/*.c`, the *workloads*) use all parts of the library and
//! record the result of each operation. A first run counts the system calls of a workload. Then each
//! call fails at each occurrence, with each error that the call can return, in one run each. A run
//! fails if the workload hangs, spins, aborts, or has an operation that neither completed nor
//! reported an error.
//!
//! * [`build`]: builds the library, the injector and the workloads.
//! * [`errors`]: the table of errors of each call.
//! * [`plan`]: selects the faults to inject.
//! * [`inject`]: runs a workload with one fault, in about 10 ms. The injector is
//!   `xtask/faults/inject.c`: a seccomp filter stops the program at the selected call, and a tracer
//!   fails it.
//! * [`seam`]: runs a workload without a tracer, where calls fail inside the library.
//! * [`verdict`]: decides which runs are failures.
//! * [`report`]: prints the results.

mod build;
mod errors;
mod inject;
mod plan;
mod report;
mod seam;
mod verdict;

use std::sync::Mutex;

use crate::parallel;
use build::{Tools, WORKLOADS};
use inject::{Failure, Fault, Outcome};
pub use plan::Options;
use report::Report;

/// A run that takes longer, in milliseconds, hangs. Workloads stop by themselves after four seconds.
const TIMEOUT: u64 = 8_000;

/// How many seeds a workload runs under where tracing is not permitted.
const SEEDS: u64 = 20;

/// A failed run is repeated with a longer timeout, in case the machine was busy.
const RETRY_TIMEOUT: u64 = 30_000;

/// Runs the quick selection, for `cargo xtask test`. Returns how many runs passed.
pub fn quick() -> Result<usize, String> {
    run(&Options { quick: true, ..Options::default() })
}

/// Runs the faults that the options select. Returns how many runs passed.
pub fn run(options: &Options) -> Result<usize, String> {
    let workloads = chosen(options)?;
    let tools = Tools::build(&workloads)?;
    if let Some(seeds) = options.seeds {
        return run_seeds(&tools, &workloads, seeds);
    }
    let mut report = Report::new(options.verbose);
    for &workload in &workloads {
        let calls = match inject::count(&tools, workload) {
            Ok(calls) => calls,
            Err(Failure::Forbidden) => {
                println!("tracing is not permitted here: calls fail inside the library");
                return run_seeds(&tools, &workloads, SEEDS);
            }
            Err(Failure::Broken(why)) => return Err(why),
        };
        let faults = plan::plan(workload, &calls, options)?;
        report.add(workload, calls.len(), inject_each(&tools, faults)?);
    }
    report.finish()
}

/// Runs each workload under seeds. Returns how many runs passed.
fn run_seeds(tools: &Tools, workloads: &[&'static str], seeds: u64) -> Result<usize, String> {
    let mut failed = 0;
    for workload in workloads {
        let mut failures = Vec::new();
        for seed in 1..=seeds {
            // A failure is confirmed by a second run, because it may depend on timing.
            if seam::failure(tools, workload, seed)?.is_some()
                && let Some(why) = seam::failure(tools, workload, seed)?
            {
                failures.push(format!("  seed {seed}: {why}"));
            }
        }
        println!("{workload}: {seeds} seeds, {} failures", failures.len());
        failures.iter().for_each(|line| println!("{line}"));
        failed += failures.len();
    }
    let passed = workloads.len() * seeds as usize - failed;
    println!("{passed} runs passed, {failed} failed");
    if failed == 0 { Ok(passed) } else { Err(format!("{failed} runs with faults failed")) }
}

fn chosen(options: &Options) -> Result<Vec<&'static str>, String> {
    let Some(wanted) = &options.workload else { return Ok(WORKLOADS.to_vec()) };
    let found = WORKLOADS.iter().find(|name| *name == wanted);
    let found =
        found.ok_or(format!("unknown workload {wanted:?}; there are {}", WORKLOADS.join(", ")));
    found.map(|name| vec![*name])
}

/// Injects all faults, in parallel on all processors.
fn inject_each(tools: &Tools, faults: Vec<Fault>) -> Result<Vec<(Fault, Outcome)>, String> {
    let outcomes = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    parallel::for_each(threads, &faults, |fault| {
        let outcome = inject_one(tools, fault)?;
        outcomes.lock().expect("no panic").push((fault.clone(), outcome));
        Ok(())
    })?;
    Ok(outcomes.into_inner().expect("no panic"))
}

/// Injects a fault. A failure is confirmed by a second run, because it may depend on timing.
fn inject_one(tools: &Tools, fault: &Fault) -> Result<Outcome, String> {
    let first = attempt(tools, fault, TIMEOUT)?;
    if verdict::failure(fault, &first).is_none() {
        return Ok(first);
    }
    attempt(tools, fault, RETRY_TIMEOUT)
}

fn attempt(tools: &Tools, fault: &Fault, timeout: u64) -> Result<Outcome, String> {
    match inject::inject(tools, fault, timeout) {
        Ok(outcome) => Ok(outcome),
        Err(Failure::Forbidden) => Err("tracing is no longer permitted".to_owned()),
        Err(Failure::Broken(why)) => Err(format!("{fault}: {why}")),
    }
}
