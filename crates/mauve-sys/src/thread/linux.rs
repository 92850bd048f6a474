//! Attributes of threads on Linux.

use std::ffi::{CStr, c_int};

use rustix::process::{getpriority_process, setpriority_process};
use rustix::thread::gettid;

use crate::Result;
use crate::thread::check;

pub use super::backtrace::{Activity, activity_of};
pub use super::cpu_set::CpuSet;
pub use super::getname_np::name;
pub(crate) use super::priority::{priority, set_priority};

pub use libc::{pthread_getschedparam, pthread_setschedparam};

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 15;

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    // SAFETY: the calling thread exists, and the name is null-terminated.
    unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) }
}

/// The nice value of the calling thread. `None` where it belongs to the process.
pub fn nice() -> Option<Result<i32>> {
    Some(getpriority_process(Some(gettid())).map_err(Into::into))
}

/// Sets the nice value of the calling thread. `None` where it belongs to the process.
pub fn set_nice(nice: i32) -> Option<Result<()>> {
    Some(setpriority_process(Some(gettid()), nice).map_err(Into::into))
}

/// # Safety
/// The thread exists.
pub unsafe fn affinity(thread: libc::pthread_t) -> Result<CpuSet> {
    let mut set = CpuSet::empty();
    // SAFETY: the caller promises a thread, and the set has the size that is passed.
    check(unsafe { libc::pthread_getaffinity_np(thread, size_of_val(&set.0), &mut set.0) })?;
    Ok(set)
}

/// # Safety
/// The thread exists.
pub unsafe fn set_affinity(thread: libc::pthread_t, set: &CpuSet) -> Result<()> {
    // SAFETY: the caller promises a thread, and the set has the size that is passed.
    check(unsafe { libc::pthread_setaffinity_np(thread, size_of_val(&set.0), &set.0) })
}

pub fn current_cpu() -> usize {
    // Calls libc because valgrind hides the vDSO, see `stack::page_size`.
    // SAFETY: `sched_getcpu` takes no arguments.
    let cpu = unsafe { libc::sched_getcpu() };
    // It fails if the kernel does not support the call.
    usize::try_from(cpu).unwrap_or(0)
}

/// The kernel's id of the calling thread. Not zero.
pub fn own_id() -> u32 {
    gettid().as_raw_nonzero().get().cast_unsigned()
}

/// Whether this process has a thread with this id.
pub fn exists(id: u64) -> bool {
    let Ok(id) = libc::pid_t::try_from(id) else { return false };
    // SAFETY: `tgkill` takes three numbers. Signal 0 only checks whether the thread exists.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), id, 0) == 0 }
}
