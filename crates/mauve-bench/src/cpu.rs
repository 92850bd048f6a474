//! CPU time, of this process and of others, and which core it is spent on.

use std::time::Duration;
use std::{fs, io};

use rustix::thread::{CpuSet, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// What reading says of a thread that ends meanwhile.
const NO_SUCH_PROCESS: i32 = rustix::io::Errno::SRCH.raw_os_error();

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
        let text = match fs::read_to_string(thread?.path().join("schedstat")) {
            // It has ended since the folder was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) if error.raw_os_error() == Some(NO_SUCH_PROCESS) => continue,
            other => other?,
        };
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
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    #[test]
    fn work_shows_in_the_figures() {
        let before = own();
        while own() < before + Duration::from_millis(5) {
            std::hint::spin_loop();
        }
        let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let begin = Instant::now();
        while of(busy.id()).unwrap() < Duration::from_millis(20) {
            assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", of(busy.id()));
            std::thread::sleep(Duration::from_millis(5));
        }
        busy.kill().unwrap();
        busy.wait().unwrap();
    }

    #[test]
    fn a_process_that_is_not_there_is_an_error() {
        assert_eq!(of(u32::MAX).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
