//! `uv_udp_recv_*`, and the receive callback.

use std::ffi::{c_int, c_uint};

use mauve_core::HandleId;
use mauve_core::handle::udp::UdpMut;
use mauve_sys::driver::Platform;
use mauve_sys::net::Address;
use mauve_sys::net::datagram::{Datagram, MAX_DATAGRAM, ReceiveBatch};
use mauve_sys::payload::MAX_BYTES;
use mauve_sys::{Errno, Result};

use super::{uv_udp_using_recvmmsg, with};
use crate::abi::callbacks::{uv_alloc_cb, uv_udp_recv_cb};
use crate::abi::*;
use crate::check;
use crate::ffi::{Ptr, code, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_recv_start(
    udp: Ptr<uv_udp_t>,
    alloc: uv_alloc_cb,
    receive: uv_udp_recv_cb,
) -> c_int {
    check::arguments::require_callback(alloc, "uv_udp_recv_start");
    check::arguments::require_callback(receive, "uv_udp_recv_start");
    if udp.is_null() || alloc.is_none() || receive.is_none() {
        return negative(Errno::EINVAL);
    }
    let started = with(udp, "uv_udp_recv_start", |mut udp| udp.start_receiving());
    if started.is_ok() {
        udp.with(|udp| (udp.alloc_cb, udp.recv_cb) = (alloc, receive));
    }
    code(started)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_udp_recv_stop(udp: Ptr<uv_udp_t>) -> c_int {
    if udp.is_zeroed() && !check::is_enabled() {
        return negative(Errno::EINVAL);
    }
    if udp.is_open() || check::is_enabled() {
        let _ = with(udp, "uv_udp_recv_stop", |mut udp| {
            udp.stop_receiving();
            Ok(())
        });
    }
    udp.with(|udp| (udp.alloc_cb, udp.recv_cb) = (None, None));
    0
}

/// The socket is readable: receives datagrams until the batch of this event ends.
///
/// The seal of the handle is checked for each datagram. A handle that a callback closes is valid
/// until its close callback, and so is its loop. A handle that a callback frees instead is
/// reported.
pub(crate) fn receive(udp: Ptr<uv_udp_t>) {
    let mut datagram = Datagram::empty();
    loop {
        let (id, loop_) = udp.identify("uv_udp_recv");
        let receiver = Receiver { udp, id, loop_ };
        let has_more = receiver.receive_next(&mut datagram)
            && receiver.with(|mut udp| udp.may_receive_more()) == Some(true);
        if !has_more {
            return;
        }
    }
}

/// A socket that receives, with its id and loop.
#[derive(Clone, Copy)]
struct Receiver {
    udp: Ptr<uv_udp_t>,
    id: HandleId,
    loop_: Ptr<uv_loop_t>,
}

impl Receiver {
    /// Calls `action` with the socket.
    #[inline(always)]
    fn with<R>(self, action: impl FnOnce(UdpMut<'_, Platform>) -> R) -> Option<R> {
        self.loop_.loop_thread_engine(|engine| engine.udp(self.id).map(action))
    }

    /// Calls the alloc callback, receives, and calls the receive callback. Returns whether there
    /// may be more datagrams.
    #[inline]
    fn receive_next(self, datagram: &mut Datagram) -> bool {
        let udp = self.udp;
        let mut buffer = uv_buf_t { base: std::ptr::null_mut(), len: 0 };
        if let Some(alloc) = udp.with(|udp| udp.alloc_cb) {
            // SAFETY: the program registered the function for this handle. No borrow is held, so
            // the callback may call any function.
            unsafe { alloc(udp.base().raw(), MAX_DATAGRAM, &raw mut buffer) };
        }
        if buffer.base.is_null() || buffer.length() == 0 {
            self.with(|mut udp| udp.end_batch());
            call_recv_cb(udp, Err(Errno::ENOBUFS), &buffer, None, 0);
            return false;
        }
        let length = buffer.length().min(MAX_BYTES);
        // SAFETY: memory that the program has just provided for this call, exclusively.
        let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.base.cast::<u8>(), length) };
        if uv_udp_using_recvmmsg(udp) != 0 {
            return self.receive_many(&buffer, bytes);
        }
        let received = self.with(|mut udp| udp.receive(bytes, datagram));
        match received.unwrap_or(Err(Errno::EBADF)) {
            Ok(()) => report_datagram(udp, datagram, &buffer, 0),
            Err(error) => {
                report_error(udp, error, &buffer);
                return false;
            }
        }
        true
    }

    /// Receives several datagrams into parts of one buffer. After the last callback the program
    /// gets the whole buffer back with `UV_UDP_MMSG_FREE`. If it stops receiving earlier, it must
    /// free the buffer itself.
    #[inline(never)] // It has a large array on its stack.
    fn receive_many(self, buffer: &uv_buf_t, bytes: &mut [u8]) -> bool {
        let udp = self.udp;
        let mut batch = ReceiveBatch::new();
        let received = self.with(|mut udp| udp.receive_many(bytes, &mut batch));
        if let Err(error) = received.unwrap_or(Err(Errno::EBADF)) {
            report_error(udp, error, buffer);
            return false;
        }
        for (at, datagram) in batch.datagrams().iter().enumerate() {
            let base = buffer.base.wrapping_add(at * MAX_DATAGRAM);
            let part = uv_buf_t::new(base, MAX_DATAGRAM);
            report_datagram(udp, datagram, &part, UV_UDP_MMSG_CHUNK);
        }
        call_recv_cb(udp, Ok(0), buffer, None, UV_UDP_MMSG_FREE);
        true
    }
}

/// Reports an error. `EAGAIN` is reported as a call without data.
fn report_error(udp: Ptr<uv_udp_t>, error: Errno, buffer: &uv_buf_t) {
    let result = if error == Errno::EAGAIN { Ok(0) } else { Err(error) };
    call_recv_cb(udp, result, buffer, None, 0);
}

fn report_datagram(udp: Ptr<uv_udp_t>, datagram: &Datagram, buffer: &uv_buf_t, flags: c_int) {
    let partial = if datagram.truncated { UV_UDP_PARTIAL } else { 0 };
    let from = Some(&datagram.from).filter(|from| !from.is_empty());
    match datagram.error {
        Some(error) => call_recv_cb(udp, Err(error), buffer, from, flags | UV_UDP_LINUX_RECVERR),
        None => {
            let from = from.or(Some(&UNNAMED));
            call_recv_cb(udp, Ok(datagram.len), buffer, from, flags | partial);
        }
    }
}

/// The sender of a datagram without an address, such as one end of a pair of Unix sockets. Only a call
/// without a datagram has no address at all.
static UNNAMED: Address = Address::unspecified();

fn call_recv_cb(
    udp: Ptr<uv_udp_t>,
    result: Result<usize>,
    buffer: &uv_buf_t,
    from: Option<&Address>,
    flags: c_int,
) {
    let count = result.map_or_else(|error| negative(error) as isize, |count| count as isize);
    let from = from.map_or(std::ptr::null(), Address::as_ptr);
    if let Some(receive) = udp.with(|udp| udp.recv_cb) {
        // SAFETY: the program registered the function for this handle. No borrow is held, so the
        // callback may call any function.
        unsafe { receive(udp.raw(), count, buffer, from, flags as c_uint) };
    }
}
