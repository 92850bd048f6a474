//! Source-specific multicast groups, as on Linux, Apple's systems and FreeBSD.

use std::net::Ipv6Addr;
use std::os::fd::BorrowedFd;

use crate::Result;
use crate::net::{Address, set_value};

/// Joins or leaves an IPv4 group for the datagrams of one source.
pub fn set_source_v4(
    fd: BorrowedFd<'_>,
    [group, interface, source]: [libc::in_addr; 3],
    join: bool,
) -> Result<()> {
    let add = libc::IP_ADD_SOURCE_MEMBERSHIP;
    let name = if join { add } else { libc::IP_DROP_SOURCE_MEMBERSHIP };
    let request = libc::ip_mreq_source {
        imr_multiaddr: group,
        imr_interface: interface,
        imr_sourceaddr: source,
    };
    set_value(fd, libc::IPPROTO_IP, name, &request)
}

/// Joins or leaves an IPv6 group for the datagrams of one source.
pub fn set_source_v6(
    fd: BorrowedFd<'_>,
    [group, source]: [Ipv6Addr; 2],
    interface: u32,
    join: bool,
) -> Result<()> {
    let add = libc::MCAST_JOIN_SOURCE_GROUP;
    let name = if join { add } else { libc::MCAST_LEAVE_SOURCE_GROUP };
    let storage = |ip: Ipv6Addr| *Address::from(std::net::SocketAddr::from((ip, 0))).storage();
    // SAFETY: all bits of the struct may be zero. Some systems pad it, and the kernel copies the padding.
    let mut request: libc::group_source_req = unsafe { std::mem::zeroed() };
    request.gsr_interface = interface;
    request.gsr_group = storage(group);
    request.gsr_source = storage(source);
    set_value(fd, libc::IPPROTO_IPV6, name, &request)
}
