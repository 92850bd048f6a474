//! Socket addresses: the system's representation, parsing and formatting.

use std::ffi::c_int;
use std::fmt;
use std::mem::{MaybeUninit, offset_of};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use super::{c, system};
use crate::{Errno, Result};

/// A socket address of any family, as system calls use it (`sockaddr_storage` and its length).
#[derive(Clone, Copy)]
pub struct Address {
    storage: c::sockaddr_storage,
    length: c::socklen_t,
}

impl Address {
    /// The size of the largest address.
    const CAPACITY: usize = size_of::<c::sockaddr_storage>();

    /// An address without a family (`AF_UNSPEC`), for a system call to fill.
    pub const fn unspecified() -> Self {
        // SAFETY: all zeros are a valid `sockaddr_storage`.
        let storage = unsafe { MaybeUninit::<c::sockaddr_storage>::zeroed().assume_init() };
        let length = offset_of!(c::sockaddr, sa_family) + size_of::<c::sa_family_t>();
        Self { storage, length: length as c::socklen_t }
    }

    /// Copies an address from C. Its family determines its length. `None` for a family other than
    /// IPv4, IPv6 and Unix.
    ///
    /// # Safety
    /// `address` must point to a socket address that is as long as its family requires.
    #[inline]
    pub unsafe fn copy_from(address: *const c::sockaddr) -> Option<Self> {
        let mut copy = Self::unspecified();
        // SAFETY: the caller promises a complete address.
        unsafe { copy.assign_from(address) }.then_some(copy)
    }

    /// Like [`copy_from`](Self::copy_from), but overwrites `self`. Returns false and changes nothing
    /// if the family is not known.
    ///
    /// # Safety
    /// `address` must point to a socket address that is as long as its family requires.
    #[inline]
    pub unsafe fn assign_from(&mut self, address: *const c::sockaddr) -> bool {
        // SAFETY: every address begins with its family, and the caller promises as many bytes as the
        // family requires.
        unsafe {
            match c_int::from((*address).sa_family) {
                c::AF_INET => self.assign::<c::sockaddr_in>(address),
                c::AF_INET6 => self.assign::<c::sockaddr_in6>(address),
                c::AF_UNIX => self.assign::<c::sockaddr_un>(address),
                _ => return false,
            }
        }
        true
    }

    /// Copies an address of type `T`, whose size is a constant for the compiler.
    ///
    /// # Safety
    /// `address` must point to a `T`, which need not be aligned.
    #[inline]
    unsafe fn assign<T>(&mut self, address: *const c::sockaddr) {
        const { assert!(size_of::<T>() <= Self::CAPACITY) };
        // SAFETY: the caller promises a `T` at `address`, and it fits into the storage.
        unsafe {
            let to = (&raw mut self.storage).cast::<u8>();
            to.copy_from_nonoverlapping(address.cast::<u8>(), size_of::<T>());
        }
        self.length = size_of::<T>() as c::socklen_t;
    }

    /// Like [`copy_from`](Self::copy_from), but only for IPv4 and IPv6. Of an address of another
    /// family only the family is read, so it may be incomplete.
    ///
    /// # Safety
    /// `address` must point to a family. If that is IPv4 or IPv6, the address must be as long as the
    /// family requires.
    #[inline]
    pub unsafe fn copy_ip_from(address: *const c::sockaddr) -> Option<Self> {
        // SAFETY: the caller promises that there is a family at `address`.
        let family = c_int::from(unsafe { (*address).sa_family });
        let is_ip = family == c::AF_INET || family == c::AF_INET6;
        // SAFETY: the family is IPv4 or IPv6, for which the caller promises a complete address.
        is_ip.then(|| unsafe { Self::copy_from(address) }).flatten()
    }

    /// The address of a Unix socket: a path, or an abstract name that begins with a zero byte. If
    /// `name` is empty, `bind` chooses an abstract name. `EINVAL` if it is too long,
    /// `ENOSYS` for an abstract name where the system has none.
    pub fn unix(name: &[u8]) -> Result<Self> {
        const PATH_OFFSET: usize = offset_of!(c::sockaddr_un, sun_path);
        if name.len() > size_of::<c::sockaddr_un>() - PATH_OFFSET {
            return Err(Errno::EINVAL);
        }
        if name.first() == Some(&0) && !system::ABSTRACT_NAMES {
            return Err(Errno::ENOSYS);
        }
        let mut address = Self::unspecified();
        address.storage.ss_family = c::AF_UNIX as c::sa_family_t;
        // The length of a path includes the null terminator, if it fits.
        let is_path = name.first().is_some_and(|first| *first != 0);
        let length = PATH_OFFSET + name.len() + usize::from(is_path);
        address.length = length.min(size_of::<c::sockaddr_un>()) as c::socklen_t;
        // SAFETY: the length was checked, so the name fits into the storage at this offset.
        unsafe {
            let path = (&raw mut address.storage).cast::<u8>().add(PATH_OFFSET);
            path.copy_from_nonoverlapping(name.as_ptr(), name.len());
        }
        Ok(address)
    }

