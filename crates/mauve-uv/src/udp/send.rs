//! Sending.

use std::ffi::{c_int, c_uint};

use mauve_core::handle::udp::Load;
use mauve_sys::net::datagram::{MOST_SENT, Outgoing};
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use super::{address, with};
use crate::abi::callbacks::uv_udp_send_cb;
use crate::abi::*;
use crate::buffers::slices;
use crate::check;
use crate::ffi::{Ptr, code, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_send(
    request: Ptr<uv_udp_send_t>,
    udp: Ptr<uv_udp_t>,
    buffers: *const uv_buf_t,
    count: c_uint,
    raw: *const libc::sockaddr,
    callback: uv_udp_send_cb,
) -> c_int {
    const CALL: &str = "uv_udp_send";
    check::requests::begins(request, CALL);
    let Some(slices) = slices(CALL, buffers, count) else { return negative(Errno::EINVAL) };
    // SAFETY: by libuv's contract the program leaves the memory alone until the callback.
    let payload = unsafe { Payload::foreign(&slices) };
    let sent = address(raw).and_then(|to| {
        with(udp, CALL, |mut udp| {
            udp.send(request.token(), payload, to.as_ref())?;
            Ok(udp.load())
        })
    });
    if let Ok(load) = &sent {
        check::requests::began(request.address(), UV_UDP_SEND, CALL);
        request.with(|request| {
            request.r#type = UV_UDP_SEND;
            request.handle = udp.raw();
            request.cb = callback;
        });
        show(udp, load);
    }
    code(sent.map(drop))
}

/// Makes the fields of the struct that programs look at say what the engine knows.
pub(crate) fn publish(udp: *mut uv_udp_t) {
    // SAFETY: a handle that the program passed and that is not closed.
    let udp = unsafe { Ptr::new(udp) };
    show(udp, &with(udp, "uv_udp_send", |mut udp| udp.load()));
}

fn show(udp: Ptr<uv_udp_t>, load: &Load) {
    udp.with(|udp| (udp.send_queue_size, udp.send_queue_count) = (load.bytes, load.count));
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
    raw: *const libc::sockaddr,
) -> c_int {
    const CALL: &str = "uv_udp_try_send";
    let Some(slices) = slices(CALL, buffers, count) else { return negative(Errno::EINVAL) };
    number(
        address(raw).and_then(|to| with(udp, CALL, |mut udp| udp.try_send(&slices, to.as_ref()))),
    )
}

/// A count the way libuv returns it: one call takes less than 2^31 bytes or datagrams.
fn number(result: Result<usize>) -> c_int {
    result.map_or_else(negative, |count| count as c_int)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_try_send2(
    udp: Ptr<uv_udp_t>,
    count: c_uint,
    buffers: *const *const uv_buf_t,
    counts: *const c_uint,
    addresses: *const *const libc::sockaddr,
    flags: c_uint,
) -> c_int {
    if count == 0 || flags != 0 {
        return negative(Errno::EINVAL);
    }
    let entry = |at: usize| -> Result<_> {
        // SAFETY: the program vouches for `count` entries in each list.
        let (buffers, count, raw) = unsafe {
            let raw = if addresses.is_null() { std::ptr::null() } else { *addresses.add(at) };
            (*buffers.add(at), *counts.add(at), raw)
        };
        Ok((slices("uv_udp_try_send2", buffers, count).ok_or(Errno::EINVAL)?, address(raw)?))
    };
    number(with(udp, "uv_udp_try_send2", |mut udp| {
        // Nothing is sent if anything is wrong.
        for at in 0..count as usize {
            let (parts, to) = entry(at)?;
            let size = parts.iter().map(|part| part.len()).sum();
            udp.check_sendable(size, to.as_ref())?;
        }
        let mut sent = 0;
        while sent < count as usize {
            let most = MOST_SENT.min(count as usize - sent);
            let mut entries: [_; MOST_SENT] = std::array::from_fn(|_| Default::default());
            for (slot, at) in entries.iter_mut().zip(sent..sent + most) {
                *slot = entry(at)?;
            }
            let datagrams =
                entries.each_ref().map(|(parts, to)| Outgoing { parts, to: to.as_ref() });
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
