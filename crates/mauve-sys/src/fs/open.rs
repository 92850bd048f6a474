//! Opening and closing files.

use std::ffi::CStr;
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd, RawFd};

use rustix::fs::OFlags;

use super::cancellable;
use crate::faults::{self, Call};
use crate::{Errno, Result};

/// Opens a file with the flags and mode of `open(2)`. The descriptor is closed on exec. A
/// cancellation point.
#[doc(alias = "uv_fs_open")]
pub fn open(path: &CStr, flags: i32, mode: u32) -> Result<OwnedFd> {
    let call = if flags & libc::O_CREAT == 0 { Call::Open } else { Call::OpenNew };
    faults::check(call)?;
    let fd = open_raw(path, flags | libc::O_CLOEXEC, mode)?;
    // SAFETY: it was just opened, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Opens a file. The frame has no destructors, because the calling thread may be cancelled.
#[inline(never)]
fn open_raw(path: &CStr, flags: i32, mode: u32) -> Result<RawFd> {
    loop {
        // SAFETY: `path` is a C string that outlives the call.
        match unsafe { cancellable::open(path.as_ptr(), flags, mode) } {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            fd => return Ok(fd),
        }
    }
}

/// [`open`] with typed flags.
pub(super) fn open_with(path: &CStr, flags: OFlags, mode: u32) -> Result<OwnedFd> {
    open(path, flags.bits() as i32, mode)
}

/// Closes a descriptor and reports errors, unlike dropping it. `EINTR` is not an error, because Linux
/// closes the descriptor nevertheless.
pub fn close(fd: OwnedFd) -> Result<()> {
    // SAFETY: `into_raw_fd` gives up ownership, so nothing else closes it.
    unsafe { close_raw(fd.into_raw_fd()) }
}

/// [`close`] for a raw descriptor. `EBADF` if it is not open.
///
/// # Safety
/// If the number is an open descriptor, the caller must own it.
#[doc(alias = "uv_fs_close")]
pub unsafe fn close_raw(fd: RawFd) -> Result<()> {
    // SAFETY: the caller owns the descriptor, or the number is not open and the call fails.
    match unsafe { libc::close(fd) } {
        0 => Ok(()),
        _ => match Errno::last() {
            // The system closes the descriptor in any case.
            error if [libc::EINTR, libc::EINPROGRESS].contains(&error.raw()) => Ok(()),
            error => Err(error),
        },
    }
}
