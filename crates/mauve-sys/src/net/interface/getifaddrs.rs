//! The network interfaces that `getifaddrs` returns.

use std::ffi::{CStr, CString, c_char, c_int};

use super::Interface;
use crate::net::{Address, system};
use crate::{Errno, Result};

/// The IPv4 and IPv6 addresses of all interfaces that are up and running.
#[doc(alias = "uv_interface_addresses")]
pub fn list() -> Result<Vec<Interface>> {
    let list = List::read()?;
    let running = list.entries().filter(|entry| is_running(entry));
    let mut interfaces: Vec<_> = running.filter_map(interface).collect();
    for entry in list.entries().filter(|entry| is_running(entry)) {
        let Some(hardware) = hardware_address(entry) else { continue };
        // SAFETY: `getifaddrs` gives every entry a name, which lives as long as the list.
        let name = unsafe { CStr::from_ptr(entry.ifa_name) }.to_bytes();
        // An alias such as `eth0:1` has the hardware address of `eth0`.
        let shares = |of: &CString| of.to_bytes().split(|byte| *byte == b':').next() == Some(name);
        for interface in interfaces.iter_mut().filter(|interface| shares(&interface.name)) {
            interface.hardware = hardware;
        }
    }
    Ok(interfaces)
}

/// The name of the interface with this index; `ENXIO` if there is none.
#[doc(alias = "uv_if_indextoname")]
pub fn name(index: u32) -> Result<CString> {
    let mut name = [0 as c_char; libc::IF_NAMESIZE];
    // SAFETY: the buffer has IF_NAMESIZE bytes, as the call requires.
    if unsafe { libc::if_indextoname(index, name.as_mut_ptr()) }.is_null() {
        return Err(Errno::last());
    }
    // SAFETY: the call has succeeded and stored a null-terminated string.
    Ok(unsafe { CStr::from_ptr(name.as_ptr()) }.to_owned())
}

/// The index of the interface with this name.
pub(super) fn index(name: &[u8]) -> Option<u32> {
    let name = CString::new(name).ok()?;
    // SAFETY: `name` is null-terminated.
    match unsafe { libc::if_nametoindex(name.as_ptr()) } {
        0 => None,
        index => Some(index),
    }
}

/// The list that `getifaddrs` returns.
struct List(*mut libc::ifaddrs);

impl List {
    fn read() -> Result<Self> {
        let mut list = std::ptr::null_mut();
        // SAFETY: the call stores a pointer in `list`. `drop` frees the list.
        if unsafe { libc::getifaddrs(&raw mut list) } != 0 {
            return Err(Errno::last());
        }
        Ok(Self(list))
    }

    fn entries(&self) -> impl Iterator<Item = &libc::ifaddrs> {
        // SAFETY: null, or an entry of the list, which lives as long as `self`.
        let entry = |pointer: *mut libc::ifaddrs| unsafe { pointer.as_ref() };
        std::iter::successors(entry(self.0), move |this| entry(this.ifa_next))
    }
}

impl Drop for List {
    fn drop(&mut self) {
        // SAFETY: `getifaddrs` has allocated the list, and it is freed once.
        unsafe { libc::freeifaddrs(self.0) };
    }
}

fn is_running(entry: &libc::ifaddrs) -> bool {
    let wanted = (libc::IFF_UP | libc::IFF_RUNNING) as u64;
    flags(entry) & wanted == wanted && !entry.ifa_addr.is_null()
}

/// The flags, whose type has another width on some systems.
#[allow(clippy::unnecessary_cast)]
fn flags(entry: &libc::ifaddrs) -> u64 {
    entry.ifa_flags as u64
}

fn family(entry: &libc::ifaddrs) -> c_int {
    // SAFETY: `is_running` has checked that it is not null. Every address begins with its family.
    c_int::from(unsafe { (*entry.ifa_addr).sa_family })
}

fn interface(entry: &libc::ifaddrs) -> Option<Interface> {
    if !matches!(family(entry), libc::AF_INET | libc::AF_INET6) {
        return None;
    }
    // SAFETY: the family is IPv4 or IPv6, and the address is as long as its family requires.
    let address = unsafe { Address::copy_from(entry.ifa_addr) }?;
    let netmask = if entry.ifa_netmask.is_null() {
        Address::unspecified()
    } else {
        // SAFETY: not null. A netmask has the family and the length of its address.
        unsafe { Address::copy_from(entry.ifa_netmask) }.unwrap_or(Address::unspecified())
    };
    Some(Interface {
        // SAFETY: `getifaddrs` gives every entry a name, which lives as long as the list.
        name: unsafe { CStr::from_ptr(entry.ifa_name) }.to_owned(),
        hardware: [0; 6],
        internal: flags(entry) & libc::IFF_LOOPBACK as u64 != 0,
        address,
        netmask,
    })
}

fn hardware_address(entry: &libc::ifaddrs) -> Option<[u8; 6]> {
    // SAFETY: `is_running` has checked that it is not null, and it is as long as its family requires.
    unsafe { system::hardware_address(entry.ifa_addr) }
}
