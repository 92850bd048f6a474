//! Starting a child with `fork`. It has one thread, and cannot be stopped.

use std::ffi::c_int;

pub(super) use super::spawn::fork as start;
use crate::{Errno, Result};

/// The directory of the open descriptors of this process.
#[cfg(any(test, feature = "inherited"))]
pub const FD_DIRECTORY: &std::ffi::CStr = c"/dev/fd";

pub fn clear_groups() -> c_int {
    // SAFETY: no groups are read from the null pointer.
    unsafe { libc::setgroups(0, std::ptr::null()) }
}

pub fn set_gid(gid: libc::gid_t) -> c_int {
    // SAFETY: takes a number.
    unsafe { libc::setgid(gid) }
}

pub fn set_uid(uid: libc::uid_t) -> c_int {
    // SAFETY: takes a number.
    unsafe { libc::setuid(uid) }
}
/// Runs `action` while a thread of another process is stopped. `ENOSYS`.
pub fn with_stopped_thread<R>(_thread: i32, _action: impl FnOnce() -> R) -> Result<R> {
    Err(Errno::ENOSYS)
}
