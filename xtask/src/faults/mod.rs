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
//! * [`verdict`]: decides which runs are failures.
//! * [`report`]: prints the results.

mod build;
mod errors;
mod inject;
mod plan;
mod report;
mod verdict;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::ArgMatches;

use build::{Tools, WORKLOADS};
use inject::{Failure, Fault, Outcome};
use plan::Options;
use report::Report;

/// A run that takes longer, in milliseconds, hangs. Workloads stop by themselves after four seconds.
const TIMEOUT: u64 = 8_000;

/// A failed run is repeated with a longer timeout, in case the machine was busy.
const RETRY_TIMEOUT: u64 = 30_000;

/// Runs the faults that the arguments select.
pub fn run(matches: &ArgMatches) -> Result<(), String> {
    let options = Options::new(matches)?;
    inject_all(&options).map(drop)
}

/// Runs the quick selection, for `cargo xtask test`. Returns how many runs passed.
pub fn quick() -> Result<usize, String> {
    inject_all(&Options { quick: true, ..Options::default() })
}

fn inject_all(options: &Options) -> Result<usize, String> {
    let workloads = chosen(options)?;
    let tools = Tools::build(&workloads)?;
    let mut report = Report::new(options.verbose);
    for workload in workloads {
        let calls = match inject::count(&tools, workload) {
            Ok(calls) => calls,
            Err(Failure::Forbidden) => {
                println!("{workload}: skipped, tracing is not permitted here");
                continue;
            }
            Err(Failure::Broken(why)) => return Err(why),
        };
        let faults = plan::plan(workload, &calls, options)?;
        report.add(workload, calls.len(), inject_each(&tools, faults)?);
    }
    report.finish()
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
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    let work = || -> Result<(), String> {
        while let Some(fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome = inject_one(tools, fault)?;
            outcomes.lock().expect("no panic").push((fault.clone(), outcome));
        }
        Ok(())
    };
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
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
