//! Groups, and the options of datagram sockets.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::BorrowedFd;

use super::options::{set, set_value};
use super::{Address, INET6};
use crate::Result;

/// Whether to be in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// Receive what is sent to the group.
    Join,
    /// Receive it no more.
    Leave,
}

/// A multicast group on an interface. IPv4 names the interface by an address of it, IPv6 by its index.
/// If that is unspecified or zero, the kernel chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulticastGroup {
    /// An IPv4 group.
    V4 {
        /// Its address.
        group: Ipv4Addr,
        /// An address of the interface.
        interface: Ipv4Addr,
    },
    /// An IPv6 group.
    V6 {
        /// Its address.
        group: Ipv6Addr,
        /// The number of the interface.
        interface: u32,
    },
}

/// Joins a group, or leaves it.
pub fn set_membership(
    fd: BorrowedFd<'_>,
    group: MulticastGroup,
    membership: Membership,
) -> Result<()> {
    let join = membership == Membership::Join;
    match group {
        MulticastGroup::V4 { group, interface } => {
            let name = if join { libc::IP_ADD_MEMBERSHIP } else { libc::IP_DROP_MEMBERSHIP };
            let request =
                libc::ip_mreq { imr_multiaddr: in_addr(group), imr_interface: in_addr(interface) };
            set_value(fd, libc::IPPROTO_IP, name, &request)
        }
        MulticastGroup::V6 { group, interface } => {
            let name = if join { libc::IPV6_ADD_MEMBERSHIP } else { libc::IPV6_DROP_MEMBERSHIP };
            let request = libc::ipv6_mreq {
                ipv6mr_multiaddr: libc::in6_addr { s6_addr: group.octets() },
                ipv6mr_interface: interface,
            };
            set_value(fd, libc::IPPROTO_IPV6, name, &request)
        }
    }
}

/// Joins a group for what one sender sends to it, or leaves it. The sender's address is of the
/// group's family; the other one is taken for no address.
pub fn set_source_membership(
    fd: BorrowedFd<'_>,
    group: MulticastGroup,
    source: IpAddr,
    membership: Membership,
) -> Result<()> {
    let join = membership == Membership::Join;
    match (group, source) {
        (MulticastGroup::V4 { group, interface }, IpAddr::V4(source)) => {
            let add = libc::IP_ADD_SOURCE_MEMBERSHIP;
            let name = if join { add } else { libc::IP_DROP_SOURCE_MEMBERSHIP };
            let request = libc::ip_mreq_source {
                imr_multiaddr: in_addr(group),
                imr_interface: in_addr(interface),
                imr_sourceaddr: in_addr(source),
            };
            set_value(fd, libc::IPPROTO_IP, name, &request)
        }
        (MulticastGroup::V6 { group, interface }, IpAddr::V6(source)) => {
            let name = if join { MCAST_JOIN_SOURCE_GROUP } else { MCAST_LEAVE_SOURCE_GROUP };
            let storage =
                |ip: Ipv6Addr| *Address::from(std::net::SocketAddr::from((ip, 0))).storage();
            let request = GroupSource {
                interface,
                padding: 0,
                group: storage(group),
                source: storage(source),
            };
            set_value(fd, libc::IPPROTO_IPV6, name, &request)
        }
        _ => Err(crate::Errno::EINVAL),
    }
}

// Not in the `libc` crate.
const MCAST_JOIN_SOURCE_GROUP: i32 = 46;
const MCAST_LEAVE_SOURCE_GROUP: i32 = 47;

/// `struct group_source_req`.
#[repr(C)]
struct GroupSource {
    interface: u32,
    padding: u32,
    group: libc::sockaddr_storage,
    source: libc::sockaddr_storage,
}

/// The interface for outgoing multicast datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulticastInterface {
    /// An address of the interface.
    V4(Ipv4Addr),
    /// The index of the interface.
    V6(u32),
}

/// Sets the interface for outgoing multicast datagrams.
pub fn set_multicast_interface(fd: BorrowedFd<'_>, interface: MulticastInterface) -> Result<()> {
    match interface {
        MulticastInterface::V4(address) => {
            set_value(fd, libc::IPPROTO_IP, libc::IP_MULTICAST_IF, &in_addr(address))
        }
        MulticastInterface::V6(index) => {
            set_value(fd, libc::IPPROTO_IPV6, libc::IPV6_MULTICAST_IF, &index)
        }
    }
}

/// How many routers a datagram may pass.
pub fn set_ttl(fd: BorrowedFd<'_>, family: i32, ttl: i32) -> Result<()> {
    by_family(fd, family, libc::IP_TTL, libc::IPV6_UNICAST_HOPS, ttl)
}

/// How many routers a datagram to a group may pass.
pub fn set_multicast_ttl(fd: BorrowedFd<'_>, family: i32, ttl: i32) -> Result<()> {
    by_family(fd, family, libc::IP_MULTICAST_TTL, libc::IPV6_MULTICAST_HOPS, ttl)
}

/// Whether datagrams to a group come back to this machine.
pub fn set_multicast_loop(fd: BorrowedFd<'_>, family: i32, on: i32) -> Result<()> {
    by_family(fd, family, libc::IP_MULTICAST_LOOP, libc::IPV6_MULTICAST_LOOP, on)
}

/// Whether datagrams may go to everybody.
pub fn set_broadcast(fd: BorrowedFd<'_>, on: bool) -> Result<()> {
    set(fd, libc::SOL_SOCKET, libc::SO_BROADCAST, on.into())
}

/// Sets `IP_RECVERR`: the kernel queues ICMP errors, and they are reported.
pub fn set_recv_err(fd: BorrowedFd<'_>, family: i32) -> Result<()> {
    by_family(fd, family, libc::IP_RECVERR, libc::IPV6_RECVERR, 1)
}

/// Sets what IPv4 and IPv6 sockets know under different names.
fn by_family(fd: BorrowedFd<'_>, family: i32, v4: i32, v6: i32, value: i32) -> Result<()> {
    if family == INET6 {
        set(fd, libc::IPPROTO_IPV6, v6, value)
    } else {
        set(fd, libc::IPPROTO_IP, v4, value)
    }
}

fn in_addr(address: Ipv4Addr) -> libc::in_addr {
    libc::in_addr { s_addr: u32::from(address).to_be() }
}

const _: () = assert!(size_of::<GroupSource>() == 264);
