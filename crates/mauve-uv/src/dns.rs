//! `uv_getaddrinfo` and `uv_getnameinfo`.

use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

use mauve_core::pool::Lane;
use mauve_sys::net::Address;
use mauve_sys::net::resolve::{self, Hints, Query};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::{uv_getaddrinfo_cb, uv_getnameinfo_cb};
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::request;
use crate::text;

#[export]
pub extern "C" fn uv_getaddrinfo(
    of: Ptr<uv_loop_t>,
    info: Ptr<uv_getaddrinfo_t>,
    callback: uv_getaddrinfo_cb,
    node: Ptr<c_char>,
    service: Ptr<c_char>,
    hints: Ptr<libc::addrinfo>,
) -> c_int {
    if info.is_null() {
        return negative(Errno::EINVAL);
    }
    let hints = (!hints.is_null()).then(|| {
        hints.with(|hints| Hints {
            flags: hints.ai_flags,
            family: hints.ai_family,
            socktype: hints.ai_socktype,
            protocol: hints.ai_protocol,
        })
    });
    let query = match Query::new(optional(&node), optional(&service), hints) {
        Ok(query) => query,
        Err(error) => return negative(error),
    };
    check::requests::begins(info, "uv_getaddrinfo");
    info.with(|info| {
        info.r#type = UV_GETADDRINFO;
        info.r#loop = of.raw();
        info.cb = callback;
        info.query = Box::into_raw(Box::new(query));
        info.addrinfo = null_mut();
        info.status = 0;
    });
    if callback.is_none() {
        ask_addresses(info.address());
        drop(take_query(info));
        return info.with(|info| info.status);
    }
    let call = "uv_getaddrinfo";
    let submitted = request::submit(call, of, info.raw().cast(), Lane::Slow, ask_addresses);
    if submitted != 0 {
        drop(take_query(info));
    }
    submitted
}

/// A string that the program may leave out.
fn optional(text: &Ptr<c_char>) -> Option<&[u8]> {
    (!text.is_null()).then(|| text::borrow(text).to_bytes())
}

/// Asks the resolver, on a thread of the pool or on the caller's.
fn ask_addresses(address: u64) {
    let info = address as usize as *mut uv_getaddrinfo_t;
    // SAFETY: the program keeps the struct until its callback. The loop's thread may store the id
    // meanwhile, so this touches single fields and makes no reference to the whole. The query is
    // there until `take_query`, which comes later.
    unsafe {
        match (*(*info).query).resolve() {
            Ok(answer) => (*info).addrinfo = answer.into_raw(),
            Err(error) => (*info).status = negative(error),
        }
    }
}

/// The question that a request was made with; the request has it no more.
fn take_query(info: Ptr<uv_getaddrinfo_t>) -> Box<Query> {
    let query = info.with(|info| std::mem::replace(&mut info.query, null_mut()));
    // SAFETY: boxed in `uv_getaddrinfo`, and taken once: at the end of the request.
    unsafe { Box::from_raw(query) }
}

/// Reports a request that has ended, or was taken back.
pub(crate) fn complete_addresses(info: Ptr<uv_getaddrinfo_t>, result: Result<()>) {
    drop(take_query(info));
    let (callback, status, found) = info.with(|info| (info.cb, info.status, info.addrinfo));
    let status = result.map_or(negative(Errno::EAI_CANCELED), |()| status);
    if let Some(callback) = callback {
        // SAFETY: the program's own function, called with what it was given for. No borrow of
        // anything of ours is held.
        unsafe { callback(info.raw(), status, found) }
    }
}

#[export]
pub extern "C" fn uv_freeaddrinfo(list: Ptr<libc::addrinfo>) {
    // SAFETY: the program vouches for a list that it got from `uv_getaddrinfo`.
    unsafe { resolve::free_address_list(list.raw()) };
}

#[export]
pub extern "C" fn uv_getnameinfo(
    of: Ptr<uv_loop_t>,
    info: Ptr<uv_getnameinfo_t>,
    callback: uv_getnameinfo_cb,
    address: Ptr<libc::sockaddr>,
    flags: c_int,
) -> c_int {
    if info.is_null() || address.is_null() {
        return negative(Errno::EINVAL);
    }
    // SAFETY: the program vouches for an address that is as long as its family says.
    let Some(address) = (unsafe { Address::copy_ip_from(address.raw()) }) else {
        return negative(Errno::EINVAL);
    };
    check::requests::begins(info, "uv_getnameinfo");
    info.with(|info| {
        info.r#type = UV_GETNAMEINFO;
        info.r#loop = of.raw();
        info.getnameinfo_cb = callback;
        info.storage = *address.storage();
        info.flags = flags;
        info.status = 0;
    });
    if callback.is_none() {
        ask_name(info.address());
        return info.with(|info| info.status);
    }
    request::submit("uv_getnameinfo", of, info.raw().cast(), Lane::Slow, ask_name)
}

/// Asks the resolver, on a thread of the pool or on the caller's.
fn ask_name(address: u64) {
    let info = address as usize as *mut uv_getnameinfo_t;
    // SAFETY: as in `ask_addresses`; the address was checked when the request was made.
    unsafe {
        let address = Address::copy_from((&raw const (*info).storage).cast());
        let result = address.ok_or(Errno::EINVAL).and_then(|address| {
            let (host, service) = (&mut (*info).host, &mut (*info).service);
            resolve::name_info(&address, (*info).flags, host, service)
        });
        (*info).status = code(result);
    }
}

/// Reports a request that has ended, or was taken back.
pub(crate) fn complete_name(info: Ptr<uv_getnameinfo_t>, result: Result<()>) {
    let (callback, status) = info.with(|info| (info.getnameinfo_cb, info.status));
    let status = result.map_or(negative(Errno::EAI_CANCELED), |()| status);
    let (host, service) = if status == 0 {
        info.with(|info| (info.host.as_ptr(), info.service.as_ptr()))
    } else {
        (std::ptr::null(), std::ptr::null())
    };
    if let Some(callback) = callback {
        // SAFETY: the program's own function, called with what it was given for. No borrow of
        // anything of ours is held.
        unsafe { callback(info.raw(), status, host, service) }
    }
}
