//! From names to addresses and back, by the system's resolver. All of it blocks.

use std::ffi::{CStr, CString, c_char, c_int};
use std::net::SocketAddr;

use super::{Address, idna};
use crate::{Errno, Result};

/// A question to the resolver, checked and copied: it can be asked on another thread.
pub struct Query {
    host: Option<CString>,
    service: Option<CString>,
    hints: Option<Hints>,
}

/// What kind of answer is wanted. Zero means any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// `AI_*`.
    pub flags: c_int,
    /// `AF_*`.
    pub family: c_int,
    /// `SOCK_*`.
    pub socktype: c_int,
    /// `IPPROTO_*`.
    pub protocol: c_int,
}

impl Query {
    /// `EINVAL` if there is neither a host nor a service, or the name of the host is empty,
    /// malformed or too long.
    pub fn new(host: Option<&[u8]>, service: Option<&[u8]>, hints: Option<Hints>) -> Result<Self> {
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

    /// Asks, and waits for the answer.
    #[doc(alias = "uv_getaddrinfo")]
    pub fn ask(&self) -> Result<Answer> {
        let text = |text: &Option<CString>| text.as_ref().map_or(std::ptr::null(), |t| t.as_ptr());
        let hints = self.hints.map(|hints| libc::addrinfo {
            ai_flags: hints.flags,
            ai_family: hints.family,
            ai_socktype: hints.socktype,
            ai_protocol: hints.protocol,
            ai_addrlen: 0,
            ai_addr: std::ptr::null_mut(),
            ai_canonname: std::ptr::null_mut(),
            ai_next: std::ptr::null_mut(),
        });
        let hints = hints.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let mut found = std::ptr::null_mut();
        // SAFETY: null or strings that end with a zero; the list is freed by its owner.
        let code = unsafe {
            libc::getaddrinfo(text(&self.host), text(&self.service), hints, &raw mut found)
        };
        if code == 0 { Ok(Answer(found)) } else { Err(error(code)) }
    }
}

/// The resolver's list of addresses.
pub struct Answer(*mut libc::addrinfo);

// SAFETY: a list in memory of its own, which any thread may read or free.
unsafe impl Send for Answer {}

impl Answer {
    /// The internet addresses, each once.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        let mut addresses = Vec::new();
        // SAFETY: null, or an entry of the list that `self` owns.
        let entry = |pointer: *mut libc::addrinfo| unsafe { pointer.as_ref() };
        for found in std::iter::successors(entry(self.0), |this| entry(this.ai_next)) {
            // SAFETY: the resolver's addresses are as long as their family says.
            let address = unsafe { found.ai_addr.as_ref().and_then(|a| Address::copy_from(a)) };
            // An address comes once for every kind of socket that it is good for.
            if let Some(address) = address.and_then(|address| address.to_socket_addr())
                && !addresses.contains(&address)
            {
                addresses.push(address);
            }
        }
        addresses
    }

    /// Gives the list up to C, which frees it with [`free`].
    pub fn into_raw(self) -> *mut libc::addrinfo {
        std::mem::ManuallyDrop::new(self).0
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // SAFETY: made by `getaddrinfo`, and freed once.
        unsafe { free(self.0) };
    }
}

/// Frees a list of addresses. Null is none.
///
/// # Safety
/// It must come from [`Answer::into_raw`], and be used no more.
#[doc(alias = "uv_freeaddrinfo")]
pub unsafe fn free(list: *mut libc::addrinfo) {
    if !list.is_null() {
        // SAFETY: promised by the caller.
        unsafe { libc::freeaddrinfo(list) };
    }
}

/// Room for the name of any host.
pub const HOST_SIZE: usize = 1025;

/// Room for the name of any service.
pub const SERVICE_SIZE: usize = 32;

/// Asks for the names of an address and its port, as strings that end with a zero.
#[doc(alias = "uv_getnameinfo")]
pub fn name(
    address: &Address,
    flags: c_int,
    host: &mut [c_char; HOST_SIZE],
    service: &mut [c_char; SERVICE_SIZE],
) -> Result<()> {
    // SAFETY: all pointers are to memory of the size that is given.
    let code = unsafe {
        libc::getnameinfo(
            address.as_ptr(),
            address.len(),
            host.as_mut_ptr(),
            HOST_SIZE as libc::socklen_t,
            service.as_mut_ptr(),
            SERVICE_SIZE as libc::socklen_t,
            flags,
        )
    };
    if code == 0 { Ok(()) } else { Err(error(code)) }
}

/// [`name`] with owned strings: the host and the service. A host without a name is told by its
/// address, or, if a name is `required`, refused.
pub fn reverse(address: SocketAddr, required: bool) -> Result<(String, String)> {
    let (mut host, mut service) = ([0; HOST_SIZE], [0; SERVICE_SIZE]);
    let flags = if required { libc::NI_NAMEREQD } else { 0 };
    name(&address.into(), flags, &mut host, &mut service)?;
    // SAFETY: on success both hold strings that end with a zero.
    let text = |buffer: *const c_char| unsafe { CStr::from_ptr(buffer) }.to_string_lossy();
    Ok((text(host.as_ptr()).into_owned(), text(service.as_ptr()).into_owned()))
}

// Not in the C library's own header without extensions, nor in the `libc` crate.
const EAI_ADDRFAMILY: c_int = -9;
const EAI_CANCELED: c_int = -101;

fn error(code: c_int) -> Errno {
    match code {
        EAI_ADDRFAMILY => Errno::EAI_ADDRFAMILY,
        libc::EAI_AGAIN => Errno::EAI_AGAIN,
        libc::EAI_BADFLAGS => Errno::EAI_BADFLAGS,
        EAI_CANCELED => Errno::EAI_CANCELED,
        libc::EAI_FAIL => Errno::EAI_FAIL,
        libc::EAI_FAMILY => Errno::EAI_FAMILY,
        libc::EAI_MEMORY => Errno::EAI_MEMORY,
        libc::EAI_NODATA => Errno::EAI_NODATA,
        libc::EAI_NONAME => Errno::EAI_NONAME,
        libc::EAI_OVERFLOW => Errno::EAI_OVERFLOW,
        libc::EAI_SERVICE => Errno::EAI_SERVICE,
        libc::EAI_SOCKTYPE => Errno::EAI_SOCKTYPE,
        // EAI_SYSTEM: the reason is where system calls leave it.
        _ => Errno::last(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_numeric_address_resolves_to_itself_once() {
        let query = Query::new(Some(b"127.0.0.1"), Some(b"80"), None).unwrap();
        assert_eq!(query.ask().unwrap().addresses(), ["127.0.0.1:80".parse().unwrap()]);
    }

    #[test]
    fn a_question_about_nothing_is_refused() {
        assert!(matches!(Query::new(None, None, None), Err(Errno::EINVAL)));
        assert!(matches!(Query::new(Some(b""), None, None), Err(Errno::EINVAL)));
    }

    #[test]
    fn an_unknown_service_is_named_as_such() {
        let query = Query::new(None, Some(b"no-such-service"), None).unwrap();
        assert!(matches!(query.ask(), Err(Errno::EAI_SERVICE)));
    }

    #[test]
    fn a_zero_byte_cannot_cut_a_name_short() {
        assert!(matches!(Query::new(Some(b"localhost\0.evil"), None, None), Err(Errno::EINVAL)));
        assert!(matches!(Query::new(None, Some(b"80\0"), None), Err(Errno::EINVAL)));
    }
}
