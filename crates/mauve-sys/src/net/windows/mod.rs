//! Sockets on Windows.

use std::ffi::{c_int, c_void};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::windows::io::{FromRawSocket as _, OwnedSocket};
use std::ptr::{null, null_mut};
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE_FLAG_INHERIT, SetHandleInformation};
use windows_sys::Win32::Networking::WinSock::{
    self as ws, INVALID_SOCKET, IPV6_ADD_MEMBERSHIP as JOIN_V6, IPV6_DROP_MEMBERSHIP as LEAVE_V6,
    SIO_KEEPALIVE_VALS, SIO_UDP_CONNRESET, SO_PROTOCOL_INFOW, TCP_KEEPCNT, TCP_KEEPIDLE,
    TCP_KEEPINTVL, WSA_FLAG_NO_HANDLE_INHERIT, WSA_FLAG_OVERLAPPED, WSAIoctl, WSAPROTOCOL_INFOW,
    WSASocketW, tcp_keepalive,
};

pub mod message;
pub(crate) mod named_pipe;
mod pipe;
pub mod winsock;

pub use super::source_groups::*;
use super::{Address, PeerCredentials, check, get, set, set_value};
use crate::descriptor::{AsDescriptor as _, BorrowedSocket, RawDescriptor, Socket, handle};
use crate::{Errno, Result, device, fd};
pub use pipe::*;

pub const IPV6_ADD_MEMBERSHIP: c_int = JOIN_V6;
pub const IPV6_DROP_MEMBERSHIP: c_int = LEAVE_V6;

/// The error of `connect` that means that the attempt continues: `WSAEWOULDBLOCK`.
pub const IN_PROGRESS: Errno = Errno::EAGAIN;

/// Shares an address with other sockets.
pub const REUSE_PORT: Option<c_int> = None;

/// Errors of `getaddrinfo` that not all systems have.
pub const RESOLVER_ERRORS: &[(i32, Errno)] = &[(ws::WSANO_DATA, Errno::EAI_NODATA)];

/// Whether Unix sockets may have abstract names.
pub const ABSTRACT_NAMES: bool = false;

/// A buffer for a system call that receives.
pub fn buffer(buffer: &mut [u8]) -> winsock::iovec {
    let length = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
    winsock::iovec { iov_len: length, iov_base: buffer.as_mut_ptr().cast() }
}

/// Whether an open descriptor is a socket.
pub(crate) fn is_socket(raw: RawDescriptor) -> bool {
    protocol(raw).is_ok()
}

/// What the socket was created with.
fn protocol(raw: RawDescriptor) -> Result<WSAPROTOCOL_INFOW> {
    winsock::start();
    // SAFETY: all bits of the struct may be zero.
    let mut info: WSAPROTOCOL_INFOW = unsafe { std::mem::zeroed() };
    let mut length = size_of_val(&info) as c_int;
    let (at, name) = (&raw mut info, SO_PROTOCOL_INFOW);
    // SAFETY: `info` is writable for `length` bytes. The call fails if the number is no socket.
    check(unsafe { ws::getsockopt(raw, ws::SOL_SOCKET, name, at.cast(), &raw mut length) })?;
    Ok(info)
}

/// Takes ownership of a socket that a system call has returned.
///
/// # Safety
/// It was just opened, or is `INVALID_SOCKET`.
unsafe fn owned(socket: ws::SOCKET) -> Result<Socket> {
    if socket == INVALID_SOCKET {
        return Err(Errno::last());
    }
    // SAFETY: the caller promises that it was just opened, so nothing owns it.
    Ok(unsafe { OwnedSocket::from_raw_socket(socket as _) }.into())
}

/// Creates a socket, non-blocking and not inherited.
pub(crate) fn socket(family: i32, socket_type: i32) -> Result<Socket> {
    let socket = blocking_socket(family, socket_type)?;
    fd::set_nonblocking(socket.raw_descriptor(), true)?;
    if family == super::AF_INET6 {
        // As on other systems, it also has the addresses of IPv4. Fails where IPv6 has no such option.
        let _ = super::set_only_v6(socket.as_descriptor(), false);
    }
    if socket_type == ws::SOCK_DGRAM {
        report_no_resets(&socket);
    }
    Ok(socket)
}

