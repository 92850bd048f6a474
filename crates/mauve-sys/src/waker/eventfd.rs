//! The descriptor of the waker on Linux: an eventfd.

use std::os::fd::BorrowedFd;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno as RawErrno;

use crate::Result;
use crate::waker::WakerFds;

pub(crate) fn open() -> Result<WakerFds> {
    let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
    Ok(WakerFds { fd, read_end: None })
}

/// Makes the descriptor readable. Async-signal-safe.
pub(crate) fn notify(fd: BorrowedFd<'_>) {
    // EAGAIN means that the counter is full. The eventfd is readable then, anyway.
    while rustix::io::write(fd, &1u64.to_ne_bytes()) == Err(RawErrno::INTR) {}
}
