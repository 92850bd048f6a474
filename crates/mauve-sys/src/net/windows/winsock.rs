//! The functions, types and constants of Winsock, with the names and the shape that they have in POSIX. So the
//! files about options, addresses and datagrams are the same on all systems.
//!
//! A function that fails returns -1, and [`Errno::last`](crate::Errno::last) has the error.

#![allow(non_camel_case_types, missing_docs)]

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Once;

use windows_sys::Win32::Networking::WinSock as ws;
pub use windows_sys::Win32::Networking::WinSock::{
    GROUP_SOURCE_REQ as group_source_req_raw, IP_ADD_MEMBERSHIP, IP_ADD_SOURCE_MEMBERSHIP,
    IP_DROP_MEMBERSHIP, IP_DROP_SOURCE_MEMBERSHIP, IP_MULTICAST_IF, IP_MULTICAST_LOOP,
    IP_MULTICAST_TTL, IP_TTL, IPPROTO_IP, IPPROTO_IPV6, IPPROTO_TCP, IPV6_MULTICAST_HOPS,
    IPV6_MULTICAST_IF, IPV6_MULTICAST_LOOP, IPV6_UNICAST_HOPS, IPV6_V6ONLY, SO_BROADCAST, SO_ERROR,
    SO_KEEPALIVE, SO_RCVBUF, SO_SNDBUF, SOCK_DGRAM, SOCK_STREAM, SOL_SOCKET, TCP_NODELAY,
};

use crate::descriptor::RawDescriptor;
use crate::fs::path;

pub type sa_family_t = u16;
pub type socklen_t = c_int;

pub const AF_INET: c_int = ws::AF_INET as c_int;
pub const AF_INET6: c_int = ws::AF_INET6 as c_int;
pub const AF_UNIX: c_int = ws::AF_UNIX as c_int;
pub const SO_LINGER: c_int = ws::SO_LINGER;
pub const SHUT_RD: c_int = ws::SD_RECEIVE;
pub const SHUT_WR: c_int = ws::SD_SEND;
pub const SHUT_RDWR: c_int = ws::SD_BOTH;
pub const MSG_PEEK: c_int = ws::MSG_PEEK;
pub const MSG_TRUNC: c_int = ws::MSG_TRUNC as c_int;
/// No flag: all sockets of the engine are non-blocking.
pub const MSG_DONTWAIT: c_int = 0;
pub const MCAST_JOIN_SOURCE_GROUP: c_int = ws::MCAST_JOIN_SOURCE_GROUP as c_int;
pub const MCAST_LEAVE_SOURCE_GROUP: c_int = ws::MCAST_LEAVE_SOURCE_GROUP as c_int;

