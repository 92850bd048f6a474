//! Creating, connecting and accepting sockets.

use std::ffi::c_int;
use std::net::Shutdown;

use super::{Address, c, common, system};
use crate::descriptor::{AsDescriptor as _, BorrowedSocket, Socket};
use crate::{Errno, Result};

/// The address family of IPv4.
pub const AF_INET: i32 = c::AF_INET;
/// The address family of IPv6.
pub const AF_INET6: i32 = c::AF_INET6;
/// The address family of Unix sockets.
pub const AF_UNIX: i32 = c::AF_UNIX;
/// The type of stream sockets.
pub const SOCK_STREAM: i32 = c::SOCK_STREAM;
/// The type of datagram sockets.
pub const SOCK_DGRAM: i32 = c::SOCK_DGRAM;

/// Creates a socket, non-blocking and closed on exec.
pub fn socket(family: i32, socket_type: i32) -> Result<Socket> {
    system::socket(family, socket_type)
}

/// Binds the socket to an address.
pub fn bind(fd: BorrowedSocket<'_>, address: &Address) -> Result<()> {
    // SAFETY: the pointer and the length describe an initialised address, which is only read.
    check(unsafe { c::bind(fd.raw_descriptor(), address.as_ptr(), address.len()) }).map(drop)
}

/// Listens for connections.
pub fn listen(fd: BorrowedSocket<'_>, backlog: i32) -> Result<()> {
    common::listen(fd, backlog)
}

/// Starts to connect. `EINPROGRESS` (`WSAEWOULDBLOCK` on Windows) counts as success: the socket becomes
/// writable when the connection attempt has finished.
pub fn connect(fd: BorrowedSocket<'_>, address: &Address) -> Result<()> {
    loop {
        // SAFETY: the pointer and the length describe an initialised address, which is only read.
        let result =
            check(unsafe { c::connect(fd.raw_descriptor(), address.as_ptr(), address.len()) });
        match result {
            Err(Errno::EINTR) => {}
            Err(common::IN_PROGRESS) => return Ok(()),
            result => return result.map(drop),
        }
    }
}

/// Dissolves the association of a datagram socket with its peer (`connect` with `AF_UNSPEC`).
pub fn disconnect(fd: BorrowedSocket<'_>) -> Result<()> {
    connect(fd, &Address::unspecified())
}

/// Accepts a connection. The new socket is non-blocking and closed on exec.
pub fn accept(fd: BorrowedSocket<'_>) -> Result<Socket> {
    loop {
        // SAFETY: null pointers mean that the peer's address is not stored.
        match unsafe { system::accept(fd, std::ptr::null_mut(), std::ptr::null_mut()) } {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}

/// As [`accept`], and stores the address of the peer.
pub fn accept_from(fd: BorrowedSocket<'_>, peer: &mut Address) -> Result<Socket> {
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
pub fn shutdown_write(fd: BorrowedSocket<'_>) -> Result<()> {
    shutdown(fd, Shutdown::Write)
}

/// Shuts down one side or both.
pub fn shutdown(fd: BorrowedSocket<'_>, how: Shutdown) -> Result<()> {
    let how = match how {
        Shutdown::Read => c::SHUT_RD,
        Shutdown::Write => c::SHUT_WR,
        Shutdown::Both => c::SHUT_RDWR,
    };
    common::shutdown(fd, how)
}

/// The address that the socket is bound to (`getsockname`).
pub fn local_address(fd: BorrowedSocket<'_>) -> Result<Address> {
    let mut address = Address::unspecified();
    let result = address.fill_with(|name, length| {
        // SAFETY: `name` is writable for `length` bytes.
        unsafe { c::getsockname(fd.raw_descriptor(), name, length) }
    });
    check(result)?;
    Ok(address)
}

/// The address of the peer (`getpeername`).
pub fn peer_address(fd: BorrowedSocket<'_>) -> Result<Address> {
    let mut address = Address::unspecified();
    let result = address.fill_with(|name, length| {
        // SAFETY: `name` is writable for `length` bytes.
        unsafe { c::getpeername(fd.raw_descriptor(), name, length) }
    });
    check(result)?;
    Ok(address)
}

/// Creates a pair of connected Unix sockets, or of TCP sockets where the system has no others. Both are
/// closed on exec; `nonblocking` sets the mode of each.
pub fn socket_pair(socket_type: i32, protocol: i32, nonblocking: [bool; 2]) -> Result<[Socket; 2]> {
    let pair = system::socket_pair(socket_type, protocol, nonblocking == [true; 2])?;
    set_modes(pair, nonblocking)
}

/// Makes descriptors non-blocking that were not created so, because only one of them is.
pub(super) fn set_modes(pair: [Socket; 2], nonblocking: [bool; 2]) -> Result<[Socket; 2]> {
    if nonblocking != [true; 2] {
        for (fd, _) in pair.iter().zip(nonblocking).filter(|(_, nonblocking)| *nonblocking) {
            crate::fd::set_nonblocking(fd.raw_descriptor(), true)?;
        }
    }
    Ok(pair)
}

pub(crate) fn check(result: c_int) -> Result<c_int> {
    if result < 0 { Err(Errno::last()) } else { Ok(result) }
}
