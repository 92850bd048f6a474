//! `sendfile` on Apple's systems: to a socket.

use std::os::fd::{AsRawFd, BorrowedFd};

use crate::{Errno, Result};

/// Sends up to `length` bytes, which is not zero, from `offset` on.
pub(crate) fn sendfile(
    to: BorrowedFd<'_>,
    from: BorrowedFd<'_>,
    offset: i64,
    length: usize,
) -> Result<usize> {
    loop {
        // How much to send, and then how much was sent.
        let mut count = i64::try_from(length).unwrap_or(i64::MAX);
        let (file, socket, none) = (from.as_raw_fd(), to.as_raw_fd(), std::ptr::null_mut());
        // SAFETY: there are no headers, and the count is a local variable.
        let result = unsafe { libc::sendfile(file, socket, offset, &raw mut count, none, 0) };
        if result == 0 {
            return Ok(count as usize);
        }
        // Only these errors change the count. The next call reports them again.
        match Errno::last() {
            Errno::EAGAIN | Errno::EINTR if count > 0 => return Ok(count as usize),
            Errno::EINTR => {}
            error => return Err(error),
        }
    }
}
