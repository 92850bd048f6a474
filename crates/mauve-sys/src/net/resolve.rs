//! Name resolution with `getaddrinfo` and `getnameinfo`. The functions block.

use std::ffi::{CStr, CString, c_char, c_int};
use std::net::SocketAddr;

use super::{Address, c, common, idna, system};
use crate::faults::{self, Call};
use crate::{Errno, Result};

/// A validated query for `getaddrinfo`. It owns its strings, so it can be sent to another thread.
pub struct Query {
    host: Option<CString>,
    service: Option<CString>,
    hints: Option<AddrInfoHints>,
}

/// The hints of a query. Zero means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddrInfoHints {
    /// `AI_*`.
    pub flags: c_int,
    /// `AF_*`.
    pub family: c_int,
    /// `SOCK_*`.
    pub socktype: c_int,
    /// `IPPROTO_*`.
    pub protocol: c_int,
}

impl AddrInfoHints {
    fn raw(self) -> c::addrinfo {
        // SAFETY: all zeros are a valid `addrinfo`: null pointers, zero lengths.
        let mut raw: c::addrinfo = unsafe { std::mem::zeroed() };
        raw.ai_flags = self.flags;
        raw.ai_family = self.family;
        raw.ai_socktype = self.socktype;
        raw.ai_protocol = self.protocol;
        raw
    }
}

impl Query {
    /// Validates a query. `EINVAL` if there is neither a host nor a service, or the host name is
    /// empty, malformed or too long.
    pub fn new(
        host: Option<&[u8]>,
        service: Option<&[u8]>,
        hints: Option<AddrInfoHints>,
    ) -> Result<Self> {
        if host.is_none() && service.is_none() {
            return Err(Errno::EINVAL);
        }
        let text = |bytes: Vec<u8>| CString::new(bytes).map_err(|_| Errno::EINVAL);
        Ok(Self {
            host: host.map(|host| text(idna::to_ascii(host)?)).transpose()?,
            service: service.map(|service| text(service.to_vec())).transpose()?,
            hints,
        })
    }

    /// Resolves the query. Blocks.
    #[doc(alias = "uv_getaddrinfo")]
    pub fn resolve(&self) -> Result<AddressList> {
        faults::check(Call::Resolve)?;
        let text = |text: &Option<CString>| text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr());
        let hints = self.hints.map(AddrInfoHints::raw);
        let hints = hints.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let mut found = std::ptr::null_mut();
        // SAFETY: the names are null or null-terminated, the hints are null or valid. The call stores
        // a list in `found`, which `AddressList` owns.
        let code =
            unsafe { c::getaddrinfo(text(&self.host), text(&self.service), hints, &raw mut found) };
        if code == 0 { Ok(AddressList(found)) } else { Err(error(code)) }
    }
}

/// The list of addresses that `getaddrinfo` returns.
pub struct AddressList(*mut c::addrinfo);

// SAFETY: this value owns the list, and any thread may read or free it.
unsafe impl Send for AddressList {}

impl AddressList {
    /// The IPv4 and IPv6 addresses, without duplicates.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let mut addresses = Vec::new();
        // SAFETY: null, or an entry of the list that `self` owns.
        let entry = |pointer: *mut c::addrinfo| unsafe { pointer.as_ref() };
        for found in std::iter::successors(entry(self.0), |this| entry(this.ai_next)) {
            // SAFETY: an address of the list is as long as its family requires.
            let address = unsafe { found.ai_addr.as_ref().and_then(|a| Address::copy_from(a)) };
            // The list has an entry for every socket type.
            if let Some(address) = address.and_then(|address| address.to_socket_addr())
                && !addresses.contains(&address)
            {
                addresses.push(address);
            }
        }
        addresses
    }

    /// Gives up ownership of the list, which must be freed with [`free_address_list`].
    pub fn into_raw(self) -> *mut c::addrinfo {
        std::mem::ManuallyDrop::new(self).0
    }
}

impl Drop for AddressList {
    fn drop(&mut self) {
        // SAFETY: `getaddrinfo` has allocated the list, and it is freed once.
        unsafe { free_address_list(self.0) };
    }
}

