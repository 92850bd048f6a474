//! Socket addresses of any family.

use std::mem::{MaybeUninit, offset_of};
use std::net::SocketAddr;

use crate::{Errno, Result};

/// A socket address as the system takes it.
#[derive(Clone, Copy)]
pub struct Address {
    storage: libc::sockaddr_storage,
    length: libc::socklen_t,
}

impl Address {
    /// Room for the system to fill.
    pub(super) fn empty() -> Self {
        // SAFETY: an address of all zeroes is one of no family.
        let storage = unsafe { MaybeUninit::<libc::sockaddr_storage>::zeroed().assume_init() };
        Self { storage, length: size_of::<libc::sockaddr_storage>() as libc::socklen_t }
    }

    /// Copies an internet address that C passed. `EINVAL` for any other family.
    ///
    /// # Safety
    /// `address` points to a socket address of the size that belongs to its family.
    pub unsafe fn from_raw(address: *const libc::sockaddr) -> Result<Self> {
        // SAFETY: every address begins with its family.
        let length = match i32::from(unsafe { (*address).sa_family }) {
            libc::AF_INET => size_of::<libc::sockaddr_in>(),
            libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
            _ => return Err(Errno::EINVAL),
        };
        let mut copy = Self::empty();
        copy.length = length as libc::socklen_t;
        // SAFETY: the caller vouches for so many bytes, and the storage has room for them.
        unsafe {
            std::ptr::copy_nonoverlapping(
                address.cast::<u8>(),
                (&raw mut copy.storage).cast(),
                length,
            );
        }
        Ok(copy)
    }

    /// The address of a local socket: a path, an abstract name that begins with a zero byte, or,
    /// if `name` is empty, the request for an abstract name of the system's choice. `EINVAL` if
    /// it is too long.
    pub fn local(name: &[u8]) -> Result<Self> {
        let mut address = Self::empty();
        let room = size_of::<libc::sockaddr_un>() - offset_of!(libc::sockaddr_un, sun_path);
        if name.len() > room {
            return Err(Errno::EINVAL);
        }
        address.storage.ss_family = libc::AF_UNIX as libc::sa_family_t;
        // A path has its terminating zero in the length, if there is room for it.
        let terminator = usize::from(name.first().is_some_and(|first| *first != 0));
        let length = (offset_of!(libc::sockaddr_un, sun_path) + name.len() + terminator)
            .min(size_of::<libc::sockaddr_un>());
        address.length = length as libc::socklen_t;
        // SAFETY: the name fits behind the family, inside of the storage.
        unsafe {
            let path =
                (&raw mut address.storage).cast::<u8>().add(offset_of!(libc::sockaddr_un, sun_path));
            std::ptr::copy_nonoverlapping(name.as_ptr(), path, name.len());
        }
        Ok(address)
    }

    /// The name of a local socket; empty for one without.
    pub fn local_name(&self) -> Vec<u8> {
        let begin = offset_of!(libc::sockaddr_un, sun_path);
        let bytes = self.bytes();
        let name = bytes.get(begin..).unwrap_or_default();
        match name.first() {
            None => Vec::new(),
            Some(0) => name.to_vec(),
            Some(_) => name.iter().copied().take_while(|byte| *byte != 0).collect(),
        }
    }

    /// `AF_INET`, `AF_INET6`, `AF_UNIX`, ...
    pub fn family(&self) -> i32 {
        self.storage.ss_family.into()
    }

    /// The address as bytes, for copying it to C.
    pub fn bytes(&self) -> &[u8] {
        let length = (self.length as usize).min(size_of::<libc::sockaddr_storage>());
        // SAFETY: the storage is initialised, all of it.
        unsafe { std::slice::from_raw_parts((&raw const self.storage).cast(), length) }
    }

    /// An internet address in Rust's terms.
    pub fn to_socket(&self) -> Option<SocketAddr> {
        match self.family() {
            libc::AF_INET => {
                // SAFETY: the family says that this is a sockaddr_in.
                let address = unsafe { *(&raw const self.storage).cast::<libc::sockaddr_in>() };
                let ip = u32::from_be(address.sin_addr.s_addr);
                Some(SocketAddr::new(
                    std::net::Ipv4Addr::from(ip).into(),
                    u16::from_be(address.sin_port),
                ))
            }
            libc::AF_INET6 => {
                // SAFETY: the family says that this is a sockaddr_in6.
                let address = unsafe { *(&raw const self.storage).cast::<libc::sockaddr_in6>() };
                Some(SocketAddr::V6(std::net::SocketAddrV6::new(
                    address.sin6_addr.s6_addr.into(),
                    u16::from_be(address.sin6_port),
                    address.sin6_flowinfo,
                    address.sin6_scope_id,
                )))
            }
            _ => None,
        }
    }

    pub(super) fn as_ptr(&self) -> *const libc::sockaddr {
        (&raw const self.storage).cast()
    }

    pub(super) fn len(&self) -> libc::socklen_t {
        self.length
    }

    /// Where the system writes an address and its length.
    pub(super) fn as_out(&mut self) -> (*mut libc::sockaddr, *mut libc::socklen_t) {
        ((&raw mut self.storage).cast(), &raw mut self.length)
    }
}

impl From<SocketAddr> for Address {
    fn from(socket: SocketAddr) -> Self {
        let mut address = Self::empty();
        match socket {
            SocketAddr::V4(v4) => {
                address.length = size_of::<libc::sockaddr_in>() as libc::socklen_t;
                let raw = libc::sockaddr_in {
                    sin_family: libc::AF_INET as libc::sa_family_t,
                    sin_port: v4.port().to_be(),
                    sin_addr: libc::in_addr { s_addr: u32::from(*v4.ip()).to_be() },
                    sin_zero: [0; 8],
                };
                // SAFETY: the storage is larger than, and aligned for, every kind of address.
                unsafe { (&raw mut address.storage).cast::<libc::sockaddr_in>().write(raw) };
            }
            SocketAddr::V6(v6) => {
                address.length = size_of::<libc::sockaddr_in6>() as libc::socklen_t;
                let raw = libc::sockaddr_in6 {
                    sin6_family: libc::AF_INET6 as libc::sa_family_t,
                    sin6_port: v6.port().to_be(),
                    sin6_flowinfo: v6.flowinfo(),
                    sin6_addr: libc::in6_addr { s6_addr: v6.ip().octets() },
                    sin6_scope_id: v6.scope_id(),
                };
                // SAFETY: as above.
                unsafe { (&raw mut address.storage).cast::<libc::sockaddr_in6>().write(raw) };
            }
        }
        address
    }
}
