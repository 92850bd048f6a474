//! Opening and closing files.

use std::ffi::CStr;
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd, RawFd};

use rustix::fs::{CWD, Mode, OFlags};

use super::{call, cancellable};
use crate::{Errno, Result};

/// Opens a file with the flags and mode of `open(2)`. It is closed when the program executes
/// another one. The calling thread can be cancelled meanwhile.
#[doc(alias = "uv_fs_open")]
pub fn open(path: &CStr, flags: i32, mode: u32) -> Result<OwnedFd> {
    let number = open_number(path, flags | libc::O_CLOEXEC, mode)?;
    // SAFETY: it was just opened, and nothing else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// A frame without anything to clean up.
#[inline(never)]
fn open_number(path: &CStr, flags: i32, mode: u32) -> Result<RawFd> {
    loop {
        // SAFETY: a string and numbers.
        match unsafe { cancellable::open(path.as_ptr(), flags, mode) } {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            number => return Ok(number),
        }
    }
}

/// As [`open`], with flags that have names. The calling thread is not cancelled.
pub(super) fn open_with(path: &CStr, flags: OFlags, mode: u32) -> Result<OwnedFd> {
    let mode = Mode::from_raw_mode(mode);
    call(|| rustix::fs::openat(CWD, path, flags | OFlags::CLOEXEC, mode))
}

/// Closes a descriptor, and reports errors that dropping it would not. An interruption is no error:
/// the descriptor is closed all the same.
pub fn close(fd: OwnedFd) -> Result<()> {
    // SAFETY: the caller gives it up.
    unsafe { close_raw(fd.into_raw_fd()) }
}

/// [`close`], by number. One that is no descriptor is an error.
///
/// # Safety
/// If the number is an open descriptor, it must be the caller's to close: nothing else in the
/// process owns it.
#[doc(alias = "uv_fs_close")]
pub unsafe fn close_raw(fd: RawFd) -> Result<()> {
    // SAFETY: promised by the caller.
    match unsafe { libc::close(fd) } {
        0 => Ok(()),
        _ => match Errno::last() {
            Errno::EINTR => Ok(()),
            error => Err(error),
        },
    }
}
