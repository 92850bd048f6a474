//! Systems without CPU affinity masks.

use crate::thread::CpuSet;
use crate::{Errno, Result};

/// # Safety
/// Safe to call; on other systems the thread must exist.
pub unsafe fn affinity(_: libc::pthread_t) -> Result<CpuSet> {
    Err(Errno::ENOSYS)
}

/// # Safety
/// Safe to call; on other systems the thread must exist.
pub unsafe fn set_affinity(_: libc::pthread_t, _: &CpuSet) -> Result<()> {
    Err(Errno::ENOSYS)
}
