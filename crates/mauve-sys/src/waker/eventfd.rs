//! The descriptor of the waker on Linux: an eventfd.

use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};

use crate::fs::cancellable::with_cancellation_disabled;
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

/// Makes the descriptor readable, with the function of the C library, too. Async-signal-safe.
pub(crate) fn notify(fd: BorrowedFd<'_>) {
    let one = 1u64.to_ne_bytes();
    // SAFETY: the bytes are readable.
    let write = || unsafe { libc::write(fd.as_raw_fd(), one.as_ptr().cast(), one.len()) };
    // A thread that is cancelled here would stay counted.
    with_cancellation_disabled(|| {
        // EAGAIN means that the counter is full. The eventfd is readable then, anyway.
        while write() == -1 && Errno::last() == Errno::EINTR {}
    });
}
