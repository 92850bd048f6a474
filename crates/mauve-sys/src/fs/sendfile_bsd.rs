//! `sendfile` on FreeBSD and DragonFly BSD: to a socket.

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
        let (mut sent, none) = (0, std::ptr::null_mut());
        let (file, socket) = (from.as_raw_fd(), to.as_raw_fd());
        // SAFETY: there are no headers, and the count is a local variable.
        let result =
            unsafe { libc::sendfile(file, socket, offset, length, none, &raw mut sent, 0) };
        match Errno::last() {
            // A call that fails may have sent something. The next one reports the error again.
            _ if result == 0 || sent > 0 => return Ok(sent as usize),
            Errno::EINTR => {}
            error => return Err(error),
        }
    }
}
