//! Copying files on Linux: `FICLONE`, `copy_file_range` and `sendfile`.

use std::os::fd::{BorrowedFd, OwnedFd};

use crate::Result;
use crate::fs::call;
pub(crate) use crate::fs::copy::copy_opened as copy_file;
use crate::fs::copy::{copy_buffered, is_unsupported};

/// Makes `to` share the blocks of `from`.
pub(crate) fn clone(to: &OwnedFd, from: &OwnedFd) -> Result<()> {
    call(|| rustix::fs::ioctl_ficlone(to, from))
}

/// Copies up to `length` bytes from `offset` on.
pub(crate) fn send(
    to: BorrowedFd<'_>,
    from: BorrowedFd<'_>,
    offset: i64,
    length: usize,
) -> Result<usize> {
    let mut at = offset as u64;
    match call(|| rustix::fs::copy_file_range(from, Some(&mut at), to, None, length)) {
        // Files of procfs and sysfs copy nothing this way.
        Ok(0) if length > 0 => {}
        // Not supported for these files, or by this kernel.
        Err(error) if is_unsupported(error) => {}
        result => return result,
    }
    let mut at = offset as u64;
    match call(|| rustix::fs::sendfile(to, from, Some(&mut at), length)) {
        Err(error) if is_unsupported(error) => copy_buffered(to, from, offset, length),
        result => result,
    }
}
