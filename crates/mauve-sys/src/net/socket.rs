//! Making sockets, and what is done with a whole one.

use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use super::Address;
use crate::{Errno, Result};

/// The families and kinds of socket that the engine makes.
pub const INET: i32 = libc::AF_INET;
/// IPv6.
pub const INET6: i32 = libc::AF_INET6;
/// Local sockets.
pub const LOCAL: i32 = libc::AF_UNIX;
/// A stream of bytes.
pub const STREAM: i32 = libc::SOCK_STREAM;
/// Single messages.
pub const DATAGRAM: i32 = libc::SOCK_DGRAM;

/// A new socket, non-blocking and closed on exec.
pub fn socket(family: i32, kind: i32) -> Result<OwnedFd> {
    let kind = kind | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: no pointers.
    unsafe { owned(libc::socket(family, kind, 0)) }
}

/// Gives the socket an address.
pub fn bind(fd: BorrowedFd<'_>, address: &Address) -> Result<()> {
    // SAFETY: an address and its length.
    check(unsafe { libc::bind(fd.as_raw_fd(), address.as_ptr(), address.len()) }).map(drop)
}

/// Has the socket take connections.
pub fn listen(fd: BorrowedFd<'_>, backlog: i32) -> Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::listen(fd.as_raw_fd(), backlog) }).map(drop)
}

/// Starts to connect. It may go on in the background; the socket is writable when it is done.
pub fn connect(fd: BorrowedFd<'_>, address: &Address) -> Result<()> {
    loop {
        // SAFETY: an address and its length.
        let result =
            check(unsafe { libc::connect(fd.as_raw_fd(), address.as_ptr(), address.len()) });
        match result {
            Err(Errno::EINTR) => {}
            Err(error) if error.raw() == libc::EINPROGRESS => return Ok(()),
            result => return result.map(drop),
        }
    }
}

/// Dissolves the association of a datagram socket with its peer.
pub fn disconnect(fd: BorrowedFd<'_>) -> Result<()> {
    connect(fd, &Address::unspecified())
}

/// The next connection, non-blocking and closed on exec.
pub fn accept(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    let flags = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    loop {
        let (address, length) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the peer's address is not asked for.
        match unsafe { owned(libc::accept4(fd.as_raw_fd(), address, length, flags)) } {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}

/// Tells the peer that nothing more is written.
pub fn shut_down_writing(fd: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::shutdown(fd.as_raw_fd(), libc::SHUT_WR) }).map(drop)
}

/// The socket's own address.
pub fn local_address(fd: BorrowedFd<'_>) -> Result<Address> {
    let mut address = Address::unspecified();
    let asked = address.filled_by(|name, length| {
        // SAFETY: room for an address, and its length.
        unsafe { libc::getsockname(fd.as_raw_fd(), name, length) }
    });
    check(asked)?;
    Ok(address)
}

/// The address of the peer.
pub fn peer_address(fd: BorrowedFd<'_>) -> Result<Address> {
    let mut address = Address::unspecified();
    let asked = address.filled_by(|name, length| {
        // SAFETY: room for an address, and its length.
        unsafe { libc::getpeername(fd.as_raw_fd(), name, length) }
    });
    check(asked)?;
    Ok(address)
}

/// Two sockets that are connected with each other. Closed on exec; each non-blocking or not.
pub fn socket_pair(kind: i32, protocol: i32, nonblocking: [bool; 2]) -> Result<[OwnedFd; 2]> {
    let mut fds = [0; 2];
    let kind = kind | libc::SOCK_CLOEXEC;
    // SAFETY: room for two descriptors.
    check(unsafe { libc::socketpair(libc::AF_UNIX, kind, protocol, fds.as_mut_ptr()) })?;
    // SAFETY: the system has just opened these two.
    unsafe { own_pair(fds, nonblocking) }
}

/// A pipe: the reading end, the writing end. Closed on exec; each non-blocking or not.
pub fn pipe(nonblocking: [bool; 2]) -> Result<[OwnedFd; 2]> {
    let mut fds = [0; 2];
    // SAFETY: room for two descriptors.
    check(unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) })?;
    // SAFETY: the system has just opened these two.
    unsafe { own_pair(fds, nonblocking) }
}

/// # Safety
/// The two are open, and nothing owns them.
unsafe fn own_pair(fds: [RawFd; 2], nonblocking: [bool; 2]) -> Result<[OwnedFd; 2]> {
    // SAFETY: promised by the caller.
    let pair = fds.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
    for (fd, nonblocking) in pair.iter().zip(nonblocking) {
        if nonblocking {
            crate::fd::set_nonblocking(fd.as_raw_fd(), true)?;
        }
    }
    Ok(pair)
}

pub(super) fn check(result: libc::c_int) -> Result<libc::c_int> {
    if result < 0 { Err(Errno::last()) } else { Ok(result) }
}

/// # Safety
/// The number was returned by a system call that opens a descriptor, or reports an error.
unsafe fn owned(fd: libc::c_int) -> Result<OwnedFd> {
    // SAFETY: not negative, so a descriptor that the system has just opened.
    check(fd).map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })
}
