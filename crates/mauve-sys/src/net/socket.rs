//! Creating, connecting and accepting sockets.

use std::net::Shutdown;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use super::Address;
use super::system;
use crate::{Errno, Result};

/// The address family of IPv4.
pub const AF_INET: i32 = libc::AF_INET;
/// The address family of IPv6.
pub const AF_INET6: i32 = libc::AF_INET6;
/// The address family of Unix sockets.
pub const AF_UNIX: i32 = libc::AF_UNIX;
/// The type of stream sockets.
pub const SOCK_STREAM: i32 = libc::SOCK_STREAM;
/// The type of datagram sockets.
pub const SOCK_DGRAM: i32 = libc::SOCK_DGRAM;

/// Creates a socket, non-blocking and closed on exec.
pub fn socket(family: i32, socket_type: i32) -> Result<OwnedFd> {
    system::socket(family, socket_type)
}

/// Binds the socket to an address.
pub fn bind(fd: BorrowedFd<'_>, address: &Address) -> Result<()> {
    // SAFETY: the pointer and the length describe an initialised address, which is only read.
    check(unsafe { libc::bind(fd.as_raw_fd(), address.as_ptr(), address.len()) }).map(drop)
}

/// Listens for connections.
pub fn listen(fd: BorrowedFd<'_>, backlog: i32) -> Result<()> {
    // SAFETY: the call takes only integers.
    check(unsafe { libc::listen(fd.as_raw_fd(), backlog) }).map(drop)
}

/// Starts to connect. `EINPROGRESS` counts as success: the socket becomes writable when the
/// connection attempt has finished.
pub fn connect(fd: BorrowedFd<'_>, address: &Address) -> Result<()> {
    loop {
        // SAFETY: the pointer and the length describe an initialised address, which is only read.
        let result =
            check(unsafe { libc::connect(fd.as_raw_fd(), address.as_ptr(), address.len()) });
        match result {
            Err(Errno::EINTR) => {}
            Err(error) if error.raw() == libc::EINPROGRESS => return Ok(()),
            result => return result.map(drop),
        }
    }
}

/// Dissolves the association of a datagram socket with its peer (`connect` with `AF_UNSPEC`).
pub fn disconnect(fd: BorrowedFd<'_>) -> Result<()> {
    connect(fd, &Address::unspecified())
}

/// Accepts a connection. The new socket is non-blocking and closed on exec.
pub fn accept(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    loop {
        // SAFETY: null pointers mean that the peer's address is not stored.
        match unsafe { system::accept(fd, std::ptr::null_mut(), std::ptr::null_mut()) } {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}

/// As [`accept`], and stores the address of the peer.
pub fn accept_from(fd: BorrowedFd<'_>, peer: &mut Address) -> Result<OwnedFd> {
    loop {
        let accepted = peer.fill_with(|address, length| {
            // SAFETY: `address` is writable for `length` bytes.
            unsafe { system::accept(fd, address, length) }
        });
        match accepted {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}

/// Shuts down the write side.
pub fn shutdown_write(fd: BorrowedFd<'_>) -> Result<()> {
    shutdown(fd, Shutdown::Write)
}

/// Shuts down one side or both.
pub fn shutdown(fd: BorrowedFd<'_>, how: Shutdown) -> Result<()> {
    let how = match how {
        Shutdown::Read => libc::SHUT_RD,
        Shutdown::Write => libc::SHUT_WR,
        Shutdown::Both => libc::SHUT_RDWR,
    };
    // SAFETY: the call takes only integers.
    check(unsafe { libc::shutdown(fd.as_raw_fd(), how) }).map(drop)
}

/// The address that the socket is bound to (`getsockname`).
pub fn local_address(fd: BorrowedFd<'_>) -> Result<Address> {
    let mut address = Address::unspecified();
    let result = address.fill_with(|name, length| {
        // SAFETY: `name` is writable for `length` bytes.
        unsafe { libc::getsockname(fd.as_raw_fd(), name, length) }
    });
    check(result)?;
    Ok(address)
}

/// The address of the peer (`getpeername`).
pub fn peer_address(fd: BorrowedFd<'_>) -> Result<Address> {
    let mut address = Address::unspecified();
    let result = address.fill_with(|name, length| {
        // SAFETY: `name` is writable for `length` bytes.
        unsafe { libc::getpeername(fd.as_raw_fd(), name, length) }
    });
    check(result)?;
    Ok(address)
}

/// Creates a pair of connected Unix sockets. Both are closed on exec; `nonblocking` sets the mode of
/// each.
pub fn socket_pair(
    socket_type: i32,
    protocol: i32,
    nonblocking: [bool; 2],
) -> Result<[OwnedFd; 2]> {
    let pair = system::socket_pair(socket_type, protocol, nonblocking == [true; 2])?;
    set_modes(pair, nonblocking)
}

/// Creates a pipe: the read end and the write end. Both are closed on exec; `nonblocking` sets the
/// mode of each.
pub fn pipe(nonblocking: [bool; 2]) -> Result<[OwnedFd; 2]> {
    let pair = system::pipe(nonblocking == [true; 2])?;
    set_modes(pair, nonblocking)
}

/// Makes descriptors non-blocking that were not created so, because only one of them is.
fn set_modes(pair: [OwnedFd; 2], nonblocking: [bool; 2]) -> Result<[OwnedFd; 2]> {
    if nonblocking != [true; 2] {
        for (fd, _) in pair.iter().zip(nonblocking).filter(|(_, nonblocking)| *nonblocking) {
            crate::fd::set_nonblocking(fd.as_raw_fd(), true)?;
        }
    }
    Ok(pair)
}

pub(crate) fn check(result: libc::c_int) -> Result<libc::c_int> {
    if result < 0 { Err(Errno::last()) } else { Ok(result) }
}

/// # Safety
/// `fd` is the result of a system call that opens a descriptor: a new descriptor, or negative.
pub(crate) unsafe fn owned(fd: libc::c_int) -> Result<OwnedFd> {
    // SAFETY: not negative, so the system has just opened it and nothing owns it.
    check(fd).map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })
}
