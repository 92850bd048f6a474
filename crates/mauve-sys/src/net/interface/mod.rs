//! The network interfaces of this host.

use std::ffi::CString;
use std::net::SocketAddr;

use super::{Address, address};

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod windows;
        use windows as system;
    } else {
        mod getifaddrs;
        use getifaddrs as system;
    }
}

pub use system::{list, name};

/// An address of a network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interface {
    /// The name of the interface.
    pub name: CString,
    /// The hardware (MAC) address; zeros if there is none.
    pub hardware: [u8; 6],
    /// Whether it is a loopback interface.
    pub internal: bool,
    /// An IPv4 or IPv6 address.
    pub address: Address,
    /// The netmask of the address.
    pub netmask: Address,
}

/// The scope id of an IPv6 address in text form: the index of the interface that follows `%`, or
/// zero.
pub fn scope_id(text: &[u8]) -> u32 {
    let (_, zone) = address::split_zone(text);
    zone.and_then(system::index).unwrap_or(0)
}

/// Adds a scope id to an IPv6 link-local address that has none: that of the first interface with a
/// link-local address. Returns other addresses unchanged.
pub fn with_scope(address: &Address) -> Address {
    match address.to_socket_addr() {
        Some(SocketAddr::V6(mut v6)) if v6.ip().is_unicast_link_local() && v6.scope_id() == 0 => {
            let links = list().unwrap_or_default();
            let scope = links.iter().find_map(|link| match link.address.to_socket_addr() {
                Some(SocketAddr::V6(own)) if own.ip().is_unicast_link_local() => {
                    Some(own.scope_id())
                }
                _ => None,
            });
            v6.set_scope_id(scope.unwrap_or(0));
            Address::from(SocketAddr::V6(v6))
        }
        _ => *address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Errno;

    #[test]
    #[cfg_attr(windows, ignore = "a zone is a number")]
    fn the_loopback_interface_is_internal_and_has_a_name_and_an_index() {
        let interfaces = list().unwrap();
        let lo = interfaces.iter().find(|each| each.internal).expect("a loopback interface");
        let index = system::index(lo.name.to_bytes()).unwrap();
        assert_eq!(name(index).unwrap(), lo.name);
        assert!(lo.address.to_socket_addr().unwrap().ip().is_loopback());
    }

    #[test]
    fn an_unknown_index_has_no_name() {
        assert_eq!(name(u32::MAX), Err(Errno::ENXIO));
        assert_eq!(system::index(b"no-such-interface"), None);
    }
}
