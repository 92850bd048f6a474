//! `fsync`, `fdatasync` and `ftruncate`.

use std::ffi::c_int;
use std::os::fd::RawFd;

use super::{cancellable, check, system};
use crate::faults::{self, Call};
use crate::{Errno, Result};

/// Writes the data and metadata of a file to its device. A cancellation point.
#[doc(alias = "uv_fs_fsync")]
pub fn fsync(fd: RawFd) -> Result<()> {
    retry(fd, system::fsync)
}

/// Writes the data of a file to its device, and only the metadata that is needed to read it. A
/// cancellation point.
#[doc(alias = "uv_fs_fdatasync")]
pub fn fdatasync(fd: RawFd) -> Result<()> {
    retry(fd, system::fdatasync)
}

/// Calls `function`, and repeats it while a signal interrupts it.
fn retry(fd: RawFd, function: unsafe extern "C-unwind" fn(c_int) -> c_int) -> Result<()> {
    faults::check(Call::Sync)?;
    loop {
        // SAFETY: `function` takes a number, and fails if it is not an open descriptor.
        match unsafe { function(fd) } {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            _ => return Ok(()),
        }
    }
}

/// Truncates a file, or extends it with zeros.
#[doc(alias = "uv_fs_ftruncate")]
pub fn ftruncate(fd: RawFd, length: i64) -> Result<()> {
    // The kernel checks the length before the descriptor.
    if length < 0 {
        return Err(Errno::EINVAL);
    }
    // SAFETY: takes numbers.
    check(|| unsafe { cancellable::ftruncate(fd, length as libc::off_t) })
}
