//! Descriptors that belong to somebody else.

use std::os::fd::{BorrowedFd, RawFd};

use rustix::fs::FileType;
use rustix::net::{AddressFamily, SocketType, sockopt};

use crate::{Errno, Result};

/// What a descriptor can be used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_handle_type")]
pub enum Kind {
    /// A terminal.
    Tty,
    /// A regular file, or a device that is none of the others.
    File,
    /// A pipe, or a stream socket of this machine.
    Pipe,
    /// A stream socket of the internet.
    Tcp,
    /// A datagram socket of the internet.
    Udp,
    /// Something else, or no descriptor at all.
    Unknown,
}

/// What `fd` can be used as.
#[doc(alias = "uv_guess_handle")]
pub fn kind(fd: RawFd) -> Kind {
    let Ok(fd) = borrow(fd) else { return Kind::Unknown };
    // SAFETY: a question about a number.
    if unsafe { libc::isatty(std::os::fd::AsRawFd::as_raw_fd(&fd)) } == 1 {
        return Kind::Tty;
    }
    let Ok(status) = rustix::fs::fstat(fd) else { return Kind::Unknown };
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile | FileType::CharacterDevice => Kind::File,
        FileType::Fifo => Kind::Pipe,
        FileType::Socket => socket_kind(fd),
        _ => Kind::Unknown,
    }
}

fn socket_kind(fd: BorrowedFd<'_>) -> Kind {
    match (sockopt::socket_domain(fd), sockopt::socket_type(fd)) {
        (Ok(AddressFamily::UNIX), Ok(SocketType::STREAM)) => Kind::Pipe,
        (Ok(AddressFamily::INET | AddressFamily::INET6), Ok(SocketType::STREAM)) => Kind::Tcp,
        (Ok(AddressFamily::INET | AddressFamily::INET6), Ok(SocketType::DGRAM)) => Kind::Udp,
        _ => Kind::Unknown,
    }
}

/// Switches between blocking and non-blocking operations.
pub fn set_nonblocking(fd: RawFd, nonblocking: bool) -> Result<()> {
    let mut value = libc::c_int::from(nonblocking);
    // SAFETY: FIONBIO reads one int; a bad descriptor is an error.
    if unsafe { libc::ioctl(fd, libc::FIONBIO, &raw mut value) } == -1 {
        return Err(Errno::last());
    }
    Ok(())
}

/// Lends a descriptor that belongs to somebody else for the length of one system call.
pub(crate) fn borrow<'a>(fd: RawFd) -> Result<BorrowedFd<'a>> {
    if fd < 0 {
        return Err(Errno::EBADF);
    }
    // SAFETY: not -1. If the owner has closed it meanwhile, the call that follows fails with
    // EBADF, or means another descriptor, as it would in C.
    Ok(unsafe { BorrowedFd::borrow_raw(fd) })
}
