//! A million timers: start, restart, stop, fire.

use std::time::Duration;

use mauve::{Loop, Result, RunMode, Timer};

use crate::{Sample, Stopwatch};

const COUNT: usize = 1_000_000;
const RANGE_MS: u64 = 1000;

pub(super) fn run() -> Result<Vec<Sample>> {
    // The counter is the loop's state, so the closure captures nothing and is not allocated.
    let lp = Loop::<usize>::new()?;
    let timers: Vec<Timer<usize>> = (0..COUNT).map(|_| Timer::new(&lp)).collect();
    let mut seed = 12345_u32;
    let mut start_all = || -> Result<()> {
        for timer in &timers {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
            let timeout = 10 + u64::from(seed >> 8) % RANGE_MS;
            timer.once(Duration::from_millis(timeout), |fired, _| *fired += 1)?;
        }
        Ok(())
    };
    let mut samples = Vec::new();
    for action in ["start", "restart"] {
        let watch = Stopwatch::start();
        start_all()?;
        samples.push(watch.per(format!("timers 1,000,000, {action}"), COUNT));
    }
    let watch = Stopwatch::start();
    timers.iter().for_each(Timer::stop);
    samples.push(watch.per("timers 1,000,000, stop", COUNT));
    start_all()?;
    std::thread::sleep(Duration::from_millis(RANGE_MS + 20));
    let watch = Stopwatch::start();
    let mut fired = 0;
    lp.run_with(&mut fired, RunMode::NoWait)?;
    samples.push(watch.per("timers 1,000,000, fire", COUNT));
    assert_eq!(fired, COUNT, "timers that fired");
    Ok(samples)
}
