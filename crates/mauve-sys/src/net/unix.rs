//! Sockets on systems other than Linux.

use std::ffi::c_int;
use std::os::fd::BorrowedFd;
use std::os::unix::net::SocketAddr;

use super::{get, local_address, set_value};
use crate::{Errno, Result};

pub const IPV6_ADD_MEMBERSHIP: c_int = libc::IPV6_JOIN_GROUP;
pub const IPV6_DROP_MEMBERSHIP: c_int = libc::IPV6_LEAVE_GROUP;

/// Sets `IP_MULTICAST_TTL` or `IP_MULTICAST_LOOP`, whose type is a byte.
pub fn set_v4_multicast(fd: BorrowedFd<'_>, name: c_int, value: c_int) -> Result<()> {
    let value = u8::try_from(value).map_err(|_| Errno::EINVAL)?;
    set_value(fd, libc::IPPROTO_IP, name, &value)
}

/// Whether an IPv4 or IPv6 socket is a UDP socket. Other datagram sockets count as such.
pub fn is_udp(fd: BorrowedFd<'_>) -> bool {
    get(fd, libc::SOL_SOCKET, libc::SO_TYPE) == Ok(libc::SOCK_DGRAM)
}

/// The family of the address that the socket has, even if it is not bound.
pub fn family(fd: BorrowedFd<'_>) -> Result<i32> {
    local_address(fd).map(|address| address.family())
}

/// The system has no `TCP_USER_TIMEOUT`.
pub fn set_user_timeout(_: BorrowedFd<'_>, _milliseconds: c_int) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// The system has no error queue.
pub fn set_recv_err(_: BorrowedFd<'_>, _family: i32) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// Whether Unix sockets may have abstract names.
pub const ABSTRACT_NAMES: bool = false;

/// `ENOSYS`: Unix sockets have no abstract names.
pub fn abstract_address(_name: &[u8]) -> std::io::Result<SocketAddr> {
    Err(Errno::ENOSYS.into())
}
