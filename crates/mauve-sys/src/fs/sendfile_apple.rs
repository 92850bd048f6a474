//! `sendfile` on Apple's systems: to a socket.

use std::os::fd::RawFd;

use crate::{Errno, Result};

/// Sends up to `length` bytes, which is not zero, from `offset` on. Returns how many were sent.
pub(crate) fn sendfile(to: RawFd, from: RawFd, offset: i64, length: usize) -> (usize, Result<()>) {
    // How much to send, and then how much was sent.
    let mut count = i64::try_from(length).unwrap_or(i64::MAX);
    let none = std::ptr::null_mut();
    // SAFETY: there are no headers, and the count is a local variable.
    if unsafe { libc::sendfile(from, to, offset, &raw mut count, none, 0) } == 0 {
        return (count as usize, Ok(()));
    }
    // Only these errors change the count.
    match Errno::last() {
        error @ (Errno::EAGAIN | Errno::EINTR) => (count as usize, Err(error)),
        error => (0, Err(error)),
    }
}
