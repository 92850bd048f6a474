//! Work on the pool that does nothing, so many jobs at a time.

use mauve::{Loop, Result, RunMode};

use crate::{Sample, Stopwatch};

pub(super) fn run() -> Result<Vec<Sample>> {
    measure("(warm-up)", 4, 1000)?;
    Ok(vec![
        measure("queue_work, depth 1", 1, 25_000)?,
        measure("queue_work, depth 32", 32, 100_000)?,
        measure("queue_work, depth 1,000", 1000, 300_000)?,
    ])
}

/// What is still to be queued, and on which loop.
struct Jobs {
    lp: Loop<Jobs>,
    left: usize,
}

fn measure(name: &str, depth: usize, count: usize) -> Result<Sample> {
    let lp = Loop::new()?;
    let mut jobs = Jobs { lp: lp.clone(), left: count - depth };
    let watch = Stopwatch::start();
    for _ in 0..depth {
        queue(&lp)?;
    }
    lp.run_with(&mut jobs, RunMode::Default)?;
    Ok(watch.per(name, count))
}

fn queue(lp: &Loop<Jobs>) -> Result<()> {
    let done = |jobs: &mut Jobs, result: Result<(), mauve::WorkError>| {
        result.expect("work that does nothing");
        if jobs.left > 0 {
            jobs.left -= 1;
            queue(&jobs.lp).expect("a thread for it");
        }
    };
    lp.queue_work(|| (), done).map(drop)
}
