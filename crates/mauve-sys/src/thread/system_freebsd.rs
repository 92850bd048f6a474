//! Attributes of threads on FreeBSD.

use std::ffi::{CStr, c_int};

use crate::thread::CpuSet;
use crate::{Errno, Result};

pub use libc::{pthread_getschedparam, pthread_setschedparam};

/// The maximum length of a thread name, without the null terminator.
pub const MAX_NAME: usize = 19;

/// Stores the name of a thread. Returns an error number.
///
/// # Safety
/// The thread exists.
pub unsafe fn name(thread: libc::pthread_t, buffer: &mut [u8]) -> c_int {
    let (at, size) = (buffer.as_mut_ptr().cast(), buffer.len());
    // SAFETY: the caller promises a thread, and the buffer has the size that is passed.
    unsafe { libc::pthread_getname_np(thread, at, size) }
}

/// Sets the name of the calling thread. Returns an error number.
pub fn set_own_name(name: &CStr) -> c_int {
    // SAFETY: the calling thread exists, and the name is null-terminated.
    unsafe { libc::pthread_setname_np(libc::pthread_self(), name.as_ptr()) }
}

/// The nice value of the calling thread: `None`, because it belongs to the process.
pub fn nice() -> Option<Result<i32>> {
    None
}

/// Sets the nice value of the calling thread: `None`, because it belongs to the process.
pub fn set_nice(_nice: i32) -> Option<Result<()>> {
    None
}

/// # Safety
/// The thread exists.
pub unsafe fn affinity(thread: libc::pthread_t) -> Result<CpuSet> {
    // SAFETY: all zeros are the empty set.
    let mut set: libc::cpuset_t = unsafe { std::mem::zeroed() };
    let size = size_of::<libc::cpuset_t>();
    // SAFETY: the caller promises a thread, and the set has the size that is passed.
    let result = unsafe { libc::pthread_getaffinity_np(thread, size, &raw mut set) };
    if result != 0 {
        return Err(Errno::from_raw(result));
    }
    // SAFETY: the numbers are below the capacity of the set.
    let is_set = |cpu: &usize| unsafe { libc::CPU_ISSET(*cpu, &set) };
    Ok((0..libc::CPU_SETSIZE as usize).filter(is_set).collect())
}

/// # Safety
/// The thread exists.
pub unsafe fn set_affinity(thread: libc::pthread_t, cpus: &CpuSet) -> Result<()> {
    // SAFETY: all zeros are the empty set.
    let mut set: libc::cpuset_t = unsafe { std::mem::zeroed() };
    for cpu in (0..libc::CPU_SETSIZE as usize).filter(|cpu| cpus.contains(*cpu)) {
        // SAFETY: the number is below the capacity of the set.
        unsafe { libc::CPU_SET(cpu, &mut set) };
    }
    let size = size_of::<libc::cpuset_t>();
    // SAFETY: the caller promises a thread, and the set has the size that is passed.
    match unsafe { libc::pthread_setaffinity_np(thread, size, &raw const set) } {
        0 => Ok(()),
        error => Err(Errno::from_raw(error)),
    }
}

pub fn current_cpu() -> usize {
    // SAFETY: takes no arguments.
    usize::try_from(unsafe { libc::sched_getcpu() }).unwrap_or(0)
}

/// The system's id of the calling thread. Not zero.
pub fn own_id() -> u32 {
    // SAFETY: takes no arguments.
    unsafe { libc::pthread_getthreadid_np() }.cast_unsigned()
}

/// Whether this process has a thread with this id.
pub fn exists(id: u64) -> bool {
    let Ok(id) = libc::c_long::try_from(id) else { return false };
    // SAFETY: takes numbers. Signal 0 only checks whether the thread exists.
    unsafe { libc::thr_kill(id, 0) == 0 }
}
