//! CPU time of this process and of others, and CPU affinity.

use std::time::Duration;
use std::{fs, io};

use rustix::thread::{CpuSet, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// The error of reading a file of a thread that has exited.
const ESRCH: i32 = rustix::io::Errno::SRCH.raw_os_error();

/// CPU time of this process, user and system, all threads.
#[must_use]
pub fn own() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// CPU time of another process, user and system, all running threads.
///
/// The kernel updates the figure when a thread is descheduled, so it is exact if the caller runs on
/// the same core.
pub fn of(process: u32) -> io::Result<Duration> {
    let mut sum = Duration::ZERO;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        let text = match fs::read_to_string(thread?.path().join("schedstat")) {
            // The thread has exited since the directory was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) if error.raw_os_error() == Some(ESRCH) => continue,
            other => other?,
        };
        let spent = text.split(' ').next().and_then(|number| number.parse().ok());
        sum += Duration::from_nanos(spent.ok_or(io::ErrorKind::InvalidData)?);
    }
    Ok(sum)
}

/// Pins this thread, and the threads and processes it starts later, to one core.
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
    fn cpu_time_increases_with_work() {
        let before = own();
        while own() < before + Duration::from_millis(5) {
            std::hint::spin_loop();
        }
        let mut busy = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let start = Instant::now();
        while of(busy.id()).unwrap() < Duration::from_millis(20) {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", of(busy.id()));
            std::thread::sleep(Duration::from_millis(5));
        }
        busy.kill().unwrap();
        busy.wait().unwrap();
    }

    #[test]
    fn the_cpu_time_of_a_missing_process_is_an_error() {
        assert_eq!(of(u32::MAX).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
