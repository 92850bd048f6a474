//! Sockets on Linux.

use std::ffi::c_int;
use std::os::fd::BorrowedFd;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::SocketAddr;

pub(crate) use super::accept4::*;
pub use super::cmsg_cloexec::*;
pub use super::source_groups::*;
use super::{AF_INET6, PeerCredentials, get, set};
use crate::{Errno, Result};

pub const IPV6_ADD_MEMBERSHIP: c_int = libc::IPV6_ADD_MEMBERSHIP;
pub const IPV6_DROP_MEMBERSHIP: c_int = libc::IPV6_DROP_MEMBERSHIP;

/// Shares an address with other sockets.
pub const REUSE_PORT: Option<c_int> = Some(libc::SO_REUSEPORT);

/// The options for the times and the number of keepalive probes: idle, interval, count.
pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPIDLE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

/// The type of `IP_MULTICAST_TTL` and `IP_MULTICAST_LOOP`. The value is checked by the system.
pub fn set_v4_multicast(fd: BorrowedFd<'_>, name: c_int, value: c_int) -> Result<()> {
    set(fd, libc::IPPROTO_IP, name, value)
}

/// Whether an IPv4 or IPv6 socket is a UDP socket.
pub fn is_udp(fd: BorrowedFd<'_>) -> bool {
    get(fd, libc::SOL_SOCKET, libc::SO_PROTOCOL) == Ok(libc::IPPROTO_UDP)
}

pub fn family(fd: BorrowedFd<'_>) -> Result<i32> {
    get(fd, libc::SOL_SOCKET, libc::SO_DOMAIN)
}

pub fn peer_credentials(fd: BorrowedFd<'_>) -> Result<PeerCredentials> {
    let peer = rustix::net::sockopt::socket_peercred(fd)?;
    let pid = peer.pid.as_raw_nonzero().get();
    Ok(PeerCredentials { pid, uid: peer.uid.as_raw(), gid: peer.gid.as_raw() })
}

pub fn set_user_timeout(fd: BorrowedFd<'_>, milliseconds: c_int) -> Result<()> {
    set(fd, libc::IPPROTO_TCP, libc::TCP_USER_TIMEOUT, milliseconds)
}

pub fn set_recv_err(fd: BorrowedFd<'_>, family: i32) -> Result<()> {
    if family == AF_INET6 {
        set(fd, libc::IPPROTO_IPV6, libc::IPV6_RECVERR, 1)
    } else {
        set(fd, libc::IPPROTO_IP, libc::IP_RECVERR, 1)
    }
}

/// The hardware address of an interface, if `address` is one.
///
/// # Safety
/// `address` points to a socket address that is as long as its family requires.
pub unsafe fn hardware_address(address: *const libc::sockaddr) -> Option<[u8; 6]> {
    // SAFETY: every address begins with its family.
    if c_int::from(unsafe { (*address).sa_family }) != libc::AF_PACKET {
        return None;
    }
    // SAFETY: the family is AF_PACKET, so it is a sockaddr_ll, which need not be aligned.
    let link = unsafe { address.cast::<libc::sockaddr_ll>().read_unaligned() };
    let [a, b, c, d, e, f, ..] = link.sll_addr;
    Some([a, b, c, d, e, f])
}

/// Errors of `getaddrinfo` that not all systems have. glibc declares some only with extensions, and the
/// `libc` crate does not.
pub const RESOLVER_ERRORS: &[(i32, Errno)] = &[
    (-9, Errno::EAI_ADDRFAMILY),
    (-101, Errno::EAI_CANCELED),
    (libc::EAI_NODATA, Errno::EAI_NODATA),
];

/// Whether Unix sockets may have abstract names.
pub const ABSTRACT_NAMES: bool = true;

/// The address of a Unix socket with an abstract name.
pub fn abstract_address(name: &[u8]) -> std::io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}
