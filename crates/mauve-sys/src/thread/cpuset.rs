//! CPU affinity masks on FreeBSD and DragonFly BSD.

use crate::thread::CpuSet;
use crate::{Errno, Result};

/// The number of CPUs that a set of the system represents. Its type differs between the systems.
#[allow(clippy::unnecessary_cast)]
const CAPACITY: usize = libc::CPU_SETSIZE as usize;

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
    Ok((0..CAPACITY).filter(is_set).collect())
}

/// # Safety
/// The thread exists.
pub unsafe fn set_affinity(thread: libc::pthread_t, cpus: &CpuSet) -> Result<()> {
    // SAFETY: all zeros are the empty set.
    let mut set: libc::cpuset_t = unsafe { std::mem::zeroed() };
    for cpu in (0..CAPACITY).filter(|cpu| cpus.contains(*cpu)) {
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
