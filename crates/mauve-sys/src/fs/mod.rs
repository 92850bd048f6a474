//! File system operations, one file for each group of system calls.
//!
//! The functions block. A loop calls them on a thread of the pool, or uses the non-blocking ones in
//! [`nowait`] and [`read_batch`]. Paths are C strings, because callers and the kernel use these.
//! Descriptors are raw numbers, because the caller owns them. A system call that a signal interrupts
//! is repeated, except in [`read_write::read`].

use std::ffi::c_int;
use std::os::fd::{BorrowedFd, RawFd};

use rustix::fs::{Mode, RawMode};
use rustix::io::retry_on_intr;

use crate::{Errno, Result};

pub mod cancellable;
pub mod copy;
pub mod directory;
pub mod links;
pub mod nowait;
pub mod open;
pub mod permissions;
pub mod read_batch;
pub mod read_write;
pub mod stat;
pub mod statfs;
pub mod sync;
pub mod temporary;
pub mod times;
mod uring;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod entry_type;
        mod linux;
        mod mkostemp;
        use linux as system;
    } else if #[cfg(target_vendor = "apple")] {
        mod apple;
        mod entry_type;
        mod mkstemp;
        mod sendfile;
        mod times_birth;
        mod times_plain;
        mod unix;
        use apple as system;
    } else if #[cfg(target_os = "freebsd")] {
        mod entry_type;
        mod freebsd;
        mod mkostemp;
        mod sendfile;
        mod sendfile_bsd;
        mod times_birth;
        mod times_plain;
        mod unix;
        use freebsd as system;
    } else if #[cfg(target_os = "dragonfly")] {
        mod dragonfly;
        mod entry_type;
        mod mkostemp;
        mod sendfile;
        mod sendfile_bsd;
        mod times_plain;
        mod unix;
        use dragonfly as system;
    } else if #[cfg(any(target_os = "netbsd", target_os = "openbsd"))] {
        mod bsd;
        mod entry_type;
        mod mkostemp;
        mod times_birth;
        mod times_plain;
        mod unix;
        use bsd as system;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod mkstemp;
        mod sendfile;
        mod solaris;
        mod times_plain;
        mod unix;
        use solaris as system;
    } else {
        mod mkstemp;
        mod other;
        mod unix;
        use other as system;
    }
}

/// Borrows a descriptor of the caller. `EBADF` if it is negative.
pub(crate) fn descriptor(fd: &RawFd) -> Result<BorrowedFd<'_>> {
    if *fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not -1. If the number is not an open descriptor, the system call fails with EBADF.
    Ok(unsafe { BorrowedFd::borrow_raw(*fd) })
}

/// Permissions, whose type has fewer bits on some systems.
pub(crate) fn mode(bits: u32) -> Mode {
    Mode::from_raw_mode(bits as RawMode)
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
