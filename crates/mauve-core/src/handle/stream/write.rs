//! Writing, shutting down, and descriptors that travel along.

use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use mauve_sys::driver::Driver;
use mauve_sys::payload::{self, Payload, Slices};
use mauve_sys::{Errno, Result, fd, net};

use super::{Flags, Shutdown, Stream, StreamMut};
use crate::Engine;
use crate::arena::{Arena, List};
use crate::id::{Kind, Token};
use crate::phase::Deferred;

/// How many slices leave in one system call.
const GATHER: usize = 256;

/// A write that is not done, or not told.
pub(crate) struct Write {
    pub token: Token,
    /// What is not written yet.
    pub payload: Payload,
    /// A descriptor that leaves with the first byte.
    descriptor: Option<OwnedFd>,
    pub result: Result<()>,
}

impl Write {
    pub fn new(token: Token, payload: Payload) -> Self {
        Self { token, payload, descriptor: None, result: Ok(()) }
    }

    /// Lets go of everything; returns whose it was, how it ended and how many bytes were left.
    #[inline]
    pub fn end(&mut self) -> (Token, Result<()>, usize) {
        let left = self.payload.len();
        self.payload.clear();
        self.descriptor = None;
        (self.token, self.result, left)
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Writes `payload`: at once as far as that is possible, the rest when the peer takes it.
    /// [`Completion::Write`] tells when all is written. `EBADF` without a descriptor, `EPIPE` if
    /// the stream is not writable, `EINVAL` if the payload is too large.
    ///
    /// [`Completion::Write`]: crate::Completion::Write
    #[doc(alias = "uv_write")]
    pub fn write(
        &mut self,
        token: Token,
        payload: Payload,
        descriptor: Option<BorrowedFd<'_>>,
    ) -> Result<()> {
        self.body().check_writable(payload.len(), descriptor)?;
        let descriptor = descriptor.map(fd::duplicate).transpose()?;
        let body = self.body();
        // A write that has failed counts until that is told: the next one waits behind it.
        let first = body.unsent == 0;
        let connecting = body.role.is_connecting();
        body.unsent += payload.len();
        let mut queued = body.queued;
        let write = Write { token, payload, descriptor, result: Ok(()) };
        self.engine.streams.writes.push(&mut queued, write);
        self.body().queued = queued;
        self.engine.active.requests += 1;
        if first && !connecting {
            self.flush();
            if !self.body().done.is_empty() {
                self.feed();
            }
        }
        self.update();
        Ok(())
    }

    /// As [`write`](Self::write), for bytes that somebody else has: they are asked to be kept only
    /// if they do not leave at once. Returns how many bytes wait for room on the stream.
    pub fn write_or_keep(
        &mut self,
        token: Token,
        slices: &[IoSlice<'_>],
        keep: impl FnOnce() -> Payload,
    ) -> Result<usize> {
        if self.may_hold() {
            self.hold(token, keep())?;
            if self.body().holds_enough() {
                self.uncork();
            }
            return Ok(self.body().waiting());
        }
        if !self.engine.cork.streams.is_empty() {
            self.engine.let_go();
        }
        let turn = self.engine.run.callbacks;
        let Engine { table, streams, active, deferred, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let at_once = body.unsent == 0
            && body.queued.is_empty()
            && slices.len() <= payload::MOST_SLICES
            && !body.role.is_connecting();
        if !at_once {
            self.write(token, keep(), None)?;
            return Ok(self.unsent());
        }
        let total = payload::total(slices);
        body.check_writable(total, None)?;
        match transmit(self.id.kind(), body.fd()?, slices) {
            Ok(count) if count == total => {
                body.wrote_in = turn;
                let renew = |write: &mut Write| (write.token, write.result) = (token, Ok(()));
                streams
                    .writes
                    .push_with(&mut body.done, renew, || Write::new(token, Payload::NOTHING));
            }
            Ok(count) => {
                let mut rest = keep();
                rest.advance(count);
                return Ok(self.queue(token, rest));
            }
            Err(Errno::EAGAIN) => return Ok(self.queue(token, keep())),
            Err(error) => {
                let write = Write { result: Err(error), ..Write::new(token, keep()) };
                body.unsent += write.payload.len();
                streams.writes.push(&mut body.done, write);
            }
        }
        active.requests += 1;
        if !body.flags.put(Flags::DEFERRED) {
            deferred.queue.push_back(Deferred::Stream(self.id));
        }
        Ok(body.unsent)
    }

    /// Has `payload` wait until the system announces that there is room for it. Returns how many
    /// bytes are queued on the stream.
    fn queue(&mut self, token: Token, payload: Payload) -> usize {
        let Engine { table, streams, active, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        active.requests += 1;
        body.unsent += payload.len();
        let unsent = body.unsent;
        streams.writes.push(&mut body.queued, Write::new(token, payload));
        self.update();
        unsent
    }

    /// Writes what can be written at once; returns how many bytes that were. `EAGAIN` if that is
    /// nothing, also because of writes that are queued.
    #[doc(alias = "uv_try_write")]
    #[inline]
    pub fn try_write(
        &mut self,
        slices: &[IoSlice<'_>],
        descriptor: Option<BorrowedFd<'_>>,
    ) -> Result<usize> {
        self.uncork();
        if self.body().role.is_connecting() || self.body().unsent > 0 {
            return Err(Errno::EAGAIN);
        }
        self.body().check_writable(payload::total(slices), descriptor)?;
        let kind = self.id.kind();
        let fd = self.body().fd()?;
        match descriptor {
            Some(descriptor) => net::send_with_descriptor(fd, slices, descriptor),
            None => transmit(kind, fd, slices),
        }
    }

    /// Has [`Completion::Writable`] tell when [`try_write`](Self::try_write) is worth trying again.
    ///
    /// [`Completion::Writable`]: crate::Completion::Writable
    pub fn await_room(&mut self) {
        self.body().flags.insert(Flags::AWAITS_ROOM);
        self.update();
    }

    /// Has the writing side shut down when everything is written. `ENOTCONN` if there is none, or
    /// that was asked for already.
    #[doc(alias = "uv_shutdown")]
    pub fn shut_down(&mut self, token: Token) -> Result<()> {
        self.uncork();
        let closing = self.is_closing();
        let body = self.body();
        if !body.is(Flags::WRITABLE) || body.shutdown != Shutdown::No || closing {
            return Err(Errno::ENOTCONN);
        }
        body.shutdown = Shutdown::Wanted;
        body.flags.remove(Flags::WRITABLE);
        let idle = body.queued.is_empty() && !body.role.is_connecting();
        self.rare_or_new().shutdown = Some(token);
        self.engine.active.requests += 1;
        if idle {
            self.feed();
        }
        Ok(())
    }

    /// Writes as much of the queue as the system takes, many writes with one call.
    pub(super) fn flush(&mut self) {
        let id = self.id;
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[id.index()].body;
        while !body.queued.is_empty() {
            let Ok(fd) = body.fd() else { return };
            // Most of the time there is one write; room for more is not made for nothing.
            let sent = if streams.writes.only(&body.queued).is_some() {
                send::<8>(id.kind(), fd, &streams.writes, &body.queued)
            } else {
                send::<GATHER>(id.kind(), fd, &streams.writes, &body.queued)
            };
            match sent {
                Ok(Sent { count, offered }) => {
                    body.unsent -= count;
                    finish(&mut streams.writes, &mut body.queued, &mut body.done, count);
                    if count < offered {
                        // The system has told what it can take; asking again would be refused.
                        return;
                    }
                }
                Err(Errno::EAGAIN) => return,
                Err(error) => {
                    let write = streams.writes.first_mut(&body.queued).expect("not empty");
                    write.result = Err(error);
                    streams.writes.shift(&mut body.queued, &mut body.done);
                    // The next write has its own turn, after this one is told.
                    return self.feed();
                }
            }
        }
    }

    /// Gives up on everything that is queued.
    pub(super) fn cancel_writes(&mut self) {
        let id = self.id;
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[id.index()].body;
        streams.writes.shift_while(&mut body.queued, &mut body.done, |write| {
            write.result = Err(Errno::ECANCELED);
            true
        });
    }
}

impl Stream {
    /// Whether so many bytes can be written, with this descriptor. The errors are those of
    /// [`StreamMut::write`].
    #[inline]
    pub(super) fn check_writable(
        &self,
        size: usize,
        descriptor: Option<BorrowedFd<'_>>,
    ) -> Result<()> {
        if size > payload::MOST_BYTES {
            return Err(Errno::EINVAL);
        }
        self.fd()?;
        if !self.is(Flags::WRITABLE) {
            return Err(Errno::EPIPE);
        }
        if descriptor.is_some() && !self.is(Flags::IPC) {
            return Err(Errno::EINVAL);
        }
        Ok(())
    }
}

/// Writes as much as fits, in the way that is best for this kind of stream.
#[inline]
fn transmit(kind: Kind, fd: BorrowedFd<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    if kind == Kind::Tcp { net::send(fd, slices) } else { fd::write(fd, slices) }
}

struct Sent {
    /// Bytes that are gone.
    count: usize,
    /// Bytes that could have gone.
    offered: usize,
}

/// Writes the beginning of a queue, as many of its writes at once as one call can take.
fn send<const N: usize>(
    kind: Kind,
    fd: BorrowedFd<'_>,
    writes: &Arena<Write>,
    queued: &List,
) -> Result<Sent> {
    let mut slices = Slices::<N>::new();
    let mut queue = writes.iter(queued);
    let first = queue.next().expect("a queue that is not empty");
    let fits = first.payload.gather(&mut slices);
    let count = match &first.descriptor {
        // What travels with a descriptor leaves alone.
        Some(descriptor) => net::send_with_descriptor(fd, slices.as_slices(), descriptor.as_fd())?,
        None => {
            if fits {
                let mut alike = queue.take_while(|write| write.descriptor.is_none());
                while alike.next().is_some_and(|write| write.payload.gather(&mut slices)) {}
            }
            transmit(kind, fd, slices.as_slices())?
        }
    };
    let offered = slices.as_slices().iter().map(|slice| slice.len()).sum();
    Ok(Sent { count, offered })
}

/// Moves what is wholly written from the queue to the writes that are done.
pub(super) fn finish(
    writes: &mut Arena<Write>,
    queued: &mut List,
    done: &mut List,
    mut count: usize,
) {
    let mut is_first = true;
    writes.shift_while(queued, done, |write| {
        if !is_first && write.descriptor.is_some() {
            return false;
        }
        is_first = false;
        let taken = count.min(write.payload.len());
        count -= taken;
        write.payload.advance(taken);
        write.descriptor = None;
        write.payload.is_empty()
    });
}