fn blocking_socket(family: i32, socket_type: i32) -> Result<Socket> {
    winsock::start();
    let flags = WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT;
    // SAFETY: without a description of a protocol, the call takes numbers. It opens a socket if it succeeds.
    unsafe { owned(WSASocketW(family, socket_type, 0, null(), 0, flags)) }
}

/// Has a receive not fail because an earlier datagram was refused, as on other systems.
fn report_no_resets(socket: &Socket) {
    // Not all systems know the option.
    let _ = control(socket.as_descriptor(), SIO_UDP_CONNRESET, &0u32);
}

/// Sets an option with `WSAIoctl`.
fn control<T>(fd: BorrowedSocket<'_>, code: u32, value: &T) -> Result<()> {
    let (value, size) = (std::ptr::from_ref(value).cast::<c_void>(), size_of::<T>() as u32);
    let mut returned = 0;
    // SAFETY: the value has `size` bytes, and no output is requested.
    check(unsafe {
        WSAIoctl(fd.socket(), code, value, size, null_mut(), 0, &raw mut returned, null_mut(), None)
    })
    .map(drop)
}

/// Listens for connections on a socket or a pipe. A socket that is not bound listens at any port.
pub fn listen(fd: BorrowedSocket<'_>, backlog: c_int) -> Result<()> {
    if let Some(server) = device::find(fd.raw_descriptor()) {
        return server.listen();
    }
    // SAFETY: takes numbers.
    let listen = || check(unsafe { ws::listen(fd.socket(), backlog) }).map(drop);
    match listen() {
        Err(Errno::EINVAL) if super::local_address(fd).is_err() => {
            if let Some(error) = named_pipe::delayed_error(fd.raw_descriptor()) {
                return Err(error);
            }
            let any = if family(fd)? == super::AF_INET6 {
                IpAddr::from(Ipv6Addr::UNSPECIFIED)
            } else {
                IpAddr::from(Ipv4Addr::UNSPECIFIED)
            };
            super::bind(fd, &SocketAddr::from((any, 0)).into())?;
            listen()
        }
        result => result,
    }
}

/// Shuts down one side or both. Those of a pipe end together, when it is [closed](half_closes).
pub fn shutdown(fd: BorrowedSocket<'_>, how: c_int) -> Result<()> {
    if let Some(device) = device::find(fd.raw_descriptor()) {
        return device.shut_down();
    }
    // SAFETY: takes numbers.
    check(unsafe { ws::shutdown(fd.socket(), how) }).map(drop)
}

/// Accepts a connection of a socket or a pipe. The new descriptor is non-blocking and not inherited.
///
/// # Safety
/// `address` is writable for `length` bytes, or both are null.
pub(crate) unsafe fn accept(
    fd: BorrowedSocket<'_>,
    address: *mut winsock::sockaddr,
    length: *mut winsock::socklen_t,
) -> Result<Socket> {
    if let Some(server) = device::find(fd.raw_descriptor()) {
        return server.accept();
    }
    // SAFETY: the caller promises valid pointers. The call opens a socket if it succeeds.
    let socket = unsafe { owned(ws::accept(fd.socket(), address.cast(), length)) }?;
    // SAFETY: the handle is open. A child that another thread starts in between inherits it.
    unsafe { SetHandleInformation(handle(socket.raw_descriptor()), HANDLE_FLAG_INHERIT, 0) };
    fd::set_nonblocking(socket.raw_descriptor(), true)?;
    Ok(socket)
}

