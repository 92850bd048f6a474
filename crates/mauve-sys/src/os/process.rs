//! Process ids, priorities and resource usage.

use std::ffi::OsString;
use std::time::Duration;

use rustix::process::{Pid, getpriority_process, setpriority_process};

use super::system;
use crate::{Errno, Result};

/// The id of the parent process.
#[doc(alias = "uv_os_getppid")]
pub fn parent_id() -> i32 {
    // SAFETY: the call has no arguments and cannot fail.
    unsafe { libc::getppid() }
}

/// The value of an environment variable. `None` in a program that runs with more rights than its
/// user has, such as a setuid program.
#[doc(alias = "secure_getenv")]
pub fn secure_variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|_| !system::is_secure())
}

/// The nice value of a process, from -20 (highest priority) to 19. 0 means this process.
#[doc(alias = "uv_os_getpriority")]
pub fn priority(pid: i32) -> Result<i32> {
    Ok(getpriority_process(existing(pid)?)?)
}

/// Sets the nice value of a process. 0 means this process.
#[doc(alias = "uv_os_setpriority")]
pub fn set_priority(pid: i32, priority: i32) -> Result<()> {
    if !(-20..=19).contains(&priority) {
        return Err(Errno::EINVAL);
    }
    Ok(setpriority_process(existing(pid)?, priority)?)
}

/// Converts a process id. `ESRCH` if it is negative, `None` for this process.
fn existing(pid: i32) -> Result<Option<Pid>> {
    match pid {
        0 => Ok(None),
        ..0 => Err(Errno::ESRCH),
        _ => Ok(Pid::from_raw(pid)),
    }
}

/// The scope of [`resource_usage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsageScope {
    /// All threads of the process, including those that have exited.
    Process,
    /// The calling thread.
    Thread,
}

/// The resource usage of a process or thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "uv_rusage_t")]
#[non_exhaustive]
pub struct ResourceUsage {
    /// CPU time in user mode.
    pub user_time: Duration,
    /// CPU time in kernel mode.
    pub system_time: Duration,
    /// The maximum resident set size in kilobytes.
    pub max_resident: u64,
    /// Page faults without I/O.
    pub minor_faults: u64,
    /// Page faults with I/O.
    pub major_faults: u64,
    /// Blocks read.
    pub blocks_in: u64,
    /// Blocks written.
    pub blocks_out: u64,
    /// Voluntary context switches.
    pub voluntary_switches: u64,
    /// Involuntary context switches.
    pub involuntary_switches: u64,
}

/// The resource usage so far. Linux does not maintain the other fields of `struct rusage`. `ENOSYS`
/// for a thread where the system has no such usage.
#[doc(alias = "uv_getrusage")]
#[doc(alias = "uv_getrusage_thread")]
pub fn resource_usage(scope: UsageScope) -> Result<ResourceUsage> {
    let who = match scope {
        UsageScope::Process => libc::RUSAGE_SELF,
        UsageScope::Thread => system::THREAD_USAGE.ok_or(Errno::ENOSYS)?,
    };
    let mut raw = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: `raw` has the size of a `rusage`, which the call fills if it succeeds.
    if unsafe { libc::getrusage(who, raw.as_mut_ptr()) } != 0 {
        return Err(Errno::last());
    }
    // SAFETY: the call has succeeded.
    let raw = unsafe { raw.assume_init() };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    Ok(ResourceUsage {
        user_time: time(raw.ru_utime),
        system_time: time(raw.ru_stime),
        max_resident: system::max_resident(raw.ru_maxrss as u64),
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
    fn a_negative_process_id_is_not_found() {
        assert_eq!(priority(-2), Err(Errno::ESRCH));
        assert_eq!(set_priority(-2, 0), Err(Errno::ESRCH));
        assert_eq!(set_priority(0, 20), Err(Errno::EINVAL));
        assert_eq!(set_priority(0, priority(0).unwrap()), Ok(()));
    }

    #[test]
    fn a_thread_has_used_no_more_than_its_process() {
        let thread = resource_usage(UsageScope::Thread).unwrap();
        let process = resource_usage(UsageScope::Process).unwrap();
        assert!(thread.minor_faults <= process.minor_faults);
    }
}
