//! What all systems except Linux have in common: clocks, load, limits, random numbers.

use std::mem::MaybeUninit;
use std::path::PathBuf;
use std::time::Duration;

use crate::Result;
use crate::clock::{self, Clock};
use crate::os::memory::MemoryLimit;

/// Whether the program runs with more rights than its user has.
pub(crate) fn is_secure() -> bool {
    unsafe extern "C" {
        // Not declared by the crate libc for every target.
        fn issetugid() -> libc::c_int;
    }
    // SAFETY: takes no arguments.
    unsafe { issetugid() != 0 }
}

pub(crate) fn current_exe() -> Result<PathBuf> {
    Ok(std::env::current_exe()?)
}

pub(crate) fn uptime() -> Duration {
    let (seconds, nanoseconds) = clock::now(Clock::Boottime);
    Duration::new(seconds as u64, nanoseconds)
}

pub(crate) fn load_average() -> [f64; 3] {
    let mut loads = [0.0; 3];
    // SAFETY: there is room for three numbers.
    let count = unsafe { libc::getloadavg(loads.as_mut_ptr(), 3) };
    if count == 3 { loads } else { [0.0; 3] }
}

/// There are no control groups.
pub(crate) fn group_memory_limit() -> MemoryLimit {
    MemoryLimit::Unknown
}

/// There are no control groups.
pub(crate) fn group_available_memory() -> Option<u64> {
    None
}

/// There are no control groups.
pub(crate) fn cpu_quota() -> Option<usize> {
    None
}

/// Fills `buffer` with random bytes.
pub(crate) fn fill_random(buffer: &mut [MaybeUninit<u8>]) -> Result<()> {
    // SAFETY: the buffer has the size that is passed. The function cannot fail.
    unsafe { libc::arc4random_buf(buffer.as_mut_ptr().cast(), buffer.len()) };
    Ok(())
}
