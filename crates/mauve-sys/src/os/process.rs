//! This process, and what others may know of any: numbers, priorities, resources used.

use std::time::Duration;

use rustix::process::{Pid, getpriority_process, setpriority_process};

use crate::{Errno, Result};

/// The number of the process that started this one.
#[doc(alias = "uv_os_getppid")]
pub fn parent_id() -> i32 {
    rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get())
}

/// The nice value of a process, from -20 (first) to 19 (last). 0 stands for this process.
#[doc(alias = "uv_os_getpriority")]
pub fn priority(pid: i32) -> Result<i32> {
    Ok(getpriority_process(existing(pid)?)?)
}

/// Sets the nice value of a process. 0 stands for this process.
#[doc(alias = "uv_os_setpriority")]
pub fn set_priority(pid: i32, priority: i32) -> Result<()> {
    if !(-20..=19).contains(&priority) {
        return Err(Errno::EINVAL);
    }
    Ok(setpriority_process(existing(pid)?, priority)?)
}

fn existing(pid: i32) -> Result<Option<Pid>> {
    match pid {
        0 => Ok(None),
        ..0 => Err(Errno::ESRCH),
        _ => Ok(Pid::from_raw(pid)),
    }
}

/// Whose resources are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All threads of the process, those that have ended included.
    Process,
    /// The calling thread.
    Thread,
}

/// What has been used up so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Time in the program.
    pub user_time: Duration,
    /// Time in the kernel.
    pub system_time: Duration,
    /// The most memory that was in use, in kilobytes.
    pub max_resident: u64,
    /// Page faults that needed no input.
    pub minor_faults: u64,
    /// Page faults that needed input.
    pub major_faults: u64,
    /// Blocks read.
    pub blocks_in: u64,
    /// Blocks written.
    pub blocks_out: u64,
    /// How often it waited for something.
    pub voluntary_switches: u64,
    /// How often it was made to wait.
    pub involuntary_switches: u64,
}

/// Counts what has been used. Linux does not count the rest of `struct rusage`.
#[doc(alias = "uv_getrusage")]
#[doc(alias = "uv_getrusage_thread")]
pub fn usage(scope: Scope) -> Result<Usage> {
    let who = match scope {
        Scope::Process => libc::RUSAGE_SELF,
        Scope::Thread => libc::RUSAGE_THREAD,
    };
    let mut raw = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: fills the struct, or fails.
    if unsafe { libc::getrusage(who, raw.as_mut_ptr()) } != 0 {
        return Err(Errno::last());
    }
    // SAFETY: it did not fail.
    let raw = unsafe { raw.assume_init() };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    Ok(Usage {
        user_time: time(raw.ru_utime),
        system_time: time(raw.ru_stime),
        max_resident: raw.ru_maxrss as u64,
        minor_faults: raw.ru_minflt as u64,
        major_faults: raw.ru_majflt as u64,
        blocks_in: raw.ru_inblock as u64,
        blocks_out: raw.ru_oublock as u64,
        voluntary_switches: raw.ru_nvcsw as u64,
        involuntary_switches: raw.ru_nivcsw as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_cannot_be_is_not_found() {
        assert_eq!(priority(-2), Err(Errno::ESRCH));
        assert_eq!(set_priority(-2, 0), Err(Errno::ESRCH));
        assert_eq!(set_priority(0, 20), Err(Errno::EINVAL));
        assert_eq!(set_priority(0, priority(0).unwrap()), Ok(()));
    }

    #[test]
    fn a_thread_has_used_no_more_than_its_process() {
        let thread = usage(Scope::Thread).unwrap();
        assert!(thread.minor_faults <= usage(Scope::Process).unwrap().minor_faults);
    }
}
