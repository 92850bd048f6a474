//! Process ids, priorities and resource usage.

use std::ffi::OsString;
use std::time::Duration;

use super::{common, system};
use crate::{Errno, Result};

/// The id of the parent process.
#[doc(alias = "uv_os_getppid")]
pub fn parent_id() -> i32 {
    common::parent_id()
}

/// The value of an environment variable. `None` in a program that runs with more rights than its
/// user has, such as a setuid program.
#[doc(alias = "secure_getenv")]
pub fn secure_variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|_| !system::is_secure())
}

/// Calls `action` when the process exits by `exit` or by the return of `main`, or the library is unloaded.
/// Without memory for that, it is not called.
#[doc(alias = "atexit")]
pub fn at_exit(action: extern "C" fn()) {
    unsafe extern "C" {
        /// The C library of Windows has it, too.
        fn atexit(action: extern "C" fn()) -> std::ffi::c_int;
    }
    // SAFETY: a function of this library, which the C library calls before it unloads the library.
    unsafe { atexit(action) };
}

/// The nice value of a process, from -20 (highest priority) to 19. 0 means this process.
#[doc(alias = "uv_os_getpriority")]
pub fn priority(pid: i32) -> Result<i32> {
    common::priority(pid)
}

/// Sets the nice value of a process. 0 means this process.
#[doc(alias = "uv_os_setpriority")]
pub fn set_priority(pid: i32, priority: i32) -> Result<()> {
    if !(-20..=19).contains(&priority) {
        return Err(Errno::EINVAL);
    }
    common::set_priority(pid, priority)
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
    common::resource_usage(scope)
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
