//! `uv_udp_send`, `uv_udp_try_send` and `uv_udp_try_send2`.

use std::ffi::{c_int, c_uint};

use mauve_sys::net::Address;
use mauve_sys::net::datagram::{MAX_SEND_BATCH, Transmit};
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use super::{address, address_in, with};
use crate::abi::callbacks::uv_udp_send_cb;
use crate::abi::*;
use crate::buffers::{Buffers, slices};
use crate::check;
use crate::ffi::{Ptr, code, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_send(
    request: Ptr<uv_udp_send_t>,
    udp: Ptr<uv_udp_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    raw: *const sockaddr,
    callback: uv_udp_send_cb,
) -> c_int {
    const CALL: &str = "uv_udp_send";
    check::requests::before_submit(request, CALL);
    let Some(slices) = slices(CALL, buffers, count) else { return refused(udp, CALL, raw) };
    // SAFETY: by libuv's contract the program does not modify or free the memory before the
    // callback.
    let keep = || unsafe { Payload::foreign(&slices) };
    let mut storage = Address::unspecified();
    let sent = address_in(raw, &mut storage).and_then(|to| {
        with(udp, CALL, |mut udp| udp.send_or_keep(request.token(), &slices, to, keep))
    });
    let load = match sent {
        Ok(load) => load,
        Err(error) => return negative(error),
    };
    check::requests::on_submit(request.address(), UV_UDP_SEND, CALL);
    request.with(|request| {
        request.r#type = UV_UDP_SEND;
        request.handle = udp.raw();
        request.cb = callback;
    });
    udp.with(|udp| (udp.send_queue_size, udp.send_queue_count) = (load.bytes, load.count));
    0
}

/// A datagram was sent, or has failed: calls the send callback.
#[inline(never)] // Keeps the caller small.
pub(crate) fn on_sent(request: Ptr<uv_udp_send_t>, result: Result<()>, size: usize) {
    let (udp, callback) = request.with(|request| (request.handle, request.cb));
    // SAFETY: a handle that the program passed, and whose close callback has not run.
    let udp = unsafe { Ptr::new(udp) };
    // A handle that was freed instead is reported, and not written to.
    udp.identify("uv_udp_send");
    udp.with(|udp| {
        udp.send_queue_size = udp.send_queue_size.wrapping_sub(size);
        udp.send_queue_count = udp.send_queue_count.wrapping_sub(1);
    });
    if let Some(callback) = callback {
        // SAFETY: the program passed the function for this request. No borrow is held, so the
        // callback may call any function.
        unsafe { callback(request.raw(), code(result)) }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_get_send_queue_size(udp: Ptr<uv_udp_t>) -> usize {
    udp.with(|udp| udp.send_queue_size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_get_send_queue_count(udp: Ptr<uv_udp_t>) -> usize {
    udp.with(|udp| udp.send_queue_count)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_try_send(
    udp: Ptr<uv_udp_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    raw: *const sockaddr,
) -> c_int {
    const CALL: &str = "uv_udp_try_send";
    let Some(slices) = slices(CALL, buffers, count) else { return refused(udp, CALL, raw) };
    let mut storage = Address::unspecified();
    number(
        address_in(raw, &mut storage)
            .and_then(|to| with(udp, CALL, |mut udp| udp.try_send(&slices, to))),
    )
}

/// The error of a datagram with wrong buffers. Errors of the address have precedence, as in libuv.
#[cold]
fn refused(udp: Ptr<uv_udp_t>, call: &str, raw: *const sockaddr) -> c_int {
    if udp.is_tolerated() {
        return negative(Errno::EINVAL);
    }
    let to = address(raw);
    let sendable = to.and_then(|to| with(udp, call, |mut udp| udp.check_sendable(0, to.as_ref())));
    negative(sendable.err().unwrap_or(Errno::EINVAL))
}

/// A count as libuv returns it: one call sends less than 2^31 bytes or datagrams.
fn number(result: Result<usize>) -> c_int {
    result.map_or_else(negative, |count| count as c_int)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_try_send2(
    udp: Ptr<uv_udp_t>,
    count: c_uint,
    buffers: *const *const uv_buf_t,
    counts: *const c_uint,
    addresses: *const *const sockaddr,
    flags: c_uint,
) -> c_int {
    if count == 0 || flags != 0 {
        return negative(Errno::EINVAL);
    }
    let entry = |at: usize| -> Result<_> {
        // SAFETY: the program guarantees `count` entries in each list.
        let (buffers, count, raw) = unsafe {
            let raw = if addresses.is_null() { std::ptr::null() } else { *addresses.add(at) };
            (*buffers.add(at), *counts.add(at), raw)
        };
        Ok((slices("uv_udp_try_send2", buffers, count).ok_or(Errno::EINVAL)?, address(raw)?))
    };
    number(with(udp, "uv_udp_try_send2", |mut udp| {
        // Nothing is sent if an argument is invalid.
        for at in 0..count as usize {
            let (parts, to) = entry(at)?;
            let size = parts.iter().map(|part| part.len()).sum();
            udp.check_sendable(size, to.as_ref())?;
        }
        let mut sent = 0;
        while sent < count as usize {
            let most = MAX_SEND_BATCH.min(count as usize - sent);
            let mut entries = [const { (Buffers::NONE, None) }; MAX_SEND_BATCH];
            for (slot, at) in entries.iter_mut().zip(sent..sent + most) {
                *slot = entry(at)?;
            }
            let mut datagrams = [Transmit { parts: &[], to: None }; MAX_SEND_BATCH];
            for (datagram, (parts, to)) in datagrams.iter_mut().zip(&entries) {
                *datagram = Transmit { parts, to: to.as_ref() };
            }
            match udp.try_send_many(&datagrams[..most]) {
                Ok(now) if now == most => sent += now,
                Ok(now) => return Ok(sent + now),
                Err(error) if sent == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok(sent)
    }))
}
