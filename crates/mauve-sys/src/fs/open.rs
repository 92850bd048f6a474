//! Opening and closing files.

use std::ffi::CStr;
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd, RawFd};

use rustix::fs::{CWD, Mode, OFlags};

use super::call;
use crate::{Errno, Result};

/// Opens a file with the flags and mode of `open(2)`. It is closed when the program executes
/// another one.
#[doc(alias = "uv_fs_open")]
pub fn open(path: &CStr, flags: i32, mode: u32) -> Result<RawFd> {
    Ok(open_owned(path, OFlags::from_bits_retain(flags as u32), mode)?.into_raw_fd())
}

/// [`open`], for a descriptor that is not given away.
pub(super) fn open_owned(path: &CStr, flags: OFlags, mode: u32) -> Result<OwnedFd> {
    let mode = Mode::from_raw_mode(mode);
    call(|| rustix::fs::openat(CWD, path, flags | OFlags::CLOEXEC, mode))
}

/// Closes a descriptor. An interruption is no error: the descriptor is closed all the same.
#[doc(alias = "uv_fs_close")]
pub fn close(fd: RawFd) -> Result<()> {
    // SAFETY: the number is the caller's to close; one that is no descriptor is an error.
    match unsafe { libc::close(fd) } {
        0 => Ok(()),
        _ => match Errno::last() {
            Errno::EINTR => Ok(()),
            error => Err(error),
        },
    }
}

/// Makes a file out of a descriptor that the caller gives up.
pub fn own(fd: RawFd) -> std::fs::File {
    assert!(fd >= 0, "no descriptor is negative");
    // SAFETY: not negative, and the caller has it from `open` and gives it up.
    unsafe { OwnedFd::from_raw_fd(fd) }.into()
}
