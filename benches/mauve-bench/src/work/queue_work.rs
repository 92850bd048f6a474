//! Empty work on the pool, with `depth` requests in flight.

use mauve::{Loop, LoopRef, Result, RunMode};

use crate::{Sample, Stopwatch};

pub(super) fn run() -> Result<Vec<Sample>> {
    measure("(warm-up)", 4, 1000)?;
    Ok(vec![
        measure("queue_work, depth 1", 1, 25_000)?,
        measure("queue_work, depth 32", 32, 100_000)?,
        measure("queue_work, depth 1,000", 1000, 300_000)?,
    ])
}

/// The number of requests that are still to be queued, and their loop.
struct Queue {
    lp: LoopRef<Queue>,
    left: usize,
}

fn measure(name: &str, depth: usize, count: usize) -> Result<Sample> {
    let lp = Loop::new()?;
    let mut queue = Queue { lp: lp.clone(), left: count - depth };
    let watch = Stopwatch::start();
    for _ in 0..depth {
        submit(&lp)?;
    }
    lp.run_with(&mut queue, RunMode::Default)?;
    Ok(watch.per(name, count))
}

fn submit(lp: &LoopRef<Queue>) -> Result<()> {
    let done = |queue: &mut Queue, result: Result<(), mauve::WorkError>| {
        result.expect("the work does not fail");
        if queue.left > 0 {
            queue.left -= 1;
            submit(&queue.lp).expect("the pool has threads");
        }
    };
    lp.queue_work(|| (), done).map(drop)
}
