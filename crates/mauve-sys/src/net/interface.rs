//! The network interfaces of this machine.

use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::net::SocketAddr;

use super::{Address, address};
use crate::{Errno, Result};

/// One address of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// What the interface is called.
    pub name: CString,
    /// Its hardware address; zeros if it has none.
    pub hardware: [u8; 6],
    /// Whether it leads back to this machine.
    pub internal: bool,
    /// An internet address of it.
    pub address: Address,
    /// Which part of the address names the network.
    pub netmask: Address,
}

/// All internet addresses of all interfaces that are up.
#[doc(alias = "uv_interface_addresses")]
pub fn all() -> Result<Vec<Interface>> {
    let list = List::read()?;
    let running = list.entries().filter(|entry| is_running(entry));
    let mut interfaces: Vec<_> = running.filter_map(interface).collect();
    for entry in list.entries().filter(|entry| is_running(entry)) {
        let Some(hardware) = hardware_address(entry) else { continue };
        // SAFETY: an entry has a name.
        let name = unsafe { CStr::from_ptr(entry.ifa_name) }.to_bytes();
        // An alias such as `eth0:1` shares the hardware of its interface.
        let shares = |of: &CString| of.to_bytes().split(|byte| *byte == b':').next() == Some(name);
        for interface in interfaces.iter_mut().filter(|interface| shares(&interface.name)) {
            interface.hardware = hardware;
        }
    }
    Ok(interfaces)
}

/// The name of the interface with this number; `ENXIO` if there is none.
#[doc(alias = "uv_if_indextoname")]
pub fn name(index: u32) -> Result<CString> {
    let mut name = [0 as c_char; libc::IF_NAMESIZE];
    // SAFETY: the buffer has the size that the call is defined with.
    if unsafe { libc::if_indextoname(index, name.as_mut_ptr()) }.is_null() {
        return Err(Errno::last());
    }
    // SAFETY: the call has stored a string.
    Ok(unsafe { CStr::from_ptr(name.as_ptr()) }.to_owned())
}

/// The number of the interface with this name.
pub fn index(name: &[u8]) -> Option<u32> {
    let name = CString::new(name).ok()?;
    // SAFETY: a string that ends with a zero.
    match unsafe { libc::if_nametoindex(name.as_ptr()) } {
        0 => None,
        index => Some(index),
    }
}

/// The number of the interface that an IPv6 address in text names as its zone; zero if none.
pub fn zone(text: &[u8]) -> u32 {
    let (_, zone) = address::split_zone(text);
    zone.and_then(index).unwrap_or(0)
}

/// What `getifaddrs` returns.
struct List(*mut libc::ifaddrs);

impl List {
    fn read() -> Result<Self> {
        let mut list = std::ptr::null_mut();
        // SAFETY: the call stores a list, which `drop` frees.
        if unsafe { libc::getifaddrs(&raw mut list) } != 0 {
            return Err(Errno::last());
        }
        Ok(Self(list))
    }

    fn entries(&self) -> impl Iterator<Item = &libc::ifaddrs> {
        // SAFETY: null, or an entry of the list that lives as long as `self`.
        let entry = |pointer: *mut libc::ifaddrs| unsafe { pointer.as_ref() };
        std::iter::successors(entry(self.0), move |this| entry(this.ifa_next))
    }
}

impl Drop for List {
    fn drop(&mut self) {
        // SAFETY: made by `getifaddrs`, and freed once.
        unsafe { libc::freeifaddrs(self.0) };
    }
}

fn is_running(entry: &libc::ifaddrs) -> bool {
    let wanted = (libc::IFF_UP | libc::IFF_RUNNING) as c_uint;
    entry.ifa_flags & wanted == wanted && !entry.ifa_addr.is_null()
}

fn family(entry: &libc::ifaddrs) -> c_int {
    // SAFETY: not null, see `is_running`; every address begins with its family.
    c_int::from(unsafe { (*entry.ifa_addr).sa_family })
}

fn interface(entry: &libc::ifaddrs) -> Option<Interface> {
    if !matches!(family(entry), libc::AF_INET | libc::AF_INET6) {
        return None;
    }
    // SAFETY: internet addresses have the lengths of their families.
    let address = unsafe { Address::copy_from(entry.ifa_addr) }?;
    let netmask = if entry.ifa_netmask.is_null() {
        Address::unspecified()
    } else {
        // SAFETY: a netmask has the family of its address.
        unsafe { Address::copy_from(entry.ifa_netmask) }.unwrap_or(Address::unspecified())
    };
    Some(Interface {
        // SAFETY: an entry has a name.
        name: unsafe { CStr::from_ptr(entry.ifa_name) }.to_owned(),
        hardware: [0; 6],
        internal: entry.ifa_flags & libc::IFF_LOOPBACK as c_uint != 0,
        address,
        netmask,
    })
}

fn hardware_address(entry: &libc::ifaddrs) -> Option<[u8; 6]> {
    if family(entry) != libc::AF_PACKET {
        return None;
    }
    // SAFETY: the family says what it is; it may stand at an odd place.
    let link = unsafe { entry.ifa_addr.cast::<libc::sockaddr_ll>().read_unaligned() };
    let [a, b, c, d, e, f, ..] = link.sll_addr;
    Some([a, b, c, d, e, f])
}

/// An internet address that can be connected to: a link-local one that does not say on which link
/// is taken to be on the first that has such addresses.
pub fn with_scope(address: &Address) -> Address {
    match address.to_socket_addr() {
        Some(SocketAddr::V6(mut v6)) if v6.ip().is_unicast_link_local() && v6.scope_id() == 0 => {
            let links = all().unwrap_or_default();
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

    #[test]
    fn the_loopback_interface_is_internal_and_has_a_name_and_a_number() {
        let all = all().unwrap();
        let lo = all.iter().find(|each| each.internal).expect("a loopback interface");
        let index = index(lo.name.to_bytes()).unwrap();
        assert_eq!(name(index).unwrap(), lo.name);
        assert!(lo.address.to_socket_addr().unwrap().ip().is_loopback());
    }

    #[test]
    fn an_unknown_number_has_no_name() {
        assert_eq!(name(u32::MAX), Err(Errno::ENXIO));
        assert_eq!(index(b"no-such-interface"), None);
    }
}
