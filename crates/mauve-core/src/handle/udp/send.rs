//! Sending.

use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd};

use mauve_sys::driver::Driver;
use mauve_sys::net::Address;
use mauve_sys::net::datagram::{self, Outgoing};
use mauve_sys::payload::{self, Payload, Slices};
use mauve_sys::{Errno, Result};

use super::{BindFlags, Load, Udp, UdpMut};
use crate::Engine;
use crate::arena::{Arena, List};
use crate::completion::Completion;
use crate::id::Token;
use crate::phase::Deferred;
use crate::slab::{Entry, Life};

/// A datagram that is not sent, or not told.
pub(crate) struct Send {
    token: Token,
    size: usize,
    /// What it consists of, while it is queued.
    payload: Payload,
    /// Where it goes, while it is queued. `None` on a connected socket.
    to: Option<Address>,
    result: Result<()>,
}

impl Send {
    pub fn token(&self) -> Token {
        self.token
    }

    pub fn size(&self) -> usize {
        self.size
    }

    /// Lets go of everything; returns whose it was, how it ended and how large it was.
    #[inline]
    fn end(&mut self) -> (Token, Result<()>, usize) {
        self.payload.clear();
        self.to = None;
        (self.token, self.result, self.size)
    }
}

/// Pieces of one datagram that need no memory of their own, and the most that the system takes.
const FEW: usize = 8;
const MOST_PIECES: usize = 1024;

/// Queued datagrams that leave with one call, and the pieces they may have together.
const GATHER: usize = datagram::MOST_SENT;
const GATHERED_PIECES: usize = 2 * GATHER;

