//! What the code of `#[mauve::main]` and `#[mauve::test]` calls. Not part of the API.

use std::future::Future;

use crate::time::VirtualClock;
use crate::{Loop, Result, sim};

/// Runs `future` on a new loop. Afterwards waits for the jobs of `spawn_blocking` that run.
///
/// # Panics
/// Panics if no loop can be created, or if the future panics.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    run(Loop::builder().build(), future)
}

/// As [`block_on`], with paused time.
///
/// # Panics
/// Panics if no loop can be created, or if the future panics.
#[track_caller]
pub fn block_on_paused<F: Future>(future: F) -> F::Output {
    run(Loop::builder().clock(VirtualClock::paused()).build(), future)
}

/// As [`block_on`], with the seeds from 1 to this number. Calls fail at this rate.
///
/// # Panics
/// Panics with the first seed whose run panics, or returns an error. Panics without seeds.
#[track_caller]
pub fn simulate<T: sim::Outcome>(seeds: u64, faults: f64, test: impl AsyncFn() -> T) -> T {
    sim::run_seeds(1..=seeds, sim::Faults::all(faults), test).expect("`sim` is not zero")
}

#[track_caller]
pub(crate) fn run<F: Future>(lp: Result<Loop>, future: F) -> F::Output {
    match lp {
        Ok(lp) => {
            let output = lp.block_on(future);
            let jobs = lp.core.jobs.clone();
            drop(lp);
            jobs.wait();
            output
        }
        Err(error) => panic!("cannot create a loop: {error}"),
    }
}
