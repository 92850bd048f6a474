//! Writing, shutting down, and descriptors that travel along.

use std::io::IoSlice;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use mauve_sys::driver::Driver;
use mauve_sys::payload::{self, Payload, Slices};
use mauve_sys::{Errno, Result, fd, net};

use super::{Flags, Shutdown, Stream, StreamMut, StreamState};
use crate::Engine;
use crate::arena::{Arena, List};
use crate::id::{HandleId, Kind, Token};
use crate::phase::Deferred;

/// How many slices of a write need no large array.
const FEW: usize = 8;

/// A descriptor that a write passes to the peer.
pub enum Passed<'a> {
    /// That of a handle of the same engine when the write leaves. `EBADF` if it is closed then.
    Handle(HandleId),
    /// Any other. The engine makes a copy of it.
    Descriptor(BorrowedFd<'a>),
}

enum QueuedPassed {
    Handle(HandleId),
    Descriptor(OwnedFd),
}

/// A write that is not done, or not reported.
pub(crate) struct Write {
    pub token: Token,
    /// What is not written yet.
    pub payload: Payload,
    /// What leaves with the first byte.
    passed: Option<QueuedPassed>,
    pub result: Result<()>,
}

impl Write {
    pub fn new(token: Token, payload: Payload) -> Self {
        Self { token, payload, passed: None, result: Ok(()) }
    }

    /// Whether it may leave in one call with others: it passes nothing, and does not end with
    /// an empty slice, which is attempted by itself. So is a write of no bytes.
    fn is_plain(&self) -> bool {
        self.passed.is_none() && !self.payload.is_empty() && !self.payload.ends_empty()
    }