    /// The path or abstract name of a Unix socket; empty for an unnamed one.
    pub fn unix_name(&self) -> &[u8] {
        let name = self.as_bytes().get(offset_of!(c::sockaddr_un, sun_path)..);
        let name = name.unwrap_or_default();
        match name.iter().position(|byte| *byte == 0) {
            // An abstract name begins with a zero byte, and may contain further ones.
            Some(end) if end > 0 || !system::ABSTRACT_NAMES => &name[..end],
            _ => name,
        }
    }

    /// Calls `fill` with a pointer to the storage and to its capacity, to store an address and its
    /// length there.
    pub(crate) fn fill_with<R>(
        &mut self,
        fill: impl FnOnce(*mut c::sockaddr, &mut c::socklen_t) -> R,
    ) -> R {
        self.length = Self::CAPACITY as c::socklen_t;
        let result = fill((&raw mut self.storage).cast(), &mut self.length);
        self.length = self.length.min(Self::CAPACITY as c::socklen_t);
        result
    }

    /// A pointer to the address, for system calls.
    pub fn as_ptr(&self) -> *const c::sockaddr {
        (&raw const self.storage).cast()
    }

    /// The address as a `sockaddr_storage`.
    pub fn storage(&self) -> &c::sockaddr_storage {
        &self.storage
    }

    /// The length of the address in bytes.
    pub(crate) fn len(&self) -> c::socklen_t {
        self.length
    }

