//! `sendfile` on illumos and Solaris: to a socket or a file.

use std::os::fd::RawFd;

use crate::{Errno, Result};

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
