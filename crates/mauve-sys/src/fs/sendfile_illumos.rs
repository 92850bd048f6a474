//! `sendfile` on illumos and Solaris: to a socket or a file.

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
        let mut at = offset;
        // SAFETY: the offset is a local variable.
        let result =
            unsafe { libc::sendfile(to.as_raw_fd(), from.as_raw_fd(), &raw mut at, length) };
        if let Ok(sent) = usize::try_from(result) {
            return Ok(sent);
        }
        // A call that fails may have sent something, by which the offset has grown.
        match Errno::last() {
            Errno::EAGAIN | Errno::EINTR if at > offset => return Ok((at - offset) as usize),
            Errno::EINTR => {}
            error => return Err(error),
        }
    }
}
