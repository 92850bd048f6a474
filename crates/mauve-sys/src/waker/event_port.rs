//! The descriptor of the waker on illumos and Solaris: the event port of the selector.

use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use rustix::io::FdFlags;

use crate::waker::WakerFds;
use crate::{Errno, Result};

pub(crate) fn open() -> Result<WakerFds> {
    Ok(WakerFds { fd: open_port()?, read_end: None })
}

/// Opens an event port that is closed on exec.
pub(crate) fn open_port() -> Result<OwnedFd> {
    // SAFETY: takes no arguments, and opens a descriptor if it succeeds.
    let port = unsafe { libc::port_create() };
    if port < 0 {
        return Err(Errno::last());
    }
    // SAFETY: the system has just opened it, and nothing owns it.
    let port = unsafe { OwnedFd::from_raw_fd(port) };
    rustix::io::fcntl_setfd(&port, FdFlags::CLOEXEC)?;
    Ok(port)
}

/// Ends a wait. Async-signal-safe.
pub(crate) fn notify(port: BorrowedFd<'_>) {
    // EAGAIN means that the queue of the port is full. A wait returns then, anyway.
    // SAFETY: takes numbers, and a pointer that is not followed.
    while unsafe { libc::port_send(port.as_raw_fd(), 0, std::ptr::null_mut()) } == -1
        && Errno::last() == Errno::EINTR
    {}
}
