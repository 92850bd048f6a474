//! `fsync`, `fdatasync` and `ftruncate`.

use std::os::fd::RawFd;

use super::{call, descriptor};
use crate::{Errno, Result};

/// Writes the data and metadata of a file to its device.
#[doc(alias = "uv_fs_fsync")]
pub fn fsync(fd: RawFd) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::fsync(fd))
}

/// Writes the data of a file to its device, and only the metadata that is needed to read it.
#[doc(alias = "uv_fs_fdatasync")]
pub fn fdatasync(fd: RawFd) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::fdatasync(fd))
}

/// Truncates a file, or extends it with zeros.
#[doc(alias = "uv_fs_ftruncate")]
pub fn ftruncate(fd: RawFd, length: i64) -> Result<()> {
    // The kernel checks the length before the descriptor.
    let length = u64::try_from(length).map_err(|_| Errno::EINVAL)?;
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::ftruncate(fd, length))
}