    /// Lets go of everything; returns whose it was, how it ended and how many bytes were left.
    #[inline]
    pub fn end(&mut self) -> (Token, Result<()>, usize) {
        let left = self.payload.len();
        self.payload.clear();
        self.passed = None;
        (self.token, self.result, left)
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Writes `payload`: at once as far as that is possible, the rest when the peer takes it.
    /// [`Completion::Write`] reports the end. `EBADF` without a descriptor, `EPIPE` if the stream
    /// is not writable, `EINVAL` if the payload is too large.
    ///
    /// Writes that were made before, on this stream or another one, leave first.
    ///
    /// [`Completion::Write`]: crate::Completion::Write
    #[doc(alias = "uv_write")]
    pub fn write(
        &mut self,
        token: Token,
        payload: Payload,
        passed: Option<Passed<'_>>,
    ) -> Result<()> {
        self.body().check_writable(payload.len(), passed.is_some())?;
        let passed = match passed {
            None => None,
            Some(Passed::Handle(id)) => Some(QueuedPassed::Handle(id)),
            Some(Passed::Descriptor(fd)) => Some(QueuedPassed::Descriptor(fd::duplicate(fd)?)),
        };
        if self.engine.cork.is_pending() {
            self.engine.flush_cork();
        }
        self.engine.active.requests += 1;
        let may_leave = self.body().may_attempt();
        self.push_queued(Write { passed, ..Write::new(token, payload) });
        if may_leave {
            self.flush();
        }
        self.settle();
        Ok(())
    }

    /// Whether a write with a descriptor can start: `EBADF` without a socket, `EPIPE` if the stream
    /// is not writable, `EINVAL` if it passes no descriptors.
    pub fn check_passing(&mut self) -> Result<()> {
        self.body().check_writable(0, true)
    }

    /// As [`write`](Self::write), for bytes of the caller. `keep` is called if they do not leave at
    /// once, and are not corked. Returns how many bytes wait for room on the stream.
    pub fn write_or_keep(
        &mut self,
        token: Token,
        slices: &[IoSlice<'_>],
        keep: impl FnOnce() -> Payload,
    ) -> Result<usize> {
        let total = payload::total(slices);
        if self.corks(total)? {
            self.append(token, slices, true);
            return Ok(0);
        }
        if self.engine.cork.is_pending() {
            self.engine.flush_cork();
        }
        let Engine { table, streams, active, deferred, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let is_plain = body.may_attempt()
            && body.queued.is_empty()
            && slices.len() <= payload::MOST_SLICES
            && !payload::ends_empty(slices);
        if !is_plain {
            self.write(token, keep(), None)?;
            return Ok(self.body().unsent);
        }
        body.check_writable(total, false)?;
        active.requests += 1;
        match transmit(self.id.kind(), body.fd()?, slices) {
            Ok(count) if count == total => {
                streams.push_done(body, token);
                // What `settle` would do, without its checks: nothing is queued.
                if !body.flags.put(Flags::DEFERRED) {
                    deferred.queue.push_back(Deferred::Stream(self.id));
                }
                return Ok(body.unsent);
            }
            Ok(count) => {
                let mut rest = keep();
                rest.advance(count);
                self.push_queued(Write::new(token, rest));
            }
            Err(Errno::EAGAIN) => self.push_queued(Write::new(token, keep())),
            Err(error) => self.push_failed(Write::new(token, keep()), error),
        }
        self.settle();
        Ok(self.body().unsent)
    }

    /// Queues a write until there is room for it.
    pub(super) fn push_queued(&mut self, write: Write) {
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        body.unsent += write.payload.len();
        streams.writes.push(&mut body.queued, write);
    }

    /// Ends a write whose bytes are gone.
    pub(super) fn push_done(&mut self, token: Token) {
        let Engine { table, streams, .. } = &mut *self.engine;
        streams.push_done(&mut table.streams[self.id.index()].body, token);
    }

    /// Ends a write that has failed.
    pub(super) fn push_failed(&mut self, write: Write, error: Errno) {
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        body.unsent += write.payload.len();
        streams.writes.push(&mut body.done, Write { result: Err(error), ..write });
    }

    /// Brings what is reported and watched in line with the lists of writes.
    pub(super) fn settle(&mut self) {
        if !self.body().done.is_empty() {
            self.feed();
        }
        self.update();
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
        if self.engine.cork.is_pending() {
            self.engine.flush_cork();
        }
        if self.body().role.is_connecting() || self.body().unsent > 0 {
            return Err(Errno::EAGAIN);
        }
        self.body().check_writable(payload::total(slices), descriptor.is_some())?;
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
        self.cold_or_new().shutdown = Some(token);
        self.engine.active.requests += 1;
        if idle {
            self.feed();
        }
        Ok(())
    }

    /// Writes as much of the queue as the system takes. A stream that corks writes has many leave
    /// with one call; else each leaves by itself, as with libuv: its peer may receive them as
    /// packets, and each fails by itself.
    #[inline(never)]
    pub(super) fn flush(&mut self) {
        let id = self.id;
        let Engine { table, streams, deferred, .. } = &mut *self.engine;
        loop {
            let body = &table.streams[id.index()].body;
            let Some(first) = streams.writes.iter(&body.queued).next() else { return };
            let Ok(fd) = body.fd() else { return };
            let passed = first.passed.as_ref().map(|passed| match passed {
                QueuedPassed::Handle(id) => table.descriptor(*id).ok_or(Errno::EBADF),
                QueuedPassed::Descriptor(fd) => Ok(fd.as_fd()),
            });
            // Most of the time there is one write with few slices, which needs no large array.
            let is_small = first.payload.slices_left() <= FEW;
            let (kind, writes, queued) = (id.kind(), &streams.writes, &body.queued);
            let merges = body.is(Flags::CORKS) && writes.only(queued).is_none();
            let sent = passed.transpose().and_then(|passed| {
                if is_small && !merges {
                    send::<FEW>(kind, fd, passed, writes, queued, merges)
                } else {
                    send::<{ payload::MOST_SLICES }>(kind, fd, passed, writes, queued, merges)
                }
            });
            let body = &mut table.streams[id.index()].body;
            match sent {
                Ok(sent) => {
                    body.unsent -= sent.bytes;
                    let writes = &mut streams.writes;
                    let finished = finish(writes, &mut body.queued, &mut body.done, &sent);
                    // As with libuv a stream that has finished a write has its turn in the next
                    // pending phase, also if that is reported before: what the callbacks write is
                    // reported then.
                    if finished > 0 && !body.flags.put(Flags::DEFERRED) {
                        deferred.queue.push_back(Deferred::Stream(id));
                    }
                    if finished < sent.writes {
                        // The rest waits until the system announces room, as in libuv.
                        return;
                    }
                }
                Err(Errno::EAGAIN) => return,
                Err(error) => {
                    let write = streams.writes.first_mut(&body.queued).expect("not empty");
                    write.result = Err(error);
                    streams.writes.shift(&mut body.queued, &mut body.done);
                    // The next write is attempted after this one is reported.
                    return self.feed();
                }
            }
        }
    }

    /// Fails everything that is queued.
    pub(super) fn fail_writes(&mut self, error: Errno) {
        let id = self.id;
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[id.index()].body;
        streams.writes.shift_while(&mut body.queued, &mut body.done, |write| {
            write.result = Err(error);
            true
        });
    }
}

impl Stream {
    /// Whether a new write is attempted at once. A write that has failed counts until that is
    /// reported: the next one waits behind it.
    #[inline]
    fn may_attempt(&self) -> bool {
        self.unsent == 0 && !self.role.is_connecting()
    }

    /// Whether so many bytes can be written, and a descriptor with them. The errors are those of
    /// [`StreamMut::write`].
    #[inline]
    pub(super) fn check_writable(&self, size: usize, passes: bool) -> Result<()> {
        if size > payload::MOST_BYTES {
            return Err(Errno::EINVAL);
        }
        self.fd()?;
        if !self.is(Flags::WRITABLE) {
            return Err(Errno::EPIPE);
        }
        if passes && !self.is(Flags::IPC) {
            return Err(Errno::EINVAL);
        }
        Ok(())
    }
}

impl StreamState {
    /// Ends a write whose bytes are gone.
    #[inline(always)]
    fn push_done(&mut self, body: &mut Stream, token: Token) {
        let renew = |write: &mut Write| (write.token, write.result) = (token, Ok(()));
        let make = || Write::new(token, Payload::NOTHING);
        self.writes.push_with(&mut body.done, renew, make);
    }
}

/// Writes as much as fits, in the way that is best for this kind of stream.
#[inline]
pub(super) fn transmit(kind: Kind, fd: BorrowedFd<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    if kind == Kind::Tcp { net::send(fd, slices) } else { fd::write(fd, slices) }
}

/// What one call has taken.
struct Sent {
    bytes: usize,
    /// How many writes of the queue it was offered.
    writes: usize,
}

/// Writes the beginning of a queue: its first write, or as many as one call can take.
#[inline(never)] // It has room for `N` slices on its stack.
fn send<const N: usize>(
    kind: Kind,
    fd: BorrowedFd<'_>,
    passed: Option<BorrowedFd<'_>>,
    queue: &Arena<Write>,
    queued: &List,
    merges: bool,
) -> Result<Sent> {
    let mut slices = Slices::<N>::new();
    let mut queue = queue.iter(queued);
    let first = queue.next().expect("a queue that is not empty");
    let fits = first.payload.gather(&mut slices);
    let mut writes = 1;
    let bytes = match passed {
        // A write that passes a descriptor leaves alone.
        Some(passed) => net::send_with_descriptor(fd, slices.as_slices(), passed)?,
        None => {
            if merges && fits && first.is_plain() {
                for write in queue.take_while(|write| write.is_plain()) {
                    if write.payload.slices_left() > slices.room() {
                        break;
                    }
                    write.payload.gather(&mut slices);
                    writes += 1;
                }
            }
            transmit(kind, fd, slices.as_slices())?
        }
    };
    Ok(Sent { bytes, writes })
}

/// Moves what is wholly written from the queue to the writes that are done. Returns how many that
/// are.
fn finish(writes: &mut Arena<Write>, queued: &mut List, done: &mut List, sent: &Sent) -> usize {
    let (mut bytes, mut left) = (sent.bytes, sent.writes);
    writes.shift_while(queued, done, |write| {
        if left == 0 {
            return false;
        }
        let taken = bytes.min(write.payload.len());
        bytes -= taken;
        write.payload.advance(taken);
        write.passed = None;
        let is_written = write.payload.is_written();
        left -= usize::from(is_written);
        is_written
    });
    sent.writes - left
}
