//! Systems without priorities of threads.

use crate::thread::Priority;
use crate::{Errno, Result};

/// `ENOSYS`: threads have no priorities.
///
/// # Safety
/// Safe to call; on other systems the thread must exist.
pub(crate) unsafe fn priority(_: libc::pthread_t, _is_current: bool) -> Result<i32> {
    Err(Errno::ENOSYS)
}

/// `ENOSYS`: threads have no priorities.
///
/// # Safety
/// Safe to call; on other systems the thread must exist.
pub(crate) unsafe fn set_priority(
    _: libc::pthread_t,
    _is_current: bool,
    _: Priority,
) -> Result<()> {
    Err(Errno::ENOSYS)
}
