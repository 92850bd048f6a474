//! Socket options.

use std::ffi::c_int;
use std::time::Duration;

use super::socket::check;
use super::{c, common, system};
use crate::descriptor::{AsDescriptor as _, BorrowedSocket};
use crate::{Errno, Result};

/// The keepalive probes of a TCP connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepAlive {
    /// Idle seconds before the first probe (`TCP_KEEPIDLE`).
    pub idle: u32,
    /// Seconds between probes (`TCP_KEEPINTVL`).
    pub interval: u32,
    /// Unacknowledged probes before the connection is dropped (`TCP_KEEPCNT`).
    pub count: u32,
}

impl KeepAlive {
    /// libuv's settings when only the idle time is given.
    pub fn after(idle: u32) -> Self {
        Self { idle, interval: 1, count: 10 }
    }
}

/// Returns and clears the pending error of the socket (`SO_ERROR`).
pub fn take_error(fd: BorrowedSocket<'_>) -> Result<Option<Errno>> {
    let error = get(fd, c::SOL_SOCKET, c::SO_ERROR)?;
    Ok((error != 0).then(|| Errno::from_code(error)))
}

/// Whether this is a UDP socket over IPv4 or IPv6.
pub fn is_udp(fd: BorrowedSocket<'_>) -> bool {
    let is_ip = matches!(family(fd), Ok(c::AF_INET | c::AF_INET6));
    is_ip && system::is_udp(fd)
}

/// The address family of the socket: `AF_INET`, `AF_INET6`, ...
pub fn family(fd: BorrowedSocket<'_>) -> Result<i32> {
    system::family(fd)
}

/// Disables or enables Nagle's algorithm (`TCP_NODELAY`).
pub fn set_nodelay(fd: BorrowedSocket<'_>, on: bool) -> Result<()> {
    set(fd, c::IPPROTO_TCP, c::TCP_NODELAY, on.into())
}

/// Whether Nagle's algorithm is disabled (`TCP_NODELAY`).
pub fn nodelay(fd: BorrowedSocket<'_>) -> Result<bool> {
    Ok(get(fd, c::IPPROTO_TCP, c::TCP_NODELAY)? != 0)
}

/// Whether keepalive probes are sent (`SO_KEEPALIVE`).
pub fn keepalive(fd: BorrowedSocket<'_>) -> Result<bool> {
    Ok(get(fd, c::SOL_SOCKET, c::SO_KEEPALIVE)? != 0)
}

/// Whether broadcast datagrams are allowed (`SO_BROADCAST`).
pub fn broadcast(fd: BorrowedSocket<'_>) -> Result<bool> {
    Ok(get(fd, c::SOL_SOCKET, c::SO_BROADCAST)? != 0)
}

/// The time to live of packets (`IP_TTL`, `IPV6_UNICAST_HOPS`).
pub fn ttl(fd: BorrowedSocket<'_>) -> Result<u32> {
    let ttl = match family(fd)? {
        c::AF_INET6 => get(fd, c::IPPROTO_IPV6, c::IPV6_UNICAST_HOPS)?,
        _ => get(fd, c::IPPROTO_IP, c::IP_TTL)?,
    };
    Ok(ttl.unsigned_abs())
}

/// How long `close` waits for unsent data (`SO_LINGER`).
pub fn linger(fd: BorrowedSocket<'_>) -> Result<Option<Duration>> {
    common::linger(fd)
}

/// Sets how long `close` waits for unsent data (`SO_LINGER`).
pub fn set_linger(fd: BorrowedSocket<'_>, timeout: Option<Duration>) -> Result<()> {
    common::set_linger(fd, timeout)
}

/// The credentials of the process that has connected or created a Unix socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerCredentials {
    /// The process; zero if the system does not report it.
    pub pid: i32,
    /// Its user.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
}

/// The credentials of the peer of a Unix socket (`SO_PEERCRED`, `getpeereid`, `getpeerucred`).
pub fn peer_credentials(fd: BorrowedSocket<'_>) -> Result<PeerCredentials> {
    system::peer_credentials(fd)
}

/// Drops a connection whose peer has not acknowledged data for `timeout` (`TCP_USER_TIMEOUT`).
/// `ENOSYS` where the system has no such option.
pub fn set_user_timeout(fd: BorrowedSocket<'_>, timeout: Duration) -> Result<()> {
    let ms = timeout.as_millis().try_into().map_err(|_| Errno::EINVAL)?;
    system::set_user_timeout(fd, ms)
}

