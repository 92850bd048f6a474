//! The size of an open file, and its way to the disk.

use std::ffi::c_int;
use std::os::fd::RawFd;

use super::{call, cancellable, descriptor};
use crate::{Errno, Result};

/// Waits until all of a file is on its disk. The calling thread can be cancelled meanwhile.
#[doc(alias = "uv_fs_fsync")]
pub fn sync_all(fd: RawFd) -> Result<()> {
    sync(fd, cancellable::fsync)
}

/// Waits until the contents of a file are on its disk, and what is needed to find them there. The
/// calling thread can be cancelled meanwhile.
#[doc(alias = "uv_fs_fdatasync")]
pub fn sync_data(fd: RawFd) -> Result<()> {
    sync(fd, cancellable::fdatasync)
}

/// Calls one of the two functions until no signal interrupts it.
fn sync(fd: RawFd, function: unsafe extern "C-unwind" fn(c_int) -> c_int) -> Result<()> {
    loop {
        // SAFETY: a number; one that is no descriptor is an error.
        match unsafe { function(fd) } {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            _ => return Ok(()),
        }
    }
}

/// Cuts a file off, or fills it up with zeros.
#[doc(alias = "uv_fs_ftruncate")]
pub fn set_length(fd: RawFd, length: i64) -> Result<()> {
    // In the order in which the kernel looks at them.
    let length = u64::try_from(length).map_err(|_| Errno::EINVAL)?;
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::ftruncate(fd, length))
}
