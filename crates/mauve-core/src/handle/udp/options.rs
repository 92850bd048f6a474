//! Multicast groups, hop limits and other socket options.

use std::net::{IpAddr, Ipv4Addr};

use mauve_sys::driver::Driver;
use mauve_sys::net::datagram::set_gro;
use mauve_sys::net::{self, Membership, MulticastGroup, MulticastInterface};
use mauve_sys::{Errno, Result};

use super::{UdpBindFlags, UdpMut};

impl<D: Driver> UdpMut<'_, D> {
    /// Joins or leaves a multicast group. Binds a socket that has no address, with `reuse_address`.
    #[doc(alias = "uv_udp_set_membership")]
    pub fn set_membership(&mut self, group: MulticastGroup, membership: Membership) -> Result<()> {
        self.bind_for(group)?;
        net::set_membership(self.body().fd()?, group, membership)
    }

    /// Joins or leaves a multicast group, for datagrams of `source` only.
    #[doc(alias = "uv_udp_set_source_membership")]
    pub fn set_source_membership(
        &mut self,
        group: MulticastGroup,
        source: IpAddr,
        membership: Membership,
    ) -> Result<()> {
        self.bind_for(group)?;
        net::set_source_membership(self.body().fd()?, group, source, membership)
    }

    fn bind_for(&mut self, group: MulticastGroup) -> Result<()> {
        let family = match group {
            MulticastGroup::V4 { .. } => net::AF_INET,
            MulticastGroup::V6 { .. } => net::AF_INET6,
        };
        self.bind_anywhere(family, UdpBindFlags { reuse_address: true, ..Default::default() })
    }

    /// Sets the interface that sends datagrams to groups; with `None` the system chooses it.
    #[doc(alias = "uv_udp_set_multicast_interface")]
    pub fn set_multicast_interface(&mut self, interface: Option<MulticastInterface>) -> Result<()> {
        let any = match self.body().option_family {
            net::AF_INET6 => MulticastInterface::V6(0),
            _ => MulticastInterface::V4(Ipv4Addr::UNSPECIFIED),
        };
        net::set_multicast_interface(self.body().fd()?, interface.unwrap_or(any))
    }

    /// Sets whether multicast datagrams are delivered to this machine, too.
    #[doc(alias = "uv_udp_set_multicast_loop")]
    pub fn set_multicast_loop(&mut self, on: i32) -> Result<()> {
        let family = self.body().option_family;
        let on = byte(on)?;
        net::set_multicast_loop(self.body().fd()?, family, on)
    }

    /// Sets the hop limit of multicast datagrams. Zero keeps them on this machine.
    #[doc(alias = "uv_udp_set_multicast_ttl")]
    pub fn set_multicast_ttl(&mut self, ttl: i32) -> Result<()> {
        let family = self.body().option_family;
        let ttl = byte(ttl)?;
        net::set_multicast_ttl(self.body().fd()?, family, ttl)
    }

    /// Sets the hop limit, from 1 to 255.
    #[doc(alias = "uv_udp_set_ttl")]
    pub fn set_ttl(&mut self, ttl: i32) -> Result<()> {
        if !(1..=255).contains(&ttl) {
            return Err(Errno::EINVAL);
        }
        let family = self.body().option_family;
        net::set_ttl(self.body().fd()?, family, ttl)
    }

    /// Sets whether broadcasts may be sent.
    #[doc(alias = "uv_udp_set_broadcast")]
    pub fn set_broadcast(&mut self, on: bool) -> Result<()> {
        net::set_broadcast(self.body().fd()?, on)
    }

    /// Sets whether datagrams of one sender may be coalesced (`UDP_GRO`).
    pub fn set_receive_offload(&mut self, on: bool) -> Result<()> {
        set_gro(self.body().fd()?, on)?;
        self.body().coalesces = on;
        Ok(())
    }
}

/// Checks that a value fits into a byte, which is what the system takes.
fn byte(value: i32) -> Result<i32> {
    u8::try_from(value).map(i32::from).map_err(|_| Errno::EINVAL)
}
