//! Copying from a file with `sendfile`, which accepts only some files.

use std::os::fd::{AsRawFd, BorrowedFd};

use super::copy::{copy_buffered, is_unsupported};
use super::system::sendfile;
use crate::{Errno, Result};

/// Copies up to `length` bytes from `offset` on.
pub(crate) fn send(
    to: BorrowedFd<'_>,
    from: BorrowedFd<'_>,
    offset: i64,
    length: usize,
) -> Result<usize> {
    // Zero would mean the rest of the file.
    if length == 0 {
        return Ok(0);
    }
    loop {
        match sendfile(to.as_raw_fd(), from.as_raw_fd(), offset, length) {
            // A call that fails may have sent something. The next one reports the error again.
            (sent, result) if sent > 0 || result.is_ok() => return Ok(sent),
            (_, Err(Errno::EINTR)) => {}
            // Not a socket, or not a regular file.
            (_, Err(error)) if is_unsupported(error) => {
                return copy_buffered(to, from, offset, length);
            }
            (_, result) => return result.map(|()| 0),
        }
    }
}
