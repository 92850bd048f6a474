//! Calling the functions of POSIX.

use std::ffi::c_int;
use std::os::fd::{BorrowedFd, RawFd};

use rustix::io::retry_on_intr;

use crate::{Errno, Result};

/// Borrows a descriptor of the caller. `EBADF` if it is negative.
pub(crate) fn descriptor(fd: &RawFd) -> Result<BorrowedFd<'_>> {
    if *fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not -1. If the number is not an open descriptor, the system call fails with EBADF.
    Ok(unsafe { BorrowedFd::borrow_raw(*fd) })
}

/// Calls a function of the C library that returns -1 and sets `errno`, and repeats it while a signal
/// interrupts it.
///
/// The functions are those that libuv calls, by name. Tools such as fakeroot replace them, and do not see
/// bare system calls.
pub(crate) fn check(call: impl Fn() -> c_int) -> Result<()> {
    loop {
        match call() {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            _ => return Ok(()),
        }
    }
}

/// Makes a system call, and repeats it while a signal interrupts it.
pub(crate) fn call<T>(call: impl FnMut() -> rustix::io::Result<T>) -> Result<T> {
    Ok(retry_on_intr(call)?)
}
