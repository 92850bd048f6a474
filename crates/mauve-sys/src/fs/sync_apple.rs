//! Writing a file to its device on Apple's systems. `fsync` leaves data in the cache of the device
//! there; `F_FULLFSYNC` does not.

use std::ffi::c_int;

use crate::fs::cancellable;

unsafe extern "C-unwind" {
    fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
}

/// A cancellation point.
///
/// # Safety
/// Safe to call with any number.
pub(crate) unsafe extern "C-unwind" fn fsync(fd: c_int) -> c_int {
    // SAFETY: both take only integers. Not all file systems support the first one.
    unsafe {
        match fcntl(fd, libc::F_FULLFSYNC) {
            -1 => cancellable::fsync(fd),
            result => result,
        }
    }
}

pub(crate) use fsync as fdatasync;
