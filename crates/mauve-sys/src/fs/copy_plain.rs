//! Copying files with a buffer.

use std::os::fd::{BorrowedFd, OwnedFd};

pub(crate) use crate::fs::copy::{copy_buffered as send, copy_opened as copy_file};
use crate::{Errno, Result};

/// Files cannot share blocks.
pub(crate) fn clone(_to: &OwnedFd, _from: &OwnedFd) -> Result<()> {
    Err(Errno::ENOSYS)
}

// The signature that every platform has.
const _: fn(BorrowedFd<'_>, BorrowedFd<'_>, i64, usize) -> Result<usize> = send;
