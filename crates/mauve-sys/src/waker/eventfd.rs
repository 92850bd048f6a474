//! The descriptor of the waker on Linux: an eventfd.

use std::os::fd::{BorrowedFd, FromRawFd as _, OwnedFd};

use rustix::io::Errno as RawErrno;

use crate::waker::WakerFds;
use crate::{Errno, Result};

pub(crate) fn open() -> Result<WakerFds> {
    // The function of the C library, which network stacks in user space replace.
    // SAFETY: it accesses no memory of this program.
    let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
    if fd < 0 {
        return Err(Errno::last());
    }
    // SAFETY: a new descriptor that nothing else owns.
    Ok(WakerFds { fd: unsafe { OwnedFd::from_raw_fd(fd) }, read_end: None })
}

/// Makes the descriptor readable. Async-signal-safe.
pub(crate) fn notify(fd: BorrowedFd<'_>) {
    // EAGAIN means that the counter is full. The eventfd is readable then, anyway.
    while rustix::io::write(fd, &1u64.to_ne_bytes()) == Err(RawErrno::INTR) {}
}
