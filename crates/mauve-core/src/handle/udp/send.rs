//! Sending.

use mauve_sys::descriptor::{AsDescriptor, BorrowedSocket};
use std::io::IoSlice;

use mauve_sys::driver::Driver;
use mauve_sys::net::Address;
use mauve_sys::net::datagram::{self, SendOffload, Transmit};
use mauve_sys::payload::{self, Payload, Slices};
use mauve_sys::{Errno, Result};

use super::{SendQueue, Udp, UdpBindFlags, UdpMut};
use crate::Engine;
use crate::arena::{Arena, List};
use crate::completion::Completion;
use crate::id::Token;
use crate::phase::Deferred;
use crate::slab::{Entry, Life};

/// A datagram that is not sent, or not reported.
pub(crate) struct SendRequest {
    token: Token,
    size: usize,
    /// The bytes, while it is queued.
    payload: Payload,
    /// The destination, while it is queued. `None` on a connected socket.
    to: Option<Address>,
    result: Result<()>,
}

impl SendRequest {
    pub fn token(&self) -> Token {
        self.token
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Drops payload and destination. Returns the token, the result and the size.
    #[inline]
    fn end(&mut self) -> (Token, Result<()>, usize) {
        self.payload.clear();
        self.to = None;
        (self.token, self.result, self.size)
    }
}

/// The most pieces of a datagram that are sent from a small array, and that the system takes.
const FEW: usize = 8;
const MAX_PIECES: usize = 1024;

/// How many datagrams are sent ahead after a queue that gathered only one.
const AHEAD_AFTER_ONE: u8 = 100;

/// The most queued datagrams that one system call sends, and the most pieces of them.
const GATHER: usize = datagram::MAX_SEND_BATCH;
const GATHERED_PIECES: usize = 2 * GATHER;

impl Udp {
    /// Whether a datagram may be sent although earlier ones are not reported. Counts it.
    fn may_send_ahead(&mut self) -> bool {
        match &mut self.ahead {
            Some(left) if *left > 0 && self.queued.is_empty() => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }
}

impl<D: Driver> UdpMut<'_, D> {
    /// Sends `payload`: at once if all earlier sends are reported and it does not block, otherwise when
    /// the socket is writable. [`Completion::Sent`] reports the end. Binds a socket that has no address.
    ///
    /// `EISCONN` if there is an address and the socket is connected, `EDESTADDRREQ` if neither.
    #[doc(alias = "uv_udp_send")]
    pub fn send(&mut self, token: Token, payload: Payload, to: Option<&Address>) -> Result<()> {
        let size = payload.len();
        let sent = if self.may_send_now(size, to)? {
            match self.send_fault() {
                Some(fault) => fault,
                None => send_one(self.body().fd()?, &payload, to),
            }
        } else {
            Err(Errno::EAGAIN)
        };
        self.note_sent(token, size, to, sent, || payload);
        Ok(())
    }

