//! `uv_udp_set_*`.

use std::ffi::{c_char, c_int, c_uint};
use std::net::{IpAddr, Ipv4Addr};

use mauve_sys::net::{Membership, MulticastGroup, MulticastInterface, address, interface};
use mauve_sys::{Errno, Result};

use super::attempt;
use crate::abi::*;
use crate::ffi::{Ptr, code, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_set_membership(
    udp: Ptr<uv_udp_t>,
    group: Ptr<c_char>,
    interface: Ptr<c_char>,
    membership: c_uint,
) -> c_int {
    code(parse_group(group, interface).and_then(|group| {
        let membership = parse_membership(membership)?;
        attempt(udp, "uv_udp_set_membership", |mut udp| udp.set_membership(group, membership))
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_set_source_membership(
    udp: Ptr<uv_udp_t>,
    group: Ptr<c_char>,
    interface: Ptr<c_char>,
    source: Ptr<c_char>,
    membership: c_uint,
) -> c_int {
    code(parse_group(group, interface).and_then(|group| {
        let source = address::parse(text::borrow(&source).to_bytes()).ok_or(Errno::EINVAL)?;
        let membership = parse_membership(membership)?;
        let fits = matches!(
            (group, source),
            (MulticastGroup::V4 { .. }, IpAddr::V4(_)) | (MulticastGroup::V6 { .. }, IpAddr::V6(_))
        );
        if !fits {
            return Err(Errno::EINVAL);
        }
        attempt(udp, "uv_udp_set_source_membership", |mut udp| {
            udp.set_source_membership(group, source, membership)
        })
    }))
}

/// Parses a group and an interface. Without an interface the system chooses one.
fn parse_group(group: Ptr<c_char>, interface: Ptr<c_char>) -> Result<MulticastGroup> {
    let chosen = (!interface.is_null()).then(|| text::borrow(&interface).to_bytes());
    match address::parse(text::borrow(&group).to_bytes()).ok_or(Errno::EINVAL)? {
        IpAddr::V4(group) => {
            let interface = chosen.map_or(Some(Ipv4Addr::UNSPECIFIED), address::parse_v4);
            Ok(MulticastGroup::V4 { group, interface: interface.ok_or(Errno::EINVAL)? })
        }
        IpAddr::V6(group) => {
            if chosen.is_some_and(|chosen| address::parse_v6(chosen).is_none()) {
                return Err(Errno::EINVAL);
            }
            Ok(MulticastGroup::V6 { group, interface: chosen.map_or(0, interface::scope_id) })
        }
    }
}

fn parse_membership(membership: c_uint) -> Result<Membership> {
    match membership as c_int {
        UV_JOIN_GROUP => Ok(Membership::Join),
        UV_LEAVE_GROUP => Ok(Membership::Leave),
        _ => Err(Errno::EINVAL),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_set_multicast_interface(
    udp: Ptr<uv_udp_t>,
    interface: Ptr<c_char>,
) -> c_int {
    let parsed = (!interface.is_null()).then(|| {
        let text = text::borrow(&interface).to_bytes();
        match address::parse(text).ok_or(Errno::EINVAL)? {
            IpAddr::V4(address) => Ok(MulticastInterface::V4(address)),
            IpAddr::V6(_) => Ok(MulticastInterface::V6(interface::scope_id(text))),
        }
    });
    code(parsed.transpose().and_then(|interface| {
        attempt(udp, "uv_udp_set_multicast_interface", |mut udp| {
            udp.set_multicast_interface(interface)
        })
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_set_multicast_loop(udp: Ptr<uv_udp_t>, on: c_int) -> c_int {
    code(attempt(udp, "uv_udp_set_multicast_loop", |mut udp| udp.set_multicast_loop(on)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_set_multicast_ttl(udp: Ptr<uv_udp_t>, ttl: c_int) -> c_int {
    if !(0..=255).contains(&ttl) && udp.is_tolerated() {
        return negative(Errno::EINVAL);
    }
    code(attempt(udp, "uv_udp_set_multicast_ttl", |mut udp| udp.set_multicast_ttl(ttl)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_set_ttl(udp: Ptr<uv_udp_t>, ttl: c_int) -> c_int {
    if !(1..=255).contains(&ttl) && udp.is_tolerated() {
        return negative(Errno::EINVAL);
    }
    code(attempt(udp, "uv_udp_set_ttl", |mut udp| udp.set_ttl(ttl)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_set_broadcast(udp: Ptr<uv_udp_t>, on: c_int) -> c_int {
    code(attempt(udp, "uv_udp_set_broadcast", |mut udp| udp.set_broadcast(on != 0)))
}
