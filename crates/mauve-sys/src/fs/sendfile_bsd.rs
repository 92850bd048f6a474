//! `sendfile` on FreeBSD and DragonFly BSD: to a socket.

use std::os::fd::RawFd;

use crate::{Errno, Result};

/// Sends up to `length` bytes, which is not zero, from `offset` on. Returns how many were sent.
pub(crate) fn sendfile(to: RawFd, from: RawFd, offset: i64, length: usize) -> (usize, Result<()>) {
    let (mut sent, none) = (0, std::ptr::null_mut());
    // SAFETY: there are no headers, and the count is a local variable.
    let result = unsafe { libc::sendfile(from, to, offset, length, none, &raw mut sent, 0) };
    (sent as usize, if result == 0 { Ok(()) } else { Err(Errno::last()) })
}
