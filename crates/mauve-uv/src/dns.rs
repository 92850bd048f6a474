//! `uv_getaddrinfo` and `uv_getnameinfo`.

use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

use mauve_core::pool::Lane;
use mauve_sys::fs::cancellable::with_cancellation_disabled;
use mauve_sys::net::Address;
use mauve_sys::net::resolve::{self, AddrInfoHints, Query};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::{uv_getaddrinfo_cb, uv_getnameinfo_cb};
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};
use crate::request;
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_getaddrinfo(
    loop_: Ptr<uv_loop_t>,
    info: Ptr<uv_getaddrinfo_t>,
    callback: uv_getaddrinfo_cb,
    node: Ptr<c_char>,
    service: Ptr<c_char>,
    hints: Ptr<addrinfo>,
) -> c_int {
    if info.is_null() || loop_.is_null() && callback.is_some() {
        return negative(Errno::EINVAL);
    }
    with_cancellation_disabled(|| getaddrinfo(loop_, info, callback, [node, service], hints))
}

fn getaddrinfo(
    loop_: Ptr<uv_loop_t>,
    info: Ptr<uv_getaddrinfo_t>,
    callback: uv_getaddrinfo_cb,
    [node, service]: [Ptr<c_char>; 2],
    hints: Ptr<addrinfo>,
) -> c_int {
    let hints = (!hints.is_null()).then(|| {
        hints.with(|hints| AddrInfoHints {
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
    check::requests::before_submit(info, "uv_getaddrinfo");
    info.with(|info| {
        info.r#type = UV_GETADDRINFO;
        info.r#loop = loop_.raw();
        info.cb = callback;
        info.query = Box::into_raw(Box::new(query));
        info.addrinfo = null_mut();
        info.status = 0;
    });
    if callback.is_none() {
        run_getaddrinfo(info.address());
        drop(take_query(info));
        return info.with(|info| info.status);
    }
    let call = "uv_getaddrinfo";
    let submitted = request::submit(call, loop_, info.raw().cast(), Lane::Slow, run_getaddrinfo);
    if submitted != 0 {
        drop(take_query(info));
    }
    submitted
}

/// A string that may be null.
fn optional(text: &Ptr<c_char>) -> Option<&[u8]> {
    (!text.is_null()).then(|| text::borrow(text).to_bytes())
}

/// Runs the query, on a pool thread or on the calling thread.
fn run_getaddrinfo(address: u64) {
    let info = address as usize as *mut uv_getaddrinfo_t;
    // SAFETY: the program keeps the struct until its callback. The loop thread may store the id
    // meanwhile, so this accesses single fields and creates no reference to the struct. The query
    // is valid until `take_query`, which is called later.
    unsafe {
        match (*(*info).query).resolve() {
            Ok(addresses) => (*info).addrinfo = addresses.into_raw(),
            Err(error) => (*info).status = negative(error),
        }
    }
}

/// Takes the query out of a request.
fn take_query(info: Ptr<uv_getaddrinfo_t>) -> Box<Query> {
    let query = info.with(|info| std::mem::take(&mut info.query));
    // SAFETY: boxed in `uv_getaddrinfo`, and taken once, when the request completes.
    unsafe { Box::from_raw(query) }
}

/// Calls the callback of a request that has completed or was cancelled.
pub(crate) fn complete_addresses(info: Ptr<uv_getaddrinfo_t>, result: Result<()>) {
    drop(take_query(info));
    let (callback, status, found) = info.with(|info| (info.cb, info.status, info.addrinfo));
    let status = result.map_or(negative(Errno::EAI_CANCELED), |()| status);
    if let Some(callback) = callback {
        // SAFETY: the program passed the function for this request. No borrow of library state is
        // held.
        unsafe { callback(info.raw(), status, found) }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_freeaddrinfo(list: Ptr<addrinfo>) {
    // SAFETY: the program guarantees a list from `uv_getaddrinfo`.
    unsafe { resolve::free_address_list(list.raw()) };
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_getnameinfo(
    loop_: Ptr<uv_loop_t>,
    info: Ptr<uv_getnameinfo_t>,
    callback: uv_getnameinfo_cb,
    address: Ptr<sockaddr>,
    flags: c_int,
) -> c_int {
    if info.is_null() || address.is_null() {
        return negative(Errno::EINVAL);
    }
    // SAFETY: the program guarantees a complete address of its family.
    let Some(address) = (unsafe { Address::copy_ip_from(address.raw()) }) else {
        return negative(Errno::EINVAL);
    };
    check::requests::before_submit(info, "uv_getnameinfo");
    info.with(|info| {
        info.r#type = UV_GETNAMEINFO;
        info.r#loop = loop_.raw();
        info.getnameinfo_cb = callback;
        info.storage = *address.storage();
        info.flags = flags;
        info.status = 0;
    });
    if callback.is_none() {
        run_getnameinfo(info.address());
        return info.with(|info| info.status);
    }
    request::submit("uv_getnameinfo", loop_, info.raw().cast(), Lane::Slow, run_getnameinfo)
}

/// Runs the query, on a pool thread or on the calling thread.
fn run_getnameinfo(address: u64) {
    let info = address as usize as *mut uv_getnameinfo_t;
    // SAFETY: the program keeps the struct until its callback. The loop thread may store the id
    // meanwhile, so this accesses single fields and creates no reference to the struct. The address
    // was checked when the request was submitted.
    unsafe {
        let address = Address::copy_from((&raw const (*info).storage).cast());
        let result = address.ok_or(Errno::EINVAL).and_then(|address| {
            let (host, service) = (&mut (*info).host, &mut (*info).service);
            resolve::name_info(&address, (*info).flags, host, service)
        });
        (*info).status = code(result);
    }
}

/// Calls the callback of a request that has completed or was cancelled.
pub(crate) fn complete_name(info: Ptr<uv_getnameinfo_t>, result: Result<()>) {
    let (callback, status) = info.with(|info| (info.getnameinfo_cb, info.status));
    let status = result.map_or(negative(Errno::EAI_CANCELED), |()| status);
    let (host, service) = if status == 0 {
        info.with(|info| (info.host.as_ptr(), info.service.as_ptr()))
    } else {
        (std::ptr::null(), std::ptr::null())
    };
    if let Some(callback) = callback {
        // SAFETY: the program passed the function for this request. No borrow of library state is
        // held.
        unsafe { callback(info.raw(), status, host, service) }
    }
}
