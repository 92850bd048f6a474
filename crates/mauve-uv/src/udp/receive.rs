//! Receiving.

use std::ffi::{c_int, c_uint};

use mauve_core::HandleId;
use mauve_core::handle::udp::UdpMut;
use mauve_sys::driver::Platform;
use mauve_sys::net::Address;
use mauve_sys::net::datagram::{Datagram, MAX_DATAGRAM, ReceiveBatch};
use mauve_sys::{Errno, Result};

use super::{uv_udp_using_recvmmsg, with};
use crate::abi::callbacks::{uv_alloc_cb, uv_udp_recv_cb};
use crate::abi::*;
use crate::check;
use crate::cork;
use crate::ffi::{Ptr, code, negative};

#[export]
pub extern "C" fn uv_udp_recv_start(
    udp: Ptr<uv_udp_t>,
    alloc: uv_alloc_cb,
    receive: uv_udp_recv_cb,
) -> c_int {
    check::arguments::callback(alloc, "uv_udp_recv_start");
    check::arguments::callback(receive, "uv_udp_recv_start");
    if udp.is_null() || alloc.is_none() || receive.is_none() {
        return negative(Errno::EINVAL);
    }
    let started = with(udp, "uv_udp_recv_start", |mut udp| udp.start_receiving());
    if started.is_ok() {
        udp.with(|udp| (udp.alloc_cb, udp.recv_cb) = (alloc, receive));
    }
    code(started)
}

#[export]
pub extern "C" fn uv_udp_recv_stop(udp: Ptr<uv_udp_t>) -> c_int {
    if udp.is_open() || check::on() {
        with(udp, "uv_udp_recv_stop", |mut udp| udp.stop_receiving());
    }
    udp.with(|udp| (udp.alloc_cb, udp.recv_cb) = (None, None));
    0
}

/// There is something to receive: takes it, and what comes with it in the same round.
///
/// The handle is looked at once for each datagram. One that a callback closes is still there until
/// its close callback, and so is its loop; one that a callback frees instead is named.
pub(crate) fn receive(udp: Ptr<uv_udp_t>) {
    let mut datagram = Datagram::empty();
    loop {
        let (id, of) = udp.identify("uv_udp_recv");
        let receiver = Receiver { udp, id, of };
        let goes_on = receiver.receive_next(&mut datagram)
            && receiver.with(|mut udp| udp.may_receive_more()) == Some(true);
        if !goes_on {
            return;
        }
    }
}

/// A socket about to receive.
#[derive(Clone, Copy)]
struct Receiver {
    udp: Ptr<uv_udp_t>,
    id: HandleId,
    of: Ptr<uv_loop_t>,
}

impl Receiver {
    /// Does one operation on the socket.
    #[inline(always)]
    fn with<R>(self, action: impl FnOnce(UdpMut<'_, Platform>) -> R) -> Option<R> {
        self.of.own_engine(|engine| engine.udp(self.id).map(action))
    }

    /// Gets a buffer from the program, receives, and tells. Returns whether there may be more.
    #[inline]
    fn receive_next(self, datagram: &mut Datagram) -> bool {
        let udp = self.udp;
        let mut buffer = uv_buf_t { base: std::ptr::null_mut(), len: 0 };
        cork::flush();
        if let Some(alloc) = udp.with(|udp| udp.alloc_cb) {
            // SAFETY: the program's own function, for the handle it was registered for. No borrow
            // is held: it may do anything.
            unsafe { alloc(udp.base().raw(), MAX_DATAGRAM, &raw mut buffer) };
        }
        if buffer.base.is_null() || buffer.len == 0 {
            self.with(|mut udp| udp.end_round());
            tell(udp, Err(Errno::ENOBUFS), &buffer, None, 0);
            return false;
        }
        // SAFETY: memory that the program has just provided for this, for us alone.
        let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.base.cast::<u8>(), buffer.len) };
        if uv_udp_using_recvmmsg(udp) != 0 {
            return self.receive_many(&buffer, bytes);
        }
        let received = self.with(|mut udp| udp.receive(bytes, datagram));
        match received.unwrap_or(Err(Errno::EBADF)) {
            Ok(()) => tell_datagram(udp, datagram, &buffer, 0),
            Err(error) => {
                tell_failure(udp, error, &buffer);
                return false;
            }
        }
        true
    }

    /// Receives several datagrams into parts of one buffer. The program gets the whole buffer back
    /// when all are told; if it stops receiving before that, it has to see to the buffer itself.
    #[inline(never)] // It has room for many on its stack.
    fn receive_many(self, buffer: &uv_buf_t, bytes: &mut [u8]) -> bool {
        let udp = self.udp;
        let mut batch = ReceiveBatch::new();
        let received = self.with(|mut udp| udp.receive_many(bytes, &mut batch));
        if let Err(error) = received.unwrap_or(Err(Errno::EBADF)) {
            tell_failure(udp, error, buffer);
            return false;
        }
        for (at, datagram) in batch.datagrams().iter().enumerate() {
            let base = buffer.base.wrapping_add(at * MAX_DATAGRAM);
            let part = uv_buf_t { base, len: MAX_DATAGRAM };
            tell_datagram(udp, datagram, &part, UV_UDP_MMSG_CHUNK);
        }
        tell(udp, Ok(0), buffer, None, UV_UDP_MMSG_FREE);
        true
    }
}

/// That there is nothing more is no error.
fn tell_failure(udp: Ptr<uv_udp_t>, error: Errno, buffer: &uv_buf_t) {
    let result = if error == Errno::EAGAIN { Ok(0) } else { Err(error) };
    tell(udp, result, buffer, None, 0);
}

fn tell_datagram(udp: Ptr<uv_udp_t>, datagram: &Datagram, buffer: &uv_buf_t, flags: c_int) {
    let partial = if datagram.truncated { UV_UDP_PARTIAL } else { 0 };
    let from = Some(&datagram.from).filter(|from| !from.is_empty());
    match datagram.error {
        Some(error) => tell(udp, Err(error), buffer, from, flags | UV_UDP_LINUX_RECVERR),
        None => tell(udp, Ok(datagram.len), buffer, from, flags | partial),
    }
}

fn tell(
    udp: Ptr<uv_udp_t>,
    result: Result<usize>,
    buffer: &uv_buf_t,
    from: Option<&Address>,
    flags: c_int,
) {
    let count = result.map_or_else(|error| negative(error) as isize, |count| count as isize);
    let from = from.map_or(std::ptr::null(), Address::as_ptr);
    cork::flush();
    if let Some(receive) = udp.with(|udp| udp.recv_cb) {
        // SAFETY: the program's own function, for the handle it was registered for. No borrow is
        // held: it may do anything.
        unsafe { receive(udp.raw(), count, buffer, from, flags as c_uint) };
    }
}