    /// Whether the length is zero: the peer has no address.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The bytes of the address.
    pub fn as_bytes(&self) -> &[u8] {
        // SAFETY: `length` is at most the size of the storage, all of which is initialised.
        unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), self.length as usize) }
    }

    /// The address family: `AF_INET`, `AF_INET6`, ...
    pub fn family(&self) -> c_int {
        c_int::from(self.storage.ss_family)
    }

    /// The address, if it is an IPv4 or IPv6 address.
    pub fn to_socket_addr(&self) -> Option<SocketAddr> {
        match self.family() {
            c::AF_INET => {
                // SAFETY: the family is AF_INET, and the storage is large enough and aligned.
                let v4 = unsafe { &*self.as_ptr().cast::<c::sockaddr_in>() };
                let ip = Ipv4Addr::from(u32::from_be(v4.sin_addr.s_addr));
                Some(SocketAddrV4::new(ip, u16::from_be(v4.sin_port)).into())
            }
            c::AF_INET6 => {
                // SAFETY: the family is AF_INET6, and the storage is large enough and aligned.
                let v6 = unsafe { &*self.as_ptr().cast::<c::sockaddr_in6>() };
                let ip = Ipv6Addr::from(v6.sin6_addr.s6_addr);
                let port = u16::from_be(v6.sin6_port);
                let flow = u32::from_be(v6.sin6_flowinfo);
                Some(SocketAddrV6::new(ip, port, flow, v6.sin6_scope_id).into())
            }
            _ => None,
        }
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        let mut this = Self::unspecified();
        let storage = &raw mut this.storage;
        match address {
            SocketAddr::V4(v4) => {
                // SAFETY: the storage is large enough and aligned for a `sockaddr_in`.
                unsafe { storage.cast::<c::sockaddr_in>().write(sockaddr_in(v4)) };
                this.length = size_of::<c::sockaddr_in>() as c::socklen_t;
            }
            SocketAddr::V6(v6) => {
                // SAFETY: the storage is large enough and aligned for a `sockaddr_in6`.
                unsafe { storage.cast::<c::sockaddr_in6>().write(sockaddr_in6(v6)) };
                this.length = size_of::<c::sockaddr_in6>() as c::socklen_t;
            }
        }
        this
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_socket_addr() {
            Some(address) => address.fmt(f),
            None => write!(f, "Address(family {}, {} bytes)", self.family(), self.length),
        }
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Address {}

/// Converts an IPv4 address for C.
pub fn sockaddr_in(address: SocketAddrV4) -> c::sockaddr_in {
    // SAFETY: all zeros are a valid `sockaddr_in`. Some systems have a length in it, which they ignore.
    let mut raw: c::sockaddr_in = unsafe { std::mem::zeroed() };
    raw.sin_family = c::AF_INET as c::sa_family_t;
    raw.sin_port = address.port().to_be();
    raw.sin_addr = c::in_addr { s_addr: u32::from(*address.ip()).to_be() };
    raw
}

/// Converts an IPv6 address for C.
pub fn sockaddr_in6(address: SocketAddrV6) -> c::sockaddr_in6 {
    // SAFETY: all zeros are a valid `sockaddr_in6`. Some systems have a length in it, which they
    // ignore.
    let mut raw: c::sockaddr_in6 = unsafe { std::mem::zeroed() };
    raw.sin6_family = c::AF_INET6 as c::sa_family_t;
    raw.sin6_port = address.port().to_be();
    raw.sin6_flowinfo = address.flowinfo().to_be();
    raw.sin6_addr = c::in6_addr { s6_addr: address.ip().octets() };
    raw.sin6_scope_id = address.scope_id();
    raw
}

/// Parses an IPv4 address: four decimal numbers, none with a leading zero.
#[doc(alias = "uv_ip4_addr")]
pub fn parse_v4(text: &[u8]) -> Option<Ipv4Addr> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Parses an IPv6 address. Ignores a zone that follows after `%`.
#[doc(alias = "uv_ip6_addr")]
pub fn parse_v6(text: &[u8]) -> Option<Ipv6Addr> {
    let (address, _) = split_zone(text);
    std::str::from_utf8(address).ok()?.parse().ok()
}

/// Parses an IPv4 or IPv6 address.
pub fn parse(text: &[u8]) -> Option<IpAddr> {
    parse_v4(text).map(IpAddr::V4).or_else(|| parse_v6(text).map(IpAddr::V6))
}

/// Splits an IPv6 address and its zone at the first `%`.
pub(super) fn split_zone(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == b'%') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// Formats an address as libuv does. This differs from the standard library for IPv4-compatible
/// IPv6 addresses, which are written as `::1.2.3.4`.
#[doc(alias = "uv_ip_name")]
pub fn format(address: IpAddr) -> String {
    match address {
        IpAddr::V6(v6) if v6.segments()[..6] == [0; 6] && v6.segments()[6] != 0 => {
            let [.., a, b, c, d] = v6.octets();
            format!("::{}", Ipv4Addr::new(a, b, c, d))
        }
        address => address.to_string(),
    }
}

// `sockaddr::sa_family` can be read from an address of any family.
const _: () =
    assert!(offset_of!(c::sockaddr_storage, ss_family) == offset_of!(c::sockaddr, sa_family));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_converted_to_sockaddr_and_back() {
        for text in ["127.0.0.1:80", "[2001:db8::7]:65535", "[fe80::1%3]:0"] {
            let address: SocketAddr = text.parse().unwrap();
            assert_eq!(Address::from(address).to_socket_addr(), Some(address));
            // SAFETY: `Address::from` has made a complete address.
            let copy = unsafe { Address::copy_from(Address::from(address).as_ptr()) };
            assert_eq!(copy, Some(Address::from(address)));
        }
        assert_eq!(Address::unspecified().to_socket_addr(), None);
    }

    #[test]
    fn a_zone_is_ignored_and_an_empty_address_before_it_is_invalid() {
        assert_eq!(parse_v6(b"::1%lo"), Some(Ipv6Addr::LOCALHOST));
        assert_eq!(parse_v6(b"%lo"), None);
        assert_eq!(split_zone(b"fe80::1%a%b"), (&b"fe80::1"[..], Some(&b"a%b"[..])));
    }

    #[test]
    fn text_longer_than_any_address_is_rejected_and_not_truncated() {
        let longest = "0000:0000:0000:0000:0000:0000:255.255.255.255";
        assert!(parse_v6(longest.as_bytes()).is_some());
        assert!(parse_v6(format!("{longest}1").as_bytes()).is_none());
        assert!(parse_v6(format!("{longest}1%lo").as_bytes()).is_none());
    }

    #[test]
    fn ipv4_compatible_addresses_are_formatted_with_dotted_decimals() {
        let text = |text: &str| format(text.parse().unwrap());
        assert_eq!(text("::102:304"), "::1.2.3.4");
        assert_eq!(text("::ffff:102:304"), "::ffff:1.2.3.4");
        assert_eq!(text("::2"), "::2");
        assert_eq!(text("64:ff9b::102:304"), "64:ff9b::102:304");
    }
}
