//! Multicast groups, and the other options of datagram sockets.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::AF_INET6;
use super::options::{set, set_value};
use super::{c, system};
use crate::Result;
use crate::descriptor::BorrowedSocket;

/// Whether to join or to leave a multicast group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_membership")]
pub enum Membership {
    /// Join the group.
    Join,
    /// Leave the group.
    Leave,
}

/// A multicast group on an interface. The interface is given by its address for IPv4 and by its
/// index for IPv6. The system chooses one if the address is unspecified or the index is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulticastGroup {
    /// An IPv4 group.
    V4 {
        /// The address of the group.
        group: Ipv4Addr,
        /// An address of the interface.
        interface: Ipv4Addr,
    },
    /// An IPv6 group.
    V6 {
        /// The address of the group.
        group: Ipv6Addr,
        /// The index of the interface.
        interface: u32,
    },
}

/// Joins or leaves a group.
pub fn set_membership(
    fd: BorrowedSocket<'_>,
    group: MulticastGroup,
    membership: Membership,
) -> Result<()> {
    let join = membership == Membership::Join;
    match group {
        MulticastGroup::V4 { group, interface } => {
            let name = if join { c::IP_ADD_MEMBERSHIP } else { c::IP_DROP_MEMBERSHIP };
            let request =
                c::ip_mreq { imr_multiaddr: in_addr(group), imr_interface: in_addr(interface) };
            set_value(fd, c::IPPROTO_IP, name, &request)
        }
        MulticastGroup::V6 { group, interface } => {
            let add = system::IPV6_ADD_MEMBERSHIP;
            let name = if join { add } else { system::IPV6_DROP_MEMBERSHIP };
            let request = c::ipv6_mreq {
                ipv6mr_multiaddr: c::in6_addr { s6_addr: group.octets() },
                ipv6mr_interface: interface,
            };
            set_value(fd, c::IPPROTO_IPV6, name, &request)
        }
    }
}

/// Joins or leaves a source-specific group: datagrams from `source` to `group`. `EINVAL` if the
/// families differ, `ENOSYS` where the system has no such groups.
pub fn set_source_membership(
    fd: BorrowedSocket<'_>,
    group: MulticastGroup,
    source: IpAddr,
    membership: Membership,
) -> Result<()> {
    let join = membership == Membership::Join;
    match (group, source) {
        (MulticastGroup::V4 { group, interface }, IpAddr::V4(source)) => {
            let addresses = [in_addr(group), in_addr(interface), in_addr(source)];
            system::set_source_v4(fd, addresses, join)
        }
        (MulticastGroup::V6 { group, interface }, IpAddr::V6(source)) => {
            system::set_source_v6(fd, [group, source], interface, join)
        }
        _ => Err(crate::Errno::EINVAL),
    }
}

/// The interface for outgoing multicast datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulticastInterface {
    /// The interface with this address, for IPv4.
    V4(Ipv4Addr),
    /// The interface with this index, for IPv6.
    V6(u32),
}

/// Sets the interface for outgoing multicast datagrams (`IP_MULTICAST_IF`).
pub fn set_multicast_interface(
    fd: BorrowedSocket<'_>,
    interface: MulticastInterface,
) -> Result<()> {
    match interface {
        MulticastInterface::V4(address) => {
            set_value(fd, c::IPPROTO_IP, c::IP_MULTICAST_IF, &in_addr(address))
        }
        MulticastInterface::V6(index) => {
            set_value(fd, c::IPPROTO_IPV6, c::IPV6_MULTICAST_IF, &index)
        }
    }
}

/// Sets the time to live of unicast datagrams.
pub fn set_ttl(fd: BorrowedSocket<'_>, family: i32, ttl: i32) -> Result<()> {
    if family == AF_INET6 {
        set(fd, c::IPPROTO_IPV6, c::IPV6_UNICAST_HOPS, ttl)
    } else {
        set(fd, c::IPPROTO_IP, c::IP_TTL, ttl)
    }
}

/// Sets the time to live of multicast datagrams.
pub fn set_multicast_ttl(fd: BorrowedSocket<'_>, family: i32, ttl: i32) -> Result<()> {
    multicast(fd, family, c::IP_MULTICAST_TTL, c::IPV6_MULTICAST_HOPS, ttl)
}

/// Sets whether multicast datagrams are looped back to this host.
pub fn set_multicast_loop(fd: BorrowedSocket<'_>, family: i32, on: i32) -> Result<()> {
    multicast(fd, family, c::IP_MULTICAST_LOOP, c::IPV6_MULTICAST_LOOP, on)
}

/// Allows or forbids broadcast datagrams.
pub fn set_broadcast(fd: BorrowedSocket<'_>, on: bool) -> Result<()> {
    set(fd, c::SOL_SOCKET, c::SO_BROADCAST, on.into())
}

/// Enables the error queue of the socket, and with it the report of ICMP errors (`IP_RECVERR`).
/// `ENOSYS` where the system has no error queue.
pub fn set_recv_err(fd: BorrowedSocket<'_>, family: i32) -> Result<()> {
    system::set_recv_err(fd, family)
}

/// Sets a multicast option that has different names for IPv4 and IPv6.
fn multicast(fd: BorrowedSocket<'_>, family: i32, v4: i32, v6: i32, value: i32) -> Result<()> {
    if family == AF_INET6 {
        set(fd, c::IPPROTO_IPV6, v6, value)
    } else {
        system::set_v4_multicast(fd, v4, value)
    }
}

fn in_addr(address: Ipv4Addr) -> c::in_addr {
    c::in_addr { s_addr: u32::from(address).to_be() }
}