/// Frees a list of addresses, which may be null.
///
/// # Safety
/// It must come from [`AddressList::into_raw`], and not be used afterwards.
#[doc(alias = "uv_freeaddrinfo")]
pub unsafe fn free_address_list(list: *mut c::addrinfo) {
    if !list.is_null() {
        // SAFETY: the caller promises that `getaddrinfo` has allocated it.
        unsafe { c::freeaddrinfo(list) };
    }
}

/// The buffer size for a host name (`NI_MAXHOST`).
#[allow(clippy::unnecessary_cast)] // The type differs between the systems.
pub const HOST_SIZE: usize = c::NI_MAXHOST as usize;

/// The buffer size for a service name (`NI_MAXSERV`).
pub const SERVICE_SIZE: usize = 32;

/// Looks up the host name of an address and the service name of its port. Stores null-terminated
/// strings.
#[doc(alias = "uv_getnameinfo")]
pub fn name_info(
    address: &Address,
    flags: c_int,
    host: &mut [c_char; HOST_SIZE],
    service: &mut [c_char; SERVICE_SIZE],
) -> Result<()> {
    // SAFETY: the address is initialised, and both buffers have the sizes that are passed.
    let code = unsafe {
        c::getnameinfo(
            address.as_ptr(),
            address.len(),
            host.as_mut_ptr(),
            HOST_SIZE as _,
            service.as_mut_ptr(),
            SERVICE_SIZE as _,
            flags,
        )
    };
    if code == 0 { Ok(()) } else { Err(error(code)) }
}

/// [`name_info`] with owned strings: the host and the service. For a host without a name it returns
/// the numeric address, or an error if a name is `required`.
pub fn reverse_lookup(address: SocketAddr, required: bool) -> Result<(String, String)> {
    let (mut host, mut service) = ([0; HOST_SIZE], [0; SERVICE_SIZE]);
    let flags = if required { c::NI_NAMEREQD as _ } else { 0 };
    name_info(&address.into(), flags, &mut host, &mut service)?;
    // SAFETY: `name_info` has stored null-terminated strings in both buffers.
    let text = |buffer: *const c_char| unsafe { CStr::from_ptr(buffer) }.to_string_lossy();
    Ok((text(host.as_ptr()).into_owned(), text(service.as_ptr()).into_owned()))
}

fn error(code: c_int) -> Errno {
    if let Some((_, error)) = system::RESOLVER_ERRORS.iter().find(|(own, _)| *own == code) {
        return *error;
    }
    match code {
        c::EAI_AGAIN => Errno::EAI_AGAIN,
        c::EAI_BADFLAGS => Errno::EAI_BADFLAGS,
        c::EAI_FAIL => Errno::EAI_FAIL,
        c::EAI_FAMILY => Errno::EAI_FAMILY,
        c::EAI_MEMORY => Errno::EAI_MEMORY,
        c::EAI_NONAME => Errno::EAI_NONAME,
        c::EAI_OVERFLOW => Errno::EAI_OVERFLOW,
        c::EAI_SERVICE => Errno::EAI_SERVICE,
        c::EAI_SOCKTYPE => Errno::EAI_SOCKTYPE,
        _ => common::resolver_error(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numeric_address_resolves_to_itself_once() {
        let query = Query::new(Some(b"127.0.0.1"), Some(b"80"), None).unwrap();
        assert_eq!(query.resolve().unwrap().addresses(), ["127.0.0.1:80".parse().unwrap()]);
    }

    #[test]
    fn an_empty_query_is_rejected() {
        assert!(matches!(Query::new(None, None, None), Err(Errno::EINVAL)));
        assert!(matches!(Query::new(Some(b""), None, None), Err(Errno::EINVAL)));
    }

    #[test]
    fn an_unknown_service_is_reported_as_eai_service() {
        let query = Query::new(None, Some(b"no-such-service"), None).unwrap();
        assert!(matches!(query.resolve(), Err(Errno::EAI_SERVICE)));
    }

    #[test]
    fn a_name_with_a_zero_byte_is_rejected() {
        assert!(matches!(Query::new(Some(b"localhost\0.evil"), None, None), Err(Errno::EINVAL)));
        assert!(matches!(Query::new(None, Some(b"80\0"), None), Err(Errno::EINVAL)));
    }
}
