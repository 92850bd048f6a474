//! `cargo xtask faults`: system calls fail, and nothing hangs, spins, aborts or is lost silently.
//!
//! Small C programs on our library (`xtask/faults/*.c`, the *workloads*) do a bit of everything
//! and keep a ledger of it. A first pass counts the system calls of each. Then each call fails at
//! each occurrence, with each error that the call can have, one run for each. A run fails if the
//! workload hangs, spins, aborts, or finds an operation that was neither completed nor reported as
//! failed.
//!
//! * [`build`]: the library, the injector, the workloads.
//! * [`table`]: the errors of each call.
//! * [`plan`]: which faults are injected.
//! * [`inject`]: one run. The injector is `xtask/faults/inject.c`: a seccomp filter stops the
//!   program at the call in question, and a tracer refuses it. A run takes about 10 ms.
//! * [`verdict`]: which runs are failures.
//! * [`report`]: what is printed.

mod build;
mod inject;
mod plan;
mod report;
mod table;
mod verdict;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use build::{Tools, WORKLOADS};
use inject::{Failure, Fault, Outcome};
use plan::Options;
use report::Report;

/// A run that takes longer, in milliseconds, hangs. Workloads give up by themselves after four
/// seconds.
const PATIENCE: u64 = 8_000;

/// A failed run is repeated with more patience: a busy machine is no fault of ours.
const MORE_PATIENCE: u64 = 30_000;

/// Runs what the arguments ask for.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    inject_all(&options).map(drop)
}

/// The quick runs, for `cargo xtask test`. Returns how many passed.
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
    let found = found.ok_or(format!("no workload {wanted:?}; there are {}", WORKLOADS.join(", ")));
    found.map(|name| vec![*name])
}

/// Injects all faults, as many at a time as there are processors.
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

/// A failure that depends on time has to show twice.
fn inject_one(tools: &Tools, fault: &Fault) -> Result<Outcome, String> {
    let first = attempt(tools, fault, PATIENCE)?;
    if verdict::failure(fault, &first).is_none() {
        return Ok(first);
    }
    attempt(tools, fault, MORE_PATIENCE)
}

fn attempt(tools: &Tools, fault: &Fault, patience: u64) -> Result<Outcome, String> {
    match inject::inject(tools, fault, patience) {
        Ok(outcome) => Ok(outcome),
        Err(Failure::Forbidden) => Err("tracing is not permitted any more".to_owned()),
        Err(Failure::Broken(why)) => Err(format!("{fault}: {why}")),
    }
}