/// Enables keepalive probes with these settings, or disables them (`SO_KEEPALIVE`).
pub fn set_keepalive(fd: BorrowedSocket<'_>, keepalive: Option<KeepAlive>) -> Result<()> {
    set(fd, c::SOL_SOCKET, c::SO_KEEPALIVE, keepalive.is_some().into())?;
    if let Some(KeepAlive { idle, interval, count }) = keepalive {
        // As in libuv probes are enabled then.
        if idle == 0 || interval == 0 || count == 0 {
            return Err(Errno::EINVAL);
        }
        common::set_probes(fd, [idle, interval, count])?;
    }
    Ok(())
}

/// Allows to bind an address with connections in `TIME_WAIT` (`SO_REUSEADDR`).
pub fn set_reuse_address(fd: BorrowedSocket<'_>, on: bool) -> Result<()> {
    common::set_reuse_address(fd, on)
}

/// Whether an address with connections in `TIME_WAIT` can be bound (`SO_REUSEADDR`).
pub fn reuse_address(fd: BorrowedSocket<'_>) -> Result<bool> {
    common::reuse_address(fd)
}

/// Shares the address with other sockets that set this option; the kernel balances the load
/// (`SO_REUSEPORT`).
pub fn set_reuse_port(fd: BorrowedSocket<'_>, on: bool) -> Result<()> {
    set(fd, c::SOL_SOCKET, system::REUSE_PORT.ok_or(Errno::ENOTSUP)?, on.into())
}

/// Whether the address is shared with other sockets (`SO_REUSEPORT`).
pub fn reuse_port(fd: BorrowedSocket<'_>) -> Result<bool> {
    Ok(get(fd, c::SOL_SOCKET, system::REUSE_PORT.ok_or(Errno::ENOTSUP)?)? != 0)
}

/// Restricts an IPv6 socket to IPv6, or lets it accept IPv4, too (`IPV6_V6ONLY`).
pub fn set_only_v6(fd: BorrowedSocket<'_>, on: bool) -> Result<()> {
    set(fd, c::IPPROTO_IPV6, c::IPV6_V6ONLY, on.into())
}

/// Makes `close` reset the connection (`SO_LINGER` with a timeout of zero).
pub fn set_reset_on_close(fd: BorrowedSocket<'_>) -> Result<()> {
    let linger = c::linger { l_onoff: 1, l_linger: 0 };
    set_value(fd, c::SOL_SOCKET, c::SO_LINGER, &linger)
}

/// The size of the send buffer or, if not `sending`, of the receive buffer.
pub fn buffer_size(fd: BorrowedSocket<'_>, sending: bool) -> Result<i32> {
    get(fd, c::SOL_SOCKET, if sending { c::SO_SNDBUF } else { c::SO_RCVBUF })
}

/// Sets the size of the send or receive buffer. Linux doubles the value for its bookkeeping.
pub fn set_buffer_size(fd: BorrowedSocket<'_>, sending: bool, size: i32) -> Result<()> {
    set(fd, c::SOL_SOCKET, if sending { c::SO_SNDBUF } else { c::SO_RCVBUF }, size)
}

pub(crate) fn get(fd: BorrowedSocket<'_>, level: i32, name: i32) -> Result<c_int> {
    let mut value: c_int = 0;
    let mut length = size_of::<c_int>() as c::socklen_t;
    // SAFETY: `value` is an int, and `length` is its size.
    let result = unsafe {
        c::getsockopt(fd.raw_descriptor(), level, name, (&raw mut value).cast(), &raw mut length)
    };
    check(result)?;
    Ok(value)
}

pub(crate) fn set(fd: BorrowedSocket<'_>, level: i32, name: i32, value: c_int) -> Result<()> {
    set_value(fd, level, name, &value)
}

/// Sets an option whose value is a `T`. The kernel rejects a value that is too small.
pub(crate) fn set_value<T>(fd: BorrowedSocket<'_>, level: i32, name: i32, value: &T) -> Result<()> {
    let length = size_of::<T>() as c::socklen_t;
    let value = std::ptr::from_ref(value).cast();
    // SAFETY: `value` points to `length` bytes, which the kernel only reads.
    check(unsafe { c::setsockopt(fd.raw_descriptor(), level, name, value, length) }).map(drop)
}
