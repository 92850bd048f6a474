//! Tasks that sleep for whole milliseconds, each for another time.

use std::time::Duration;

use mauve::Loop;

use crate::{Sample, Stopwatch};

/// Number of tasks.
pub const COUNT: usize = 100_000;
/// The longest sleep, in milliseconds.
pub const RANGE_MS: usize = 1000;

pub(super) fn run() -> mauve::Result<Vec<Sample>> {
    let lp: Loop = Loop::new()?;
    let watch = Stopwatch::start();
    lp.block_on(async {
        let sleep = |number: usize| {
            let time = Duration::from_millis((1 + number % RANGE_MS) as u64);
            mauve::spawn(async move { mauve::sleep(time).await })
        };
        let tasks: Vec<_> = (0..COUNT).map(sleep).collect();
        for task in tasks {
            task.await.expect("no panic");
        }
    });
    Ok(vec![watch.per("100,000 sleeps of 1 to 1,000 ms", COUNT)])
}
