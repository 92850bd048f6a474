//! Copying from a file with `sendfile`, which accepts only some files.

use std::os::fd::BorrowedFd;

use crate::Result;
use crate::fs::copy::{copy_buffered, is_unsupported};
use crate::platform::sendfile::sendfile;

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
    match sendfile(to, from, offset, length) {
        // Not a socket, or not a regular file.
        Err(error) if is_unsupported(error) => copy_buffered(to, from, offset, length),
        result => result,
    }
}
