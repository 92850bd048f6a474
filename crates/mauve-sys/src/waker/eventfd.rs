//! The descriptor of the waker on Linux: an eventfd.

use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::sync::LazyLock;

use rustix::io::Errno as RawErrno;

use crate::fs::cancellable::with_cancellation_disabled;
use crate::waker::WakerFds;
use crate::{Errno, Result, module};

/// Whether the program, or a tool, replaces `write`. A network stack replaces it together with `eventfd`.
static WRITE_IS_REPLACED: LazyLock<bool> =
    LazyLock::new(|| module::is_replaced(libc::write as *const ()));

pub(crate) fn open() -> Result<WakerFds> {
    // Here, because `notify` may run in a signal handler.
    LazyLock::force(&WRITE_IS_REPLACED);
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
    let one = 1u64.to_ne_bytes();
    if *WRITE_IS_REPLACED {
        return notify_replaced(fd, &one);
    }
    // EAGAIN means that the counter is full. The eventfd is readable then, anyway.
    while rustix::io::write(fd, &one) == Err(RawErrno::INTR) {}
}

/// As [`notify`], with the function that replaces `write`.
#[cold]
fn notify_replaced(fd: BorrowedFd<'_>, one: &[u8; 8]) {
    // SAFETY: the bytes are readable.
    let write = || unsafe { libc::write(fd.as_raw_fd(), one.as_ptr().cast(), one.len()) };
    // A thread that is cancelled here would stay counted.
    with_cancellation_disabled(|| while write() == -1 && Errno::last() == Errno::EINTR {});
}