/// Creates a pair of connected TCP sockets. `ENOSYS` for other types.
pub(crate) fn socket_pair(socket_type: i32, _: i32, nonblocking: bool) -> Result<[Socket; 2]> {
    if socket_type != ws::SOCK_STREAM {
        return Err(Errno::ENOSYS);
    }
    let local = std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into();
    let listener = blocking_socket(super::AF_INET, socket_type)?;
    super::bind(listener.as_descriptor(), &local)?;
    super::listen(listener.as_descriptor(), 1)?;
    let address = super::local_address(listener.as_descriptor())?;
    loop {
        let one = blocking_socket(super::AF_INET, socket_type)?;
        super::connect(one.as_descriptor(), &address)?;
        let mut peer = Address::unspecified();
        let other = super::accept_from(listener.as_descriptor(), &mut peer)?;
        // Another process may have connected first.
        if peer == super::local_address(one.as_descriptor())? {
            for socket in [&one, &other] {
                fd::set_nonblocking(socket.raw_descriptor(), nonblocking)?;
            }
            return Ok([one, other]);
        }
    }
}

/// Sets `IP_MULTICAST_TTL` or `IP_MULTICAST_LOOP`.
pub fn set_v4_multicast(fd: BorrowedSocket<'_>, name: c_int, value: c_int) -> Result<()> {
    let value = u8::try_from(value).map_err(|_| Errno::EINVAL)?;
    set(fd, ws::IPPROTO_IP, name, value.into())
}

/// Whether an IPv4 or IPv6 socket is a UDP socket. Other datagram sockets count as such.
pub fn is_udp(fd: BorrowedSocket<'_>) -> bool {
    protocol(fd.socket()).is_ok_and(|info| info.iSocketType == ws::SOCK_DGRAM)
}

pub fn family(fd: BorrowedSocket<'_>) -> Result<i32> {
    protocol(fd.socket()).map(|info| info.iAddressFamily)
}

/// `ENOSYS`: there are no Unix sockets.
pub fn peer_credentials(_: BorrowedSocket<'_>) -> Result<PeerCredentials> {
    Err(Errno::ENOSYS)
}

