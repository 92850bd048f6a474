//! What all systems except Linux have in common: the program, the uptime, no control groups.

use std::path::PathBuf;
use std::time::Duration;

use crate::Result;
use crate::clock::{self, Clock};
use crate::os::memory::MemoryLimit;

pub(crate) fn current_exe() -> Result<PathBuf> {
    Ok(std::env::current_exe()?)
}

pub(crate) fn uptime() -> Duration {
    let (seconds, nanoseconds) = clock::now(Clock::Boottime);
    Duration::new(seconds as u64, nanoseconds)
}

/// There are no control groups.
pub(crate) fn group_memory_limit() -> MemoryLimit {
    MemoryLimit::Unknown
}

/// There are no control groups.
pub(crate) fn group_available_memory() -> Option<u64> {
    None
}

/// The number of CPUs in the affinity mask of the calling thread.
pub(crate) fn allowed_cpus() -> Option<usize> {
    crate::thread::Thread::current().affinity().ok().map(|set| set.len())
}

/// There are no control groups.
pub(crate) fn cpu_quota() -> Option<usize> {
    None
}