    /// As [`send`](Self::send), for borrowed bytes. If they are not sent at once, `keep` makes an owned
    /// payload of them. Returns the sends that are not reported yet.
    #[inline]
    pub fn send_or_keep(
        &mut self,
        token: Token,
        parts: &[IoSlice<'_>],
        to: Option<&Address>,
        keep: impl FnOnce() -> Payload,
    ) -> Result<SendQueue> {
        let size = payload::total_len(parts);
        let sent = if self.may_send_now(size, to)? {
            self.send_now(parts, to)
        } else {
            Err(Errno::EAGAIN)
        };
        Ok(self.note_sent(token, size, to, sent, keep))
    }

    /// As [`send_or_keep`](Self::send_or_keep), for a host that needs no completion. A datagram that is
    /// sent at once is not reported. The further ones of a callback are queued, and sent together.
    pub fn send_unreported(
        &mut self,
        token: Token,
        parts: &[IoSlice<'_>],
        to: Option<&Address>,
        keep: impl FnOnce() -> Payload,
    ) -> Result<()> {
        let size = payload::total_len(parts);
        self.prepare(size, to)?;
        let (callback, reporting) = (self.engine.run.callback(), self.is_reporting());
        let body = self.body();
        let first = body.send_queue.count == 0 && body.unreported_in != callback;
        let sent = if !reporting && (first || body.may_send_ahead()) {
            body.unreported_in = callback;
            self.send_now(parts, to)
        } else {
            Err(Errno::EAGAIN)
        };
        if sent.is_ok() {
            return Ok(());
        }
        self.note_sent(token, size, to, sent, keep);
        self.defer();
        Ok(())
    }

    /// Whether a datagram may be sent at once.
    #[inline]
    fn may_send_now(&mut self, size: usize, to: Option<&Address>) -> Result<bool> {
        self.prepare(size, to)?;
        let reporting = self.is_reporting();
        let body = self.body();
        Ok(!reporting && (body.send_queue.count == 0 || body.may_send_ahead()))
    }

    #[inline]
    fn send_now(&mut self, parts: &[IoSlice<'_>], to: Option<&Address>) -> Result<()> {
        match self.send_fault() {
            Some(fault) => fault,
            None => datagram::send(self.body().fd()?, &Transmit { parts, to }).map(drop),
        }
    }

    /// Allows to send datagrams before earlier ones are reported, if queueing them was in vain.
    ///
    /// As in libuv a datagram is queued while earlier ones are not reported. A queue of several
    /// datagrams is sent with one system call. A queue of one only delays it: the peer answers each
    /// datagram. Then the next ones are sent at once.
    pub fn set_send_ahead(&mut self) {
        self.body().ahead = Some(0);
    }

    /// Records an attempt to send a datagram, and queues it if it would block. Returns the sends
    /// that are not reported yet.
    #[inline]
    fn note_sent(
        &mut self,
        token: Token,
        size: usize,
        to: Option<&Address>,
        sent: Result<()>,
        keep: impl FnOnce() -> Payload,
    ) -> SendQueue {
        let Engine { table, udps, active, deferred, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.udps[self.id.index()];
        body.send_queue.bytes += size;
        body.send_queue.count += 1;
        let queue = body.send_queue;
        active.begin_request();
        head.activate(active);
        if sent == Err(Errno::EAGAIN) {
            let send =
                SendRequest { token, size, payload: keep(), to: to.copied(), result: Ok(()) };
            udps.sends.push(&mut body.queued, send);
            body.watches_writable = true;
            // As in libuv it waits for the socket to be writable, even if it is writable now, because the
            // next poll phase may come before the next pending phase.
            self.update();
            return queue;
        }
        let renew =
            |send: &mut SendRequest| (send.token, send.size, send.result) = (token, size, sent);
        let make = || SendRequest { token, size, payload: Payload::EMPTY, to: None, result: sent };
        udps.sends.push_with(&mut body.done, renew, make);
        if !std::mem::replace(&mut body.deferred, true) {
            deferred.push(Deferred::Udp(self.id));
        }
        queue
    }

    /// Sends a datagram at once. Returns its size. `EAGAIN` if it would block, or earlier sends are
    /// queued or not reported yet.
    #[doc(alias = "uv_udp_try_send")]
    pub fn try_send(&mut self, parts: &[IoSlice<'_>], to: Option<&Address>) -> Result<usize> {
        let size = parts.iter().map(|part| part.len()).sum();
        self.prepare(size, to)?;
        self.idle()?;
        match self.send_fault() {
            Some(fault) => fault.map(|()| size),
            None => datagram::send(self.body().fd()?, &Transmit { parts, to }),
        }
    }

    /// Sends as many datagrams as possible at once. Returns their number. The errors are those of the
    /// first one, and `EINVAL` if there is no socket.
    ///
    /// On a connected socket they are sent separately, because the kernel may report that the peer has
    /// rejected one before it sends the next.
    #[doc(alias = "uv_udp_try_send2")]
    pub fn try_send_many(&mut self, datagrams: &[Transmit<'_>]) -> Result<usize> {
        if self.body().fd.is_none() {
            return Err(Errno::EINVAL);
        }
        self.idle()?;
        if let Some(fault) = self.send_fault().filter(|_| !datagrams.is_empty()) {
            return fault.map(|()| 1);
        }
        let body = self.body();
        let fd = body.fd.as_ref().ok_or(Errno::EBADF)?;
        let separately = &mut SendOffload::disabled();
        let offload = if body.connected { separately } else { &mut body.offload };
        datagram::send_many(fd.as_descriptor(), datagrams, offload)
    }

    /// Sends `bytes` as datagrams of `segment` bytes, of which the last may be shorter. Returns how
    /// many bytes were sent at once. The errors are those of the first datagram.
    pub fn try_send_segmented(
        &mut self,
        bytes: &[u8],
        to: Option<&Address>,
        segment: u16,
    ) -> Result<usize> {
        self.prepare(bytes.len(), to)?;
        self.idle()?;
        if let Some(fault) = self.send_fault() {
            return fault.map(|()| bytes.len().min(segment.into()));
        }
        let (fd, offload) = self.body().fd_and_offload()?;
        datagram::send_segments(fd, bytes, to, segment, offload)
    }

    /// Requests a [`Completion::Writable`] when [`try_send`](Self::try_send) can be tried again.
    pub fn await_room(&mut self) {
        self.body().awaits_writable = true;
        self.update();
        self.activate();
    }

    /// Checks the arguments of a send.
    #[inline]
    pub fn check_sendable(&mut self, size: usize, to: Option<&Address>) -> Result<()> {
        let Entry { head, body } = self.entry();
        if size > payload::MAX_BYTES {
            return Err(Errno::EINVAL);
        }
        if head.life() == Life::Closing {
            return Err(Errno::EBADF);
        }
        match (body.connected, to.is_some()) {
            (true, true) => Err(Errno::EISCONN),
            (false, false) => Err(Errno::EDESTADDRREQ),
            _ => Ok(()),
        }
    }

    /// Checks the arguments of a send, and binds a socket that has no address.
    #[inline]
    fn prepare(&mut self, size: usize, to: Option<&Address>) -> Result<()> {
        self.check_sendable(size, to)?;
        match to {
            Some(to) => self.bind_anywhere(to.family(), UdpBindFlags::default()),
            None => Ok(()),
        }
    }

    /// The socket, if no send is queued or unreported.
    fn idle(&mut self) -> Result<&mut Udp> {
        let body = self.body();
        if body.send_queue.count == 0 { Ok(body) } else { Err(Errno::EAGAIN) }
    }

    /// Queues the socket for the next pending phase.
    pub(super) fn defer(&mut self) {
        let id = self.id;
        if !std::mem::replace(&mut self.body().deferred, true) {
            self.engine.deferred.push(Deferred::Udp(id));
        }
    }

    /// Sends queued datagrams until one would block. The caller reports the finished ones.
    pub(super) fn flush(&mut self) {
        let Engine { table, udps, schedule, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        let Some(fd) = &body.fd else { return };
        let fd = fd.as_descriptor();
        let separately = &mut SendOffload::disabled();
        let offload = if body.connected { separately } else { &mut body.offload };
        let alone = udps.sends.only(&body.queued).is_some();
        let mut has_sent = false;
        while !body.queued.is_empty() {
            let fault =
                schedule.as_ref().and_then(|schedule| schedule.datagram_send_fault(body.connected));
            let sent = match (fault, udps.sends.only(&body.queued)) {
                (Some(fault), _) => fault.map(|()| 1),
                (None, Some(only)) => send_one(fd, &only.payload, only.to.as_ref()).map(|()| 1),
                (None, None) => send_first(fd, &udps.sends, &body.queued, offload),
            };
            match sent {
                Ok(0) | Err(Errno::EAGAIN) => break,
                Ok(count) => {
                    has_sent = true;
                    (0..count).for_each(|_| udps.sends.shift(&mut body.queued, &mut body.done))
                }
                Err(error) => {
                    has_sent = true;
                    udps.sends.first_mut(&body.queued).expect("not empty").result = Err(error);
                    udps.sends.shift(&mut body.queued, &mut body.done);
                    // As with libuv the others are attempted after this one is reported.
                    break;
                }
            }
        }
        // As in libuv the next pending phase handles a socket that has sent something again, and sends
        // what the callbacks of these datagrams have queued.
        if has_sent {
            if alone && let Some(ahead) = &mut body.ahead {
                *ahead = AHEAD_AFTER_ONE;
            }
            self.defer();
        }
    }

    /// Fails all queued sends.
    pub(super) fn fail_sends(&mut self, error: Errno) {
        let Engine { table, udps, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        while let Some(send) = udps.sends.first_mut(&body.queued) {
            send.result = Err(error);
            udps.sends.shift(&mut body.queued, &mut body.done);
        }
    }

    /// The completion of the next finished send.
    pub(super) fn next_sent(&mut self) -> Option<Completion> {
        let Engine { table, udps, active, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        let (token, result, size) = udps.sends.pop_with(&mut body.done, SendRequest::end)?;
        body.send_queue.bytes -= size;
        body.send_queue.count -= 1;
        active.end_request();
        Some(Completion::Sent { token, result, size })
    }
}

fn send_one(fd: BorrowedSocket<'_>, payload: &Payload, to: Option<&Address>) -> Result<()> {
    let mut few = Slices::<FEW>::new();
    if payload.gather(&mut few) {
        return datagram::send(fd, &Transmit { parts: few.as_slices(), to }).map(drop);
    }
    let mut many = Slices::<MAX_PIECES>::new();
    if payload.gather(&mut many) {
        return datagram::send(fd, &Transmit { parts: many.as_slices(), to }).map(drop);
    }
    Err(Errno::EMSGSIZE)
}

/// Sends the first datagrams of a queue, as many as one system call takes. Returns their number.
fn send_first(
    fd: BorrowedSocket<'_>,
    sends: &Arena<SendRequest>,
    queued: &List,
    offload: &mut datagram::SendOffload,
) -> Result<usize> {
    let first = sends.iter(queued).next().expect("a queue that is not empty");
    let mut slices = Slices::<GATHERED_PIECES>::new();
    let mut ends = [0; GATHER];
    let mut count = 0;
    for (send, end) in sends.iter(queued).zip(&mut ends) {
        if !send.payload.gather(&mut slices) {
            break;
        }
        *end = slices.as_slices().len();
        count += 1;
    }
    if count == 0 {
        // The first one alone has too many pieces to be combined with others.
        return send_one(fd, &first.payload, first.to.as_ref()).map(|()| 1);
    }
    let mut datagrams = [Transmit { parts: &[], to: None }; GATHER];
    let datagrams = &mut datagrams[..count];
    let mut begin = 0;
    for ((datagram, send), end) in datagrams.iter_mut().zip(sends.iter(queued)).zip(ends) {
        let parts = &slices.as_slices()[begin..end];
        *datagram = Transmit { parts, to: send.to.as_ref() };
        begin = end;
    }
    datagram::send_many(fd, datagrams, offload)
}
