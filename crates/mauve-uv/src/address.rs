//! Conversion of addresses to and from text, and network interfaces.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddrV4, SocketAddrV6};

use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::net::address::{self, sockaddr_in, sockaddr_in6};
use mauve_sys::net::{self, Address, interface};
use mauve_sys::{Errno, Result};

use crate::abi::*;
use crate::allocator;
use crate::ffi::{Ptr, code, negative};
use crate::{system, text};

#[unsafe(no_mangle)]
pub extern "C" fn uv_ip4_addr(text: Ptr<c_char>, port: c_int, out: Ptr<sockaddr_in>) -> c_int {
    let ip = address::parse_v4(text::borrow(&text).to_bytes());
    // Also written for an invalid address, as unspecified. The port is truncated to 16 bits.
    out.write(sockaddr_in(SocketAddrV4::new(ip.unwrap_or(Ipv4Addr::UNSPECIFIED), port as u16)));
    code(ip.ok_or(Errno::EINVAL).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_ip6_addr(text: Ptr<c_char>, port: c_int, out: Ptr<sockaddr_in6>) -> c_int {
    let text = text::borrow(&text).to_bytes();
    let ip = address::parse_v6(text);
    let address = ip.unwrap_or(Ipv6Addr::UNSPECIFIED);
    let scope = interface::scope_id(text);
    out.write(sockaddr_in6(SocketAddrV6::new(address, port as u16, 0, scope)));
    code(ip.ok_or(Errno::EINVAL).map(drop))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_ip4_name(from: Ptr<sockaddr_in>, to: Ptr<c_char>, size: usize) -> c_int {
    let address = from.with(|from| from.sin_addr);
    store(Ok(v4(address)), to, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_ip6_name(from: Ptr<sockaddr_in6>, to: Ptr<c_char>, size: usize) -> c_int {
    let address = from.with(|from| from.sin6_addr);
    store(Ok(v6(address)), to, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_ip_name(from: Ptr<sockaddr>, to: Ptr<c_char>, size: usize) -> c_int {
    assert!(!from.is_null(), "mauve: a null pointer where libuv allows none");
    // SAFETY: the program guarantees a complete address of its family.
    let address = unsafe { Address::copy_ip_from(from.raw()) };
    let address = address.and_then(|address| address.to_socket_addr());
    store(address.map(|address| address.ip()).ok_or(Errno::EAFNOSUPPORT), to, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_inet_ntop(
    family: c_int,
    from: Ptr<c_void>,
    to: Ptr<c_char>,
    size: usize,
) -> c_int {
    // SAFETY, for both: the program guarantees an address of this family, possibly unaligned.
    let address = match family {
        // SAFETY: see above.
        net::AF_INET => Ok(v4(unsafe { from.raw().cast::<in_addr>().read_unaligned() })),
        // SAFETY: see above.
        net::AF_INET6 => Ok(v6(unsafe { from.raw().cast::<in6_addr>().read_unaligned() })),
        _ => Err(Errno::EAFNOSUPPORT),
    };
    store(address, to, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_inet_pton(family: c_int, text: Ptr<c_char>, out: Ptr<c_void>) -> c_int {
    if text.is_null() || out.is_null() {
        return negative(Errno::EINVAL);
    }
    let text = text::borrow(&text).to_bytes();
    // SAFETY, for both: the program guarantees space for an address of this family.
    let stored = match family {
        net::AF_INET => address::parse_v4(text)
            // SAFETY: see above.
            .map(|ip| unsafe { out.raw().cast::<[u8; 4]>().write(ip.octets()) }),
        net::AF_INET6 => address::parse_v6(text)
            // SAFETY: see above.
            .map(|ip| unsafe { out.raw().cast::<[u8; 16]>().write(ip.octets()) }),
        _ => return negative(Errno::EAFNOSUPPORT),
    };
    code(stored.ok_or(Errno::EINVAL))
}

fn v4(address: in_addr) -> IpAddr {
    Ipv4Addr::from(u32::from_be(address.s_addr)).into()
}

fn v6(address: in6_addr) -> IpAddr {
    Ipv6Addr::from(address.s6_addr).into()
}

/// Stores the text of an address; `ENOSPC` if it does not fit.
fn store(address: Result<IpAddr>, to: Ptr<c_char>, size: usize) -> c_int {
    code(address.and_then(|address| {
        let text = address::format(address);
        if text.len() >= size {
            return Err(Errno::ENOSPC);
        }
        text::copy(text.as_bytes(), to, size);
        Ok(())
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_if_indextoname(index: c_uint, buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::return_string(buffer, size, || interface::name(index).map(|name| name.into_bytes()))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_if_indextoiid(index: c_uint, buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::return_string(buffer, size, || system::interface_id(index))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_interface_addresses(
    list: Ptr<*mut uv_interface_address_t>,
    count: Ptr<c_int>,
) -> c_int {
    list.write(std::ptr::null_mut());
    count.write(0);
    let interfaces = match with_cancellation_disabled(interface::list) {
        Ok(interfaces) => interfaces,
        Err(error) => return negative(error),
    };
    let names: Vec<&[u8]> = interfaces.iter().map(|each| each.name.to_bytes()).collect();
    let header = size_of::<uv_interface_address_t>() * interfaces.len();
    let Some((memory, names)) = text::allocate_block(header, &names) else {
        return negative(Errno::ENOMEM);
    };
    let array = memory.cast::<uv_interface_address_t>();
    for (position, (interface, name)) in interfaces.iter().zip(names).enumerate() {
        let entry = uv_interface_address_t {
            name,
            phys_addr: interface.hardware.map(|byte| byte as c_char),
            is_internal: c_int::from(interface.internal),
            address: internet_address(&interface.address),
            netmask: internet_address(&interface.netmask),
        };
        // SAFETY: the block starts with space for one struct per interface.
        unsafe { array.add(position).write(entry) };
    }
    list.write(array);
    count.write(interfaces.len() as c_int);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_free_interface_addresses(list: Ptr<uv_interface_address_t>, _count: c_int) {
    allocator::release(list.raw().cast());
}

fn internet_address(address: &Address) -> uv_internet_address_t {
    // SAFETY: an address has space for the larger variant, and all its bytes are initialised.
    unsafe { address.as_ptr().cast::<uv_internet_address_t>().read() }
}
