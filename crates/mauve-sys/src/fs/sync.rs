//! The size of an open file, and its way to the disk.

use std::os::fd::RawFd;

use super::{call, descriptor};
use crate::{Errno, Result};

/// Waits until all of a file is on its disk.
#[doc(alias = "uv_fs_fsync")]
pub fn sync_all(fd: RawFd) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::fsync(fd))
}

/// Waits until the contents of a file are on its disk, and what is needed to find them there.
#[doc(alias = "uv_fs_fdatasync")]
pub fn sync_data(fd: RawFd) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::fdatasync(fd))
}

/// Cuts a file off, or fills it up with zeros.
#[doc(alias = "uv_fs_ftruncate")]
pub fn set_length(fd: RawFd, length: i64) -> Result<()> {
    // In the order in which the kernel looks at them.
    let length = u64::try_from(length).map_err(|_| Errno::EINVAL)?;
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::ftruncate(fd, length))
}
