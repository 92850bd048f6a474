//! Files on illumos and Solaris: `sendfile` to a socket or a file.

use std::os::fd::RawFd;

pub(crate) use super::cancellable::{fdatasync, fsync};
pub(crate) use super::copy::copy_opened as copy_file;
use super::directory::FileType;
pub(crate) use super::mkstemp::mkstemp;
pub(crate) use super::sendfile::send;
pub(crate) use super::times_plain::file_times;
pub(crate) use super::unix::*;
use crate::{Errno, Result};

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub(crate) const CANCEL_DISABLE: libc::c_int = 1;

/// Unknown: directories do not have the types of their entries.
///
/// # Safety
/// None, unlike that of other systems.
pub(crate) unsafe fn file_type(_: *const RawEntry) -> FileType {
    FileType::Unknown
}

/// Sends up to `length` bytes, which is not zero, from `offset` on. Returns how many were sent.
pub(crate) fn sendfile(to: RawFd, from: RawFd, offset: i64, length: usize) -> (usize, Result<()>) {
    let mut at = offset;
    // SAFETY: the offset is a local variable.
    match usize::try_from(unsafe { libc::sendfile(to, from, &raw mut at, length) }) {
        Ok(sent) => (sent, Ok(())),
        // The offset has grown by what was sent.
        Err(_) => ((at - offset) as usize, Err(Errno::last())),
    }
}
