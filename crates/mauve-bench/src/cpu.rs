//! CPU time, of this process and of others, and which core it is spent on.

use std::time::Duration;
use std::{fs, io};

use rustix::thread::{CpuSet, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// What this process has used so far, user and system, all threads.
#[must_use]
pub fn own() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// What another process has used so far, user and system, all threads that it still has.
///
/// The kernel brings the figure up to date whenever the process leaves the core, so it is exact if
/// whoever asks runs on the same one.
pub fn of(process: u32) -> io::Result<Duration> {
    let mut sum = Duration::ZERO;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        let text = fs::read_to_string(thread?.path().join("schedstat"))?;
        let spent = text.split(' ').next().and_then(|number| number.parse().ok());
        sum += Duration::from_nanos(spent.ok_or(io::ErrorKind::InvalidData)?);
    }
    Ok(sum)
}

/// Keeps this thread, and what it starts from now on, on one core.
pub fn pin(core: usize) -> io::Result<()> {
    let mut cores = CpuSet::new();
    cores.set(core);
    Ok(sched_setaffinity(None, &cores)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_shows_in_both_figures_of_the_same_process() {
        let before = (own(), of(std::process::id()).unwrap());
        while own() < before.0 + Duration::from_millis(50) {
            std::hint::spin_loop();
        }
        // Off the core and on again, so that the second figure is up to date.
        std::thread::sleep(Duration::from_millis(1));
        let after = of(std::process::id()).unwrap();
        assert!(after >= before.1 + Duration::from_millis(40), "{:?} and {after:?}", before.1);
    }

    #[test]
    fn a_process_that_is_not_there_is_an_error() {
        assert_eq!(of(u32::MAX).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
