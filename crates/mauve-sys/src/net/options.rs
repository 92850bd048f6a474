//! Socket options.

use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

use super::socket::check;
use crate::{Errno, Result};

/// How a connection is kept from being forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepAlive {
    /// Seconds of silence before the first probe.
    pub idle: u32,
    /// Seconds between probes.
    pub interval: u32,
    /// Probes without an answer before the connection is given up.
    pub count: u32,
}

impl KeepAlive {
    /// The probes that libuv sends when only the idle time is given.
    pub fn after(idle: u32) -> Self {
        Self { idle, interval: 1, count: 10 }
    }
}

/// The error that is pending on the socket; asking clears it.
pub fn take_error(fd: BorrowedFd<'_>) -> Result<Option<Errno>> {
    let error = get(fd, libc::SOL_SOCKET, libc::SO_ERROR)?;
    Ok((error != 0).then(|| Errno::from_raw(error)))
}

/// The socket's kind: `SOCK_STREAM`, `SOCK_DGRAM`, ...
pub fn kind(fd: BorrowedFd<'_>) -> Result<i32> {
    get(fd, libc::SOL_SOCKET, libc::SO_TYPE)
}

/// Whether the socket sends UDP datagrams, and nothing else that may be sent with the same calls.
pub fn is_udp(fd: BorrowedFd<'_>) -> bool {
    let internet = matches!(family(fd), Ok(libc::AF_INET | libc::AF_INET6));
    internet && get(fd, libc::SOL_SOCKET, libc::SO_PROTOCOL) == Ok(libc::IPPROTO_UDP)
}

/// The socket's family: `AF_INET`, `AF_INET6`, ...
pub fn family(fd: BorrowedFd<'_>) -> Result<i32> {
    get(fd, libc::SOL_SOCKET, libc::SO_DOMAIN)
}

/// Sends small packets at once.
pub fn set_nodelay(fd: BorrowedFd<'_>, on: bool) -> Result<()> {
    set(fd, libc::IPPROTO_TCP, libc::TCP_NODELAY, on.into())
}

/// Gives up a connection whose peer has not acknowledged, or has no room for, anything for so long.
pub fn set_user_timeout(fd: BorrowedFd<'_>, timeout: Duration) -> Result<()> {
    let ms = timeout.as_millis().try_into().map_err(|_| Errno::EINVAL)?;
    set(fd, libc::IPPROTO_TCP, libc::TCP_USER_TIMEOUT, ms)
}

/// Probes silent connections, or does not.
pub fn set_keepalive(fd: BorrowedFd<'_>, keepalive: Option<KeepAlive>) -> Result<()> {
    set(fd, libc::SOL_SOCKET, libc::SO_KEEPALIVE, keepalive.is_some().into())?;
    if let Some(KeepAlive { idle, interval, count }) = keepalive {
        let number = |value: u32| libc::c_int::try_from(value).map_err(|_| Errno::EINVAL);
        set(fd, libc::IPPROTO_TCP, libc::TCP_KEEPIDLE, number(idle)?)?;
        set(fd, libc::IPPROTO_TCP, libc::TCP_KEEPINTVL, number(interval)?)?;
        set(fd, libc::IPPROTO_TCP, libc::TCP_KEEPCNT, number(count)?)?;
    }
    Ok(())
}

/// Allows an address that connections of the past still occupy.
pub fn set_reuse_address(fd: BorrowedFd<'_>) -> Result<()> {
    set(fd, libc::SOL_SOCKET, libc::SO_REUSEADDR, 1)
}

/// Shares an address with other sockets that do the same; the system spreads the load.
pub fn set_reuse_port(fd: BorrowedFd<'_>) -> Result<()> {
    set(fd, libc::SOL_SOCKET, libc::SO_REUSEPORT, 1)
}

/// Whether an IPv6 socket refuses IPv4.
pub fn set_only_v6(fd: BorrowedFd<'_>, on: bool) -> Result<()> {
    set(fd, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY, on.into())
}

/// Has closing the socket reset the connection instead of ending it in order.
pub fn set_reset_on_close(fd: BorrowedFd<'_>) -> Result<()> {
    let linger = libc::linger { l_onoff: 1, l_linger: 0 };
    set_value(fd, libc::SOL_SOCKET, libc::SO_LINGER, &linger)
}

/// The size of the buffer for sending or, if not `sending`, receiving.
pub fn buffer_size(fd: BorrowedFd<'_>, sending: bool) -> Result<i32> {
    get(fd, libc::SOL_SOCKET, if sending { libc::SO_SNDBUF } else { libc::SO_RCVBUF })
}

/// Sets the size of a buffer. Linux takes twice as much, for its own bookkeeping.
pub fn set_buffer_size(fd: BorrowedFd<'_>, sending: bool, size: i32) -> Result<()> {
    set(fd, libc::SOL_SOCKET, if sending { libc::SO_SNDBUF } else { libc::SO_RCVBUF }, size)
}

fn get(fd: BorrowedFd<'_>, level: i32, name: i32) -> Result<libc::c_int> {
    let mut value: libc::c_int = 0;
    let mut length = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: room for an int, and its size.
    let result = unsafe {
        libc::getsockopt(fd.as_raw_fd(), level, name, (&raw mut value).cast(), &raw mut length)
    };
    check(result)?;
    Ok(value)
}

pub(super) fn set(fd: BorrowedFd<'_>, level: i32, name: i32, value: libc::c_int) -> Result<()> {
    set_value(fd, level, name, &value)
}

/// Sets an option whose value is a `T`. A value of the wrong type or size is refused by the system.
pub(super) fn set_value<T>(fd: BorrowedFd<'_>, level: i32, name: i32, value: &T) -> Result<()> {
    let length = size_of::<T>() as libc::socklen_t;
    let value = std::ptr::from_ref(value).cast();
    // SAFETY: a value and its size; the system only reads it.
    check(unsafe { libc::setsockopt(fd.as_raw_fd(), level, name, value, length) }).map(drop)
}