pub const EAI_AGAIN: c_int = ws::WSATRY_AGAIN;
pub const EAI_BADFLAGS: c_int = ws::WSAEINVAL;
pub const EAI_FAIL: c_int = ws::WSANO_RECOVERY;
pub const EAI_FAMILY: c_int = ws::WSAEAFNOSUPPORT;
pub const EAI_MEMORY: c_int = ws::WSA_NOT_ENOUGH_MEMORY;
pub const EAI_NONAME: c_int = ws::WSAHOST_NOT_FOUND;
/// Never returned.
pub const EAI_OVERFLOW: c_int = -1;
pub const EAI_SERVICE: c_int = ws::WSATYPE_NOT_FOUND;
pub const EAI_SOCKTYPE: c_int = ws::WSAESOCKTNOSUPPORT;
pub const NI_MAXHOST: u32 = ws::NI_MAXHOST;
pub const NI_NAMEREQD: u32 = ws::NI_NAMEREQD;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sockaddr {
    pub sa_family: sa_family_t,
    pub sa_data: [u8; 14],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct in_addr {
    pub s_addr: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sockaddr_in {
    pub sin_family: sa_family_t,
    pub sin_port: u16,
    pub sin_addr: in_addr,
    pub sin_zero: [u8; 8],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct in6_addr {
    pub s6_addr: [u8; 16],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sockaddr_in6 {
    pub sin6_family: sa_family_t,
    pub sin6_port: u16,
    pub sin6_flowinfo: u32,
    pub sin6_addr: in6_addr,
    pub sin6_scope_id: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sockaddr_un {
    pub sun_family: sa_family_t,
    pub sun_path: [c_char; 108],
}

/// As long as `SOCKADDR_STORAGE`.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct sockaddr_storage {
    pub ss_family: sa_family_t,
    pub padding: [u8; 126],
}

const _: () = {
    assert!(size_of::<sockaddr>() == size_of::<ws::SOCKADDR>());
    assert!(size_of::<sockaddr_in>() == size_of::<ws::SOCKADDR_IN>());
    assert!(size_of::<sockaddr_in6>() == size_of::<ws::SOCKADDR_IN6>());
    assert!(size_of::<sockaddr_un>() == size_of::<ws::SOCKADDR_UN>());
    assert!(size_of::<sockaddr_storage>() == size_of::<ws::SOCKADDR_STORAGE>());
    assert!(size_of::<group_source_req>() == size_of::<group_source_req_raw>());
    assert!(size_of::<iovec>() == size_of::<ws::WSABUF>());
    assert!(size_of::<addrinfo>() == size_of::<ws::ADDRINFOA>());
};

#[repr(C)]
pub struct linger {
    pub l_onoff: u16,
    pub l_linger: u16,
}

#[repr(C)]
pub struct ip_mreq {
    pub imr_multiaddr: in_addr,
    pub imr_interface: in_addr,
}

#[repr(C)]
pub struct ip_mreq_source {
    pub imr_multiaddr: in_addr,
    pub imr_sourceaddr: in_addr,
    pub imr_interface: in_addr,
}

#[repr(C)]
pub struct ipv6_mreq {
    pub ipv6mr_multiaddr: in6_addr,
    pub ipv6mr_interface: u32,
}

#[repr(C)]
pub struct group_source_req {
    pub gsr_interface: u32,
    pub gsr_group: sockaddr_storage,
    pub gsr_source: sockaddr_storage,
}

/// `WSABUF`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct iovec {
    pub iov_len: u32,
    pub iov_base: *mut c_void,
}

/// What `recvmsg` and `sendmsg` below use of it.
#[repr(C)]
pub struct msghdr {
    pub msg_name: *mut c_void,
    pub msg_namelen: socklen_t,
    pub msg_iov: *mut iovec,
    pub msg_iovlen: u32,
    pub msg_control: *mut c_void,
    pub msg_controllen: usize,
    pub msg_flags: c_int,
}

#[repr(C)]
pub struct addrinfo {
    pub ai_flags: c_int,
    pub ai_family: c_int,
    pub ai_socktype: c_int,
    pub ai_protocol: c_int,
    pub ai_addrlen: usize,
    pub ai_canonname: *mut c_char,
    pub ai_addr: *mut sockaddr,
    pub ai_next: *mut addrinfo,
}

/// Starts Winsock, which a process has to do before its other functions. It is never stopped.
pub fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // SAFETY: all bits of the struct may be zero.
        let mut data: ws::WSADATA = unsafe { std::mem::zeroed() };
        // SAFETY: stores the description of the implementation in a local variable. If it fails, so do
        // the other functions.
        unsafe { ws::WSAStartup(0x0202, &raw mut data) };
    });
}

/// # Safety
/// `address` is readable for `length` bytes.
pub unsafe fn bind(fd: RawDescriptor, address: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: the caller promises a valid address.
    unsafe { ws::bind(fd, address.cast(), length) }
}

/// # Safety
/// `address` is readable for `length` bytes.
pub unsafe fn connect(fd: RawDescriptor, address: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: the caller promises a valid address.
    unsafe { ws::connect(fd, address.cast(), length) }
}

/// # Safety
/// `address` is writable for `length` bytes.
pub unsafe fn getsockname(
    fd: RawDescriptor,
    address: *mut sockaddr,
    length: &mut socklen_t,
) -> c_int {
    // SAFETY: the caller promises room for an address.
    unsafe { ws::getsockname(fd, address.cast(), length) }
}

/// # Safety
/// `address` is writable for `length` bytes.
pub unsafe fn getpeername(
    fd: RawDescriptor,
    address: *mut sockaddr,
    length: &mut socklen_t,
) -> c_int {
    // SAFETY: the caller promises room for an address.
    unsafe { ws::getpeername(fd, address.cast(), length) }
}

/// # Safety
/// `value` is writable for `length` bytes.
pub unsafe fn getsockopt(
    fd: RawDescriptor,
    level: c_int,
    name: c_int,
    value: *mut c_void,
    length: *mut socklen_t,
) -> c_int {
    // SAFETY: the caller promises room for the value.
    unsafe { ws::getsockopt(fd, level, name, value.cast(), length) }
}

/// # Safety
/// `value` is readable for `length` bytes.
pub unsafe fn setsockopt(
    fd: RawDescriptor,
    level: c_int,
    name: c_int,
    value: *const c_void,
    length: socklen_t,
) -> c_int {
    // SAFETY: the caller promises a value.
    unsafe { ws::setsockopt(fd, level, name, value.cast(), length) }
}

