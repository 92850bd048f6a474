//! Starting a child with `fork`. It has one thread, and cannot be stopped.

pub(super) use super::spawn::fork as start;
use crate::{Errno, Result};

/// The directory of the open descriptors of this process.
#[cfg(any(test, feature = "inherited"))]
pub const FD_DIRECTORY: &std::ffi::CStr = c"/dev/fd";

/// There are none that the C library would ignore.
pub fn ignore_internal_signals() {}

/// Runs `action` while a thread of another process is stopped. `ENOSYS`.
pub fn with_stopped_thread<R>(_thread: i32, _action: impl FnOnce() -> R) -> Result<R> {
    Err(Errno::ENOSYS)
}

/// The registers of a stopped thread. `ENOSYS`.
pub fn registers(_thread: i32) -> Result<(u64, Vec<(u16, u64)>)> {
    Err(Errno::ENOSYS)
}