/// The system has no `TCP_USER_TIMEOUT`.
pub fn set_user_timeout(_: BorrowedSocket<'_>, _milliseconds: c_int) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// The system has no error queue.
pub fn set_recv_err(_: BorrowedSocket<'_>, _family: i32) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// How long `closesocket` waits for unsent data (`SO_LINGER`).
pub fn linger(fd: BorrowedSocket<'_>) -> Result<Option<Duration>> {
    let mut value = winsock::linger { l_onoff: 0, l_linger: 0 };
    let mut length = size_of_val(&value) as c_int;
    let at = (&raw mut value).cast();
    // SAFETY: `value` is writable for `length` bytes.
    check(unsafe {
        ws::getsockopt(fd.socket(), ws::SOL_SOCKET, ws::SO_LINGER, at, &raw mut length)
    })?;
    Ok((value.l_onoff != 0).then(|| Duration::from_secs(value.l_linger.into())))
}

/// Sets how long `closesocket` waits for unsent data (`SO_LINGER`).
pub fn set_linger(fd: BorrowedSocket<'_>, timeout: Option<Duration>) -> Result<()> {
    let seconds = timeout.unwrap_or_default().as_nanos().div_ceil(1_000_000_000);
    let value = winsock::linger {
        l_onoff: timeout.is_some().into(),
        l_linger: seconds.try_into().map_err(|_| Errno::EINVAL)?,
    };
    set_value(fd, ws::SOL_SOCKET, ws::SO_LINGER, &value)
}

/// Sets the times and the number of keepalive probes: idle, interval, count. Older systems have no options
/// for them. These have a call for both times, and a fixed number of probes.
pub fn set_probes(fd: BorrowedSocket<'_>, [idle, interval, count]: [u32; 3]) -> Result<()> {
    let number = |value: u32| c_int::try_from(value).map_err(|_| Errno::EINVAL);
    let options = [(TCP_KEEPIDLE, idle), (TCP_KEEPINTVL, interval), (TCP_KEEPCNT, count)];
    for (name, value) in options {
        if let Err(error) = set(fd, ws::IPPROTO_TCP, name, number(value)?) {
            return match (error, idle.checked_mul(1000), interval.checked_mul(1000)) {
                (Errno::EINVAL, ..) | (_, None, _) | (_, _, None) => Err(Errno::EINVAL),
                (_, Some(keepalivetime), Some(keepaliveinterval)) => {
                    let times = tcp_keepalive { onoff: 1, keepalivetime, keepaliveinterval };
                    control(fd, SIO_KEEPALIVE_VALS, &times)
                }
            };
        }
    }
    Ok(())
}

/// For datagrams, allows several sockets to have the same address (`SO_REUSEADDR`). A stream socket can
/// always be bound to an address with connections in `TIME_WAIT`. There the option would let another program
/// take the address over, so it is not set.
pub fn set_reuse_address(fd: BorrowedSocket<'_>, on: bool) -> Result<()> {
    if !is_udp(fd) {
        return Ok(());
    }
    set(fd, ws::SOL_SOCKET, ws::SO_REUSEADDR, on.into())
}

/// What [`set_reuse_address`] allows: always for streams.
pub fn reuse_address(fd: BorrowedSocket<'_>) -> Result<bool> {
    Ok(!is_udp(fd) || get(fd, ws::SOL_SOCKET, ws::SO_REUSEADDR)? != 0)
}

/// The error of a code of the resolver that `resolve.rs` does not know.
pub fn resolver_error(code: c_int) -> Errno {
    Errno::from_code(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{self, AF_INET, KeepAlive, SOCK_DGRAM, SOCK_STREAM};

    #[test]
    fn the_sockets_of_a_pair_are_connected_to_each_other() {
        let [one, other] = net::socket_pair(SOCK_STREAM, 0, [true, true]).unwrap();
        let address = net::local_address(other.as_descriptor()).unwrap();
        assert_eq!(net::peer_address(one.as_descriptor()), Ok(address));
        assert_eq!(fd::write(one.as_descriptor(), &[std::io::IoSlice::new(b"mauve")]), Ok(5));
        let mut buffer = [0; 8];
        while fd::read(other.as_descriptor(), &mut buffer) == Err(Errno::EAGAIN) {}
        assert_eq!(&buffer[..5], b"mauve");
        assert_eq!(net::socket_pair(SOCK_DGRAM, 0, [true, true]).err(), Some(Errno::ENOSYS));
    }

    #[test]
    fn options_are_set_and_returned() {
        let socket = net::socket(AF_INET, SOCK_STREAM).unwrap();
        let fd = socket.as_descriptor();
        assert_eq!((net::family(fd), net::is_udp(fd)), (Ok(AF_INET), false));
        net::set_nodelay(fd, true).unwrap();
        net::set_keepalive(fd, Some(KeepAlive::after(60))).unwrap();
        assert_eq!((net::nodelay(fd), net::keepalive(fd)), (Ok(true), Ok(true)));
        net::set_linger(fd, Some(Duration::from_millis(1500))).unwrap();
        assert_eq!(net::linger(fd), Ok(Some(Duration::from_secs(2))));
        assert_eq!(net::take_error(fd), Ok(None));
        assert_eq!(net::set_reuse_port(fd, true), Err(Errno::ENOTSUP));
    }

    #[test]
    fn a_stream_socket_does_not_share_its_address() {
        let [one, other] = [(), ()].map(|()| net::socket(AF_INET, SOCK_STREAM).unwrap());
        let any = std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into();
        net::set_reuse_address(one.as_descriptor(), true).unwrap();
        net::set_reuse_address(other.as_descriptor(), true).unwrap();
        net::bind(one.as_descriptor(), &any).unwrap();
        net::listen(one.as_descriptor(), 1).unwrap();
        let taken = net::local_address(one.as_descriptor()).unwrap();
        assert_eq!(net::bind(other.as_descriptor(), &taken), Err(Errno::EADDRINUSE));
    }
}