/// # Safety
/// The bytes and the address are readable.
pub unsafe fn sendto(
    fd: RawDescriptor,
    bytes: *const c_void,
    size: usize,
    flags: c_int,
    name: *const sockaddr,
    length: socklen_t,
) -> isize {
    // A datagram cannot be as large.
    let size = size.min(c_int::MAX as usize) as c_int;
    // SAFETY: the caller promises readable memory.
    unsafe { ws::sendto(fd, bytes.cast(), size, flags, name.cast(), length) as isize }
}

/// # Safety
/// The pointers of the header are valid, and what they point to is readable.
pub unsafe fn sendmsg(fd: RawDescriptor, header: *const msghdr, flags: c_int) -> isize {
    // SAFETY: the caller promises a valid header.
    let header = unsafe { &*header };
    let mut sent = 0;
    // SAFETY: the caller promises readable buffers and a readable address. `iovec` is `WSABUF`.
    let result = unsafe {
        ws::WSASendTo(
            fd,
            header.msg_iov.cast(),
            header.msg_iovlen,
            &raw mut sent,
            flags as u32,
            header.msg_name.cast(),
            header.msg_namelen,
            null_mut(),
            None,
        )
    };
    if result == 0 { sent as isize } else { -1 }
}

/// A datagram that does not fit is truncated, as in POSIX. Winsock calls that an error.
///
/// # Safety
/// The pointers of the header are valid, and what they point to is writable.
pub unsafe fn recvmsg(fd: RawDescriptor, header: *mut msghdr, flags: c_int) -> isize {
    // SAFETY: the caller promises a valid header.
    let header = unsafe { &mut *header };
    let (mut received, mut flags) = (0, flags as u32);
    let named = !header.msg_name.is_null();
    // SAFETY: the caller promises writable buffers, and room for an address if there is a pointer to it.
    // `iovec` is `WSABUF`.
    let result = unsafe {
        ws::WSARecvFrom(
            fd,
            header.msg_iov.cast(),
            header.msg_iovlen,
            &raw mut received,
            &raw mut flags,
            header.msg_name.cast(),
            if named { &raw mut header.msg_namelen } else { null_mut() },
            null_mut(),
            None,
        )
    };
    header.msg_flags = 0;
    if result == 0 {
        return received as isize;
    }
    // SAFETY: takes no arguments.
    if unsafe { ws::WSAGetLastError() } != ws::WSAEMSGSIZE {
        return -1;
    }
    header.msg_flags = MSG_TRUNC;
    // SAFETY: the caller promises that many buffers.
    let buffers = unsafe { std::slice::from_raw_parts(header.msg_iov, header.msg_iovlen as usize) };
    buffers.iter().map(|buffer| buffer.iov_len as isize).sum()
}

/// # Safety
/// The names are null or C strings, the hints null or valid, and `found` is writable.
pub unsafe fn getaddrinfo(
    host: *const c_char,
    service: *const c_char,
    hints: *const addrinfo,
    found: *mut *mut addrinfo,
) -> c_int {
    start();
    // SAFETY: the caller promises valid arguments. `addrinfo` is `ADDRINFOA`.
    unsafe { ws::getaddrinfo(host.cast(), service.cast(), hints.cast(), found.cast()) }
}

/// # Safety
/// The list comes from [`getaddrinfo`], and is not used afterwards.
pub unsafe fn freeaddrinfo(list: *mut addrinfo) {
    // SAFETY: the caller promises a list of `getaddrinfo`.
    unsafe { ws::freeaddrinfo(list.cast()) };
}

/// # Safety
/// The address is readable, and both buffers are writable, with these sizes.
pub unsafe fn getnameinfo(
    address: *const sockaddr,
    length: socklen_t,
    host: *mut c_char,
    host_size: u32,
    service: *mut c_char,
    service_size: u32,
    flags: c_int,
) -> c_int {
    start();
    let size = |size: u32| vec![0u16; size as usize];
    let (mut wide_host, mut wide_service) = (size(host_size), size(service_size));
    // SAFETY: the caller promises a valid address. Both buffers have the sizes that are passed.
    let code = unsafe {
        let (name, port) = (wide_host.as_mut_ptr(), wide_service.as_mut_ptr());
        // Not the function for bytes, whose text is in the code page of the system.
        ws::GetNameInfoW(address.cast(), length, name, host_size, port, service_size, flags)
    };
    if code != 0 {
        return code;
    }
    for (wide, to, size) in [(wide_host, host, host_size), (wide_service, service, service_size)] {
        let text = wide.split(|unit| *unit == 0).next().unwrap_or_default();
        let mut text = path::from_wide(text);
        text.truncate(size.saturating_sub(1) as usize);
        text.push(0);
        // SAFETY: the caller promises that many writable bytes.
        unsafe { to.cast::<u8>().copy_from(text.as_ptr(), text.len()) };
    }
    0
}
