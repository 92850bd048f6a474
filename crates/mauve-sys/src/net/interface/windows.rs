//! The network interfaces that `GetAdaptersAddresses` returns.

use std::ffi::{CStr, CString};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ptr::null;

use windows_sys::Win32::Foundation::{ERROR_BUFFER_OVERFLOW, ERROR_NO_DATA, ERROR_SUCCESS};
use windows_sys::Win32::NetworkManagement::IpHelper::{
    ConvertInterfaceIndexToLuid, ConvertInterfaceLuidToNameA, GAA_FLAG_SKIP_ANYCAST,
    GAA_FLAG_SKIP_DNS_SERVER, GAA_FLAG_SKIP_MULTICAST, GetAdaptersAddresses,
    IF_TYPE_SOFTWARE_LOOPBACK, IP_ADAPTER_ADDRESSES_LH, IP_ADAPTER_UNICAST_ADDRESS_LH,
};
use windows_sys::Win32::NetworkManagement::Ndis::{
    IF_MAX_STRING_SIZE, IfOperStatusUp, NET_LUID_LH,
};
use windows_sys::Win32::Networking::WinSock::AF_UNSPEC;

use super::Interface;
use crate::net::Address;
use crate::{Errno, Result};

/// The IPv4 and IPv6 addresses of all interfaces that are up.
#[doc(alias = "uv_interface_addresses")]
pub fn list() -> Result<Vec<Interface>> {
    let buffer = read()?;
    // SAFETY: null, or an adapter of the list, which is in `buffer`.
    let adapter = |pointer: *const IP_ADAPTER_ADDRESSES_LH| unsafe { pointer.as_ref() };
    let first = if buffer.is_empty() { null() } else { buffer.as_ptr().cast() };
    let adapters = std::iter::successors(adapter(first), |this| adapter(this.Next));
    let running = adapters.filter(|adapter| adapter.OperStatus == IfOperStatusUp);
    Ok(running.flat_map(interfaces).collect())
}

/// The list of adapters. Empty if there are none.
fn read() -> Result<Vec<u64>> {
    let flags = GAA_FLAG_SKIP_ANYCAST | GAA_FLAG_SKIP_MULTICAST | GAA_FLAG_SKIP_DNS_SERVER;
    let mut size = 15 << 10;
    loop {
        let mut buffer = vec![0u64; (size as usize).div_ceil(size_of::<u64>())];
        let at = buffer.as_mut_ptr().cast();
        // SAFETY: the buffer is aligned for the adapters, and has the size that is passed.
        let code =
            unsafe { GetAdaptersAddresses(AF_UNSPEC.into(), flags, null(), at, &raw mut size) };
        match code {
            ERROR_SUCCESS => return Ok(buffer),
            ERROR_NO_DATA => return Ok(Vec::new()),
            // The call has stored the size that it needs.
            ERROR_BUFFER_OVERFLOW => {}
            code => return Err(Errno::from_code(code.cast_signed())),
        }
    }
}

/// The addresses of an adapter.
fn interfaces(adapter: &IP_ADAPTER_ADDRESSES_LH) -> Vec<Interface> {
    let hardware = match (adapter.PhysicalAddressLength, adapter.PhysicalAddress) {
        (6, [a, b, c, d, e, f, ..]) => [a, b, c, d, e, f],
        _ => [0; 6],
    };
    let name = friendly_name(adapter);
    // SAFETY: null, or an address of the list, which lives as long as the adapter.
    let unicast = |at: *const IP_ADAPTER_UNICAST_ADDRESS_LH| unsafe { at.as_ref() };
    let addresses =
        std::iter::successors(unicast(adapter.FirstUnicastAddress), |this| unicast(this.Next));
    let found = addresses.filter_map(|found| {
        // SAFETY: the address is as long as its family requires.
        let address = unsafe { Address::copy_ip_from(found.Address.lpSockaddr.cast()) }?;
        Some(Interface {
            name: name.clone(),
            hardware,
            internal: adapter.IfType == IF_TYPE_SOFTWARE_LOOPBACK,
            address,
            netmask: netmask(&address, found.OnLinkPrefixLength),
        })
    });
    found.collect()
}

fn friendly_name(adapter: &IP_ADAPTER_ADDRESSES_LH) -> CString {
    // SAFETY: the name of an adapter is a null-terminated string.
    let unit = |at: usize| unsafe { *adapter.FriendlyName.add(at) };
    let name: Vec<u16> = (0..).map(unit).take_while(|unit| *unit != 0).collect();
    CString::new(String::from_utf16_lossy(&name)).unwrap_or_default()
}

/// The netmask of an address with a prefix of `length` bits.
fn netmask(address: &Address, length: u8) -> Address {
    let ip = match address.to_socket_addr() {
        Some(SocketAddr::V4(_)) => {
            let mask = u32::MAX.checked_shl(32u32.saturating_sub(length.into())).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from(mask))
        }
        Some(SocketAddr::V6(_)) => {
            let mask = u128::MAX.checked_shl(128u32.saturating_sub(length.into())).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from(mask))
        }
        None => return Address::unspecified(),
    };
    SocketAddr::from((ip, 0)).into()
}

/// The name of the interface with this index; `ENXIO` if there is none.
#[doc(alias = "uv_if_indextoname")]
pub fn name(index: u32) -> Result<CString> {
    const SIZE: usize = IF_MAX_STRING_SIZE as usize + 1;
    // SAFETY: all bits of the union may be zero.
    let mut luid: NET_LUID_LH = unsafe { std::mem::zeroed() };
    let mut name = [0u8; SIZE];
    // SAFETY: the calls fill local variables, the second one at most the size that is passed.
    let found = unsafe {
        ConvertInterfaceIndexToLuid(index, &raw mut luid) == ERROR_SUCCESS
            && ConvertInterfaceLuidToNameA(&raw const luid, name.as_mut_ptr(), SIZE)
                == ERROR_SUCCESS
    };
    if !found {
        return Err(Errno::ENXIO);
    }
    Ok(CStr::from_bytes_until_nul(&name).unwrap_or_default().to_owned())
}

/// The index that a zone is, as a number.
pub(super) fn index(zone: &[u8]) -> Option<u32> {
    std::str::from_utf8(zone).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_host_has_a_loopback_interface() {
        let interfaces = list().unwrap();
        let lo = interfaces.iter().find(|each| each.internal).expect("a loopback interface");
        assert!(lo.address.to_socket_addr().unwrap().ip().is_loopback());
        assert!(!lo.name.is_empty());
        assert_eq!(name(u32::MAX), Err(Errno::ENXIO));
    }

    #[test]
    fn a_prefix_becomes_a_netmask() {
        let mask = |address: &str, length| {
            let address: IpAddr = address.parse().unwrap();
            let mask = netmask(&SocketAddr::from((address, 0)).into(), length);
            mask.to_socket_addr().unwrap().ip().to_string()
        };
        assert_eq!(mask("10.0.0.1", 8), "255.0.0.0");
        assert_eq!(mask("10.0.0.1", 0), "0.0.0.0");
        assert_eq!(mask("10.0.0.1", 32), "255.255.255.255");
        assert_eq!(mask("fe80::1", 64), "ffff:ffff:ffff:ffff::");
        assert_eq!(mask("::1", 128), "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    }
}
