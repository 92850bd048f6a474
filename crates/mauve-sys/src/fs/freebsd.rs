//! Files on FreeBSD: `copy_file_range`, and `sendfile` to a socket.

use std::os::fd::{AsRawFd, BorrowedFd};

pub(crate) use super::cancellable::{fdatasync, fsync};
pub(crate) use super::copy::copy_opened as copy_file;
use super::copy::is_unsupported;
pub(crate) use super::entry_type::file_type;
pub(crate) use super::mkostemp::mkstemp;
use super::sendfile::send as send_to_socket;
pub(crate) use super::sendfile_bsd::sendfile;
pub(crate) use super::times_birth::file_times;
pub(crate) use super::unix::*;
use crate::{Errno, Result};

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub(crate) const CANCEL_DISABLE: libc::c_int = 1;

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
