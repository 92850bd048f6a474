//! Source-specific multicast groups, as on Linux, Apple's systems and FreeBSD.

use std::net::Ipv6Addr;

use crate::Result;
use crate::descriptor::BorrowedSocket;
use crate::net::{Address, c, set_value};

/// Joins or leaves an IPv4 group for the datagrams of one source.
pub fn set_source_v4(
    fd: BorrowedSocket<'_>,
    [group, interface, source]: [c::in_addr; 3],
    join: bool,
) -> Result<()> {
    let add = c::IP_ADD_SOURCE_MEMBERSHIP;
    let name = if join { add } else { c::IP_DROP_SOURCE_MEMBERSHIP };
    let request = c::ip_mreq_source {
        imr_multiaddr: group,
        imr_interface: interface,
        imr_sourceaddr: source,
    };
    set_value(fd, c::IPPROTO_IP, name, &request)
}

/// Joins or leaves an IPv6 group for the datagrams of one source.
pub fn set_source_v6(
    fd: BorrowedSocket<'_>,
    [group, source]: [Ipv6Addr; 2],
    interface: u32,
    join: bool,
) -> Result<()> {
    let add = c::MCAST_JOIN_SOURCE_GROUP;
    let name = if join { add } else { c::MCAST_LEAVE_SOURCE_GROUP };
    let storage = |ip: Ipv6Addr| *Address::from(std::net::SocketAddr::from((ip, 0))).storage();
    // SAFETY: all bits of the struct may be zero. Some systems pad it, and the kernel copies the padding.
    let mut request: c::group_source_req = unsafe { std::mem::zeroed() };
    request.gsr_interface = interface;
    request.gsr_group = storage(group);
    request.gsr_source = storage(source);
    set_value(fd, c::IPPROTO_IPV6, name, &request)
}
