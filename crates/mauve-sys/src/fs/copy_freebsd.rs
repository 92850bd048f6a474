//! Copying files on FreeBSD: `copy_file_range`, and `sendfile` to a socket.

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};

pub(crate) use crate::fs::copy::copy_opened as copy_file;
use crate::fs::copy::is_unsupported;
use crate::platform::send::send as send_to_socket;
use crate::{Errno, Result};

/// The system shares blocks when it copies a range, but cannot be required to.
pub(crate) fn clone(_to: &OwnedFd, _from: &OwnedFd) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// Copies up to `length` bytes from `offset` on.
pub(crate) fn send(
    to: BorrowedFd<'_>,
    from: BorrowedFd<'_>,
    offset: i64,
    length: usize,
) -> Result<usize> {
    let mut at: libc::off_t = offset;
    let end = std::ptr::null_mut();
    loop {
        // SAFETY: the offset is a local variable, and null means the offset of the descriptor.
        let copied = unsafe {
            libc::copy_file_range(from.as_raw_fd(), &raw mut at, to.as_raw_fd(), end, length, 0)
        };
        match usize::try_from(copied).map_err(|_| Errno::last()) {
            Err(Errno::EINTR) => {}
            // Not both are regular files.
            Err(error) if is_unsupported(error) || error == Errno::EBADF => {
                return send_to_socket(to, from, offset, length);
            }
            result => return result,
        }
    }
}