impl<D: Driver> UdpMut<'_, D> {
    /// Sends `payload`: at once if nothing else was handed over and is not reported yet, and there
    /// is room; else in the next pending phase together with the others, or when there is room.
    /// [`Completion::Sent`] tells when it is gone, or why it cannot go. A socket without an
    /// address gets one.
    ///
    /// `EISCONN` if there is an address and the socket has a peer, `EDESTADDRREQ` if neither.
    #[doc(alias = "uv_udp_send")]
    pub fn send(&mut self, token: Token, payload: Payload, to: Option<&Address>) -> Result<()> {
        let size = payload.len();
        let sent = match self.free_outlet(size, to)? {
            Some(fd) => send_one(fd, &payload, to),
            None => Err(Errno::EAGAIN),
        };
        self.note_sent(token, size, to, sent, || payload);
        Ok(())
    }

    /// As [`send`](Self::send), for a datagram that somebody else has in pieces: they are asked to
    /// keep it only if it does not leave at once. Returns what is not reported yet.
    #[inline]
    pub fn send_or_keep(
        &mut self,
        token: Token,
        parts: &[IoSlice<'_>],
        to: Option<&Address>,
        keep: impl FnOnce() -> Payload,
    ) -> Result<Load> {
        let size = payload::total(parts);
        let sent = match self.free_outlet(size, to)? {
            Some(fd) => datagram::send(fd, &Outgoing { parts, to }).map(drop),
            None => Err(Errno::EAGAIN),
        };
        Ok(self.note_sent(token, size, to, sent, keep))
    }

    /// The socket, if a datagram may leave at once.
    #[inline]
    fn free_outlet(&mut self, size: usize, to: Option<&Address>) -> Result<Option<BorrowedFd<'_>>> {
        self.prepare(size, to)?;
        let telling = self.is_telling();
        let body = self.body();
        if body.load.count > 0 || telling {
            return Ok(None);
        }
        body.fd().map(Some)
    }

    /// Notes that it was tried to send a datagram, which waits if there was no room. Returns what
    /// is not reported yet.
    #[inline]
    fn note_sent(
        &mut self,
        token: Token,
        size: usize,
        to: Option<&Address>,
        sent: Result<()>,
        keep: impl FnOnce() -> Payload,
    ) -> Load {
        let Engine { table, udps, active, deferred, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.udps[self.id.index()];
        body.load.bytes += size;
        body.load.count += 1;
        let load = body.load;
        active.requests += 1;
        head.activate(active);
        if sent == Err(Errno::EAGAIN) {
            let send = Send { token, size, payload: keep(), to: to.copied(), result: Ok(()) };
            udps.sends.push(&mut body.queued, send);
            body.watches_room = true;
            // As with libuv it waits for the socket to be writable, even if there is room: a poll
            // phase may come before the pending phase.
            self.update();
            return load;
        }
        let renew = |send: &mut Send| (send.token, send.size, send.result) = (token, size, sent);
        let make = || Send { token, size, payload: Payload::NOTHING, to: None, result: sent };
        udps.sends.push_with(&mut body.done, renew, make);
        if !std::mem::replace(&mut body.fed, true) {
            deferred.queue.push_back(Deferred::Udp(self.id));
        }
        load
    }

    /// Sends a datagram if that is possible at once; returns its size. `EAGAIN` if it is not, also
    /// because of datagrams that wait or are not reported yet.
    #[doc(alias = "uv_udp_try_send")]
    pub fn try_send(&mut self, parts: &[IoSlice<'_>], to: Option<&Address>) -> Result<usize> {
        self.prepare(parts.iter().map(|part| part.len()).sum(), to)?;
        datagram::send(self.idle()?.fd()?, &Outgoing { parts, to })
    }

    /// Sends as many datagrams as is possible at once; returns how many. The errors are those of
    /// the first one, and `EINVAL` if there is no socket.
    #[doc(alias = "uv_udp_try_send2")]
    pub fn try_send_many(&mut self, datagrams: &[Outgoing<'_>]) -> Result<usize> {
        if self.body().fd.is_none() {
            return Err(Errno::EINVAL);
        }
        let (fd, offload) = self.idle()?.outlet()?;
        datagram::send_many(fd, datagrams, offload)
    }

    /// Sends `bytes` as datagrams of `segment` bytes each, the last one shorter if need be, as many
    /// as is possible at once; returns how many bytes are gone. The errors are those of the first
    /// datagram.
    pub fn try_send_segmented(
        &mut self,
        bytes: &[u8],
        to: Option<&Address>,
        segment: u16,
    ) -> Result<usize> {
        self.prepare(bytes.len(), to)?;
        let (fd, offload) = self.idle()?.outlet()?;
        datagram::send_segments(fd, bytes, to, segment, offload)
    }

    /// Has [`Completion::Writable`] tell when [`try_send`](Self::try_send) is worth trying again.
    pub fn await_room(&mut self) {
        self.body().awaits_room = true;
        self.update();
        self.activate();
    }

    /// Whether a datagram of this size may go to `to`.
    #[inline]
    pub fn check_sendable(&mut self, size: usize, to: Option<&Address>) -> Result<()> {
        let Entry { head, body } = self.entry();
        if size > payload::MOST_BYTES {
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

    /// Checks that a datagram may go, and makes sure that there is a socket for it.
    #[inline]
    fn prepare(&mut self, size: usize, to: Option<&Address>) -> Result<()> {
        self.check_sendable(size, to)?;
        match to {
            Some(to) => self.bind_anywhere(to.family(), BindFlags::default()),
            None => Ok(()),
        }
    }

    /// The socket, if nothing waits on it.
    fn idle(&mut self) -> Result<&mut Udp> {
        let body = self.body();
        if body.load.count == 0 { Ok(body) } else { Err(Errno::EAGAIN) }
    }

    /// Has the socket looked at in the next pending phase.
    pub(super) fn feed(&mut self) {
        let id = self.id;
        if !std::mem::replace(&mut self.body().fed, true) {
            self.engine.deferred.queue.push_back(Deferred::Udp(id));
        }
    }

    /// Sends what is queued, as far as there is room. Whoever asks for it tells what is done then.
    pub(super) fn flush(&mut self) {
        let Engine { table, udps, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        let Some(fd) = &body.fd else { return };
        let fd = fd.as_fd();
        let mut has_sent = false;
        while !body.queued.is_empty() {
            let sent = match udps.sends.only(&body.queued) {
                Some(only) => send_one(fd, &only.payload, only.to.as_ref()).map(|()| 1),
                None => send_first(fd, &udps.sends, &body.queued, &mut body.offload),
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
        // As with libuv the next pending phase comes back to a socket that has sent something: what
        // the callbacks of these datagrams send leaves then.
        if has_sent {
            self.feed();
        }
    }

    /// Fails everything that is queued.
    pub(super) fn fail_sends(&mut self, error: Errno) {
        let Engine { table, udps, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        while let Some(send) = udps.sends.first_mut(&body.queued) {
            send.result = Err(error);
            udps.sends.shift(&mut body.queued, &mut body.done);
        }
    }

    /// The next datagram that is done with.
    pub(super) fn next_sent(&mut self) -> Option<Completion> {
        let Engine { table, udps, active, .. } = &mut *self.engine;
        let body = &mut table.udps[self.id.index()].body;
        let (token, result, size) = udps.sends.pop_with(&mut body.done, Send::end)?;
        body.load.bytes -= size;
        body.load.count -= 1;
        active.requests -= 1;
        Some(Completion::Sent { token, result, size })
    }
}

fn send_one(fd: BorrowedFd<'_>, payload: &Payload, to: Option<&Address>) -> Result<()> {
    let mut few = Slices::<FEW>::new();
    if payload.gather(&mut few) {
        return datagram::send(fd, &Outgoing { parts: few.as_slices(), to }).map(drop);
    }
    let mut many = Slices::<MOST_PIECES>::new();
    if payload.gather(&mut many) {
        return datagram::send(fd, &Outgoing { parts: many.as_slices(), to }).map(drop);
    }
    Err(Errno::EMSGSIZE)
}

/// Sends the first datagrams of a queue, as many as one call takes; returns how many are gone.
fn send_first(
    fd: BorrowedFd<'_>,
    sends: &Arena<Send>,
    queued: &List,
    offload: &mut datagram::Offload,
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
        // Even the first one has too many pieces to share a call.
        return send_one(fd, &first.payload, first.to.as_ref()).map(|()| 1);
    }
    let mut datagrams = [Outgoing { parts: &[], to: None }; GATHER];
    let datagrams = &mut datagrams[..count];
    let mut begin = 0;
    for ((datagram, send), end) in datagrams.iter_mut().zip(sends.iter(queued)).zip(ends) {
        let parts = &slices.as_slices()[begin..end];
        *datagram = Outgoing { parts, to: send.to.as_ref() };
        begin = end;
    }
    datagram::send_many(fd, datagrams, offload)
}
