//! Writing, shutting down, and passing descriptors.

use std::io::IoSlice;
use std::os::fd::BorrowedFd;

use mauve_sys::driver::Driver;
use mauve_sys::payload::{self, Payload, Slices};
use mauve_sys::{Errno, Result, fd, net};

use super::{Flags, Shutdown, Stream, StreamMut, StreamState};
use crate::Engine;
use crate::arena::{Arena, List};
use crate::id::{HandleId, Token};
use crate::phase::Deferred;

/// The most slices of a write that are sent from a small array.
const FEW: usize = 8;

/// The descriptor that a write passes to the peer. It is looked up when the write is sent, which
/// fails with `EBADF` if there is none.
pub enum Passed {
    /// The descriptor of a handle of the same engine.
    Handle(HandleId),
    /// Any other descriptor. Boxed, because few writes pass one.
    Foreign(Box<ForeignDescriptor>),
}

/// A descriptor that the host looks up.
pub struct ForeignDescriptor {
    /// Identifies it to the host.
    pub token: Token,
    /// Returns the descriptor as it is now.
    pub find: for<'a> fn(&'a Token) -> Option<BorrowedFd<'a>>,
}

/// A write that is not finished, or not reported.
pub(crate) struct Write {
    pub token: Token,
    /// The bytes that are not written yet.
    pub payload: Payload,
    /// The descriptor that is sent with the first byte.
    passed: Option<Passed>,
    pub result: Result<()>,
}

impl Write {
    pub fn new(token: Token, payload: Payload) -> Self {
        Self { token, payload, passed: None, result: Ok(()) }
    }

    /// Whether it may be combined with others in one system call. A write that passes a descriptor,
    /// has no bytes or ends with an empty slice is sent by itself.
    fn is_plain(&self) -> bool {
        self.passed.is_none() && !self.payload.is_empty() && !self.payload.ends_with_empty()
    }

    /// Drops payload and descriptor. Returns the token, the result and the number of unsent bytes.
    #[inline]
    pub fn end(&mut self) -> (Token, Result<()>, usize) {
        let left = self.payload.len();
        self.payload.clear();
        self.passed = None;
        (self.token, self.result, left)
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Writes `payload`. As many bytes as possible are written at once, the rest is queued.
    /// [`Completion::Write`] reports the end. `EBADF` without a descriptor, `EPIPE` if the stream
    /// is not writable, `EINVAL` if the payload is too large.
    ///
    /// Corked writes, also of other streams, are sent first.
    ///
    /// [`Completion::Write`]: crate::Completion::Write
    #[doc(alias = "uv_write")]
    pub fn write(&mut self, token: Token, payload: Payload, passed: Option<Passed>) -> Result<()> {
        self.body().check_writable(payload.len(), passed.is_some())?;
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

    /// As [`write`](Self::write), for borrowed bytes. If they are neither written at once nor corked,
    /// `keep` makes an owned payload of them. Returns how many bytes are queued on the stream.
    pub fn write_or_keep(
        &mut self,
        token: Token,
        slices: &[IoSlice<'_>],
        keep: impl FnOnce() -> Payload,
    ) -> Result<usize> {
        self.attempt_or_keep(token, slices, keep, true)
    }

    /// As [`write_or_keep`](Self::write_or_keep), for a host that needs no completion. Only bytes that
    /// cannot be sent at once are reported.
    pub fn write_unreported(
        &mut self,
        token: Token,
        slices: &[IoSlice<'_>],
        keep: impl FnOnce() -> Payload,
    ) -> Result<()> {
        self.attempt_or_keep(token, slices, keep, false).map(drop)
    }

    #[inline(always)]
    fn attempt_or_keep(
        &mut self,
        token: Token,
        slices: &[IoSlice<'_>],
        keep: impl FnOnce() -> Payload,
        reports: bool,
    ) -> Result<usize> {
        let total = payload::total_len(slices);
        if self.corks(total)? {
            self.append(token, slices, reports);
            return Ok(0);
        }
        if self.engine.cork.is_pending() {
            self.engine.flush_cork();
        }
        let Engine { table, streams, active, deferred, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let is_plain = body.may_attempt()
            && body.queued.is_empty()
            && slices.len() <= payload::MAX_SLICES
            && !payload::ends_with_empty(slices);
        if !is_plain {
            self.write(token, keep(), None)?;
            return Ok(self.body().unsent);
        }
        body.check_writable(total, false)?;
        let sent = body.transmit(slices);
        if !reports && sent == Ok(total) {
            return Ok(0);
        }
        active.requests += 1;
        match sent {
            Ok(count) if count == total => {
                streams.push_done(body, token);
                // As `settle`, without its checks, because nothing is queued.
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

    /// Queues a write until the descriptor is writable.
    pub(super) fn push_queued(&mut self, write: Write) {
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        body.unsent += write.payload.len();
        streams.writes.push(&mut body.queued, write);
    }

    /// Adds a finished write, to be reported.
    pub(super) fn push_done(&mut self, token: Token) {
        let Engine { table, streams, .. } = &mut *self.engine;
        streams.push_done(&mut table.streams[self.id.index()].body, token);
    }

    /// Adds a failed write, to be reported.
    pub(super) fn push_failed(&mut self, write: Write, error: Errno) {
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        body.unsent += write.payload.len();
        streams.writes.push(&mut body.done, Write { result: Err(error), ..write });
    }

    /// Updates deferral and interest after the lists of writes have changed.
    pub(super) fn settle(&mut self) {
        if !self.body().done.is_empty() {
            self.defer();
        }
        self.update();
    }

    /// Writes as many bytes as possible at once. Returns their number. `EAGAIN` if the write
    /// would block, or writes are queued.
    #[doc(alias = "uv_try_write")]
    #[inline]
    pub fn try_write(
        &mut self,
        slices: &[IoSlice<'_>],
        descriptor: Option<BorrowedFd<'_>>,
    ) -> Result<usize> {
        self.try_write_sized(slices, payload::total_len(slices), descriptor)
    }

    /// As [`try_write`](Self::try_write), for slices of `size` bytes in total.
    #[inline(always)]
    pub(super) fn try_write_sized(
        &mut self,
        slices: &[IoSlice<'_>],
        size: usize,
        descriptor: Option<BorrowedFd<'_>>,
    ) -> Result<usize> {
        if self.engine.cork.is_pending() {
            self.engine.flush_cork();
        }
        let body = self.body();
        if !body.may_attempt() {
            return Err(Errno::EAGAIN);
        }
        body.check_writable(size, descriptor.is_some())?;
        match descriptor {
            Some(descriptor) => net::send_with_descriptor(body.fd()?, slices, descriptor),
            None => body.transmit(slices),
        }
    }

    /// Whether a write is attempted at once. Otherwise it is queued, and a try fails with `EAGAIN`.
    pub fn attempts_writes(&mut self) -> bool {
        self.body().may_attempt()
    }

    /// Requests a [`Completion::Writable`] when [`try_write`](Self::try_write) can be tried again.
    ///
    /// [`Completion::Writable`]: crate::Completion::Writable
    pub fn await_room(&mut self) {
        self.body().flags.insert(Flags::AWAITS_WRITABLE);
        self.update();
    }

    /// Shuts the writing side down when everything is written. `ENOTCONN` if the stream is not
    /// writable, or a shutdown was requested before.
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
            self.defer();
        }
        Ok(())
    }

    /// Sends queued writes until one would block. A stream that corks sends many with one system call.
    /// Otherwise they are sent one by one, as in libuv: the peer may receive them as packets, and each
    /// has its own error.
    #[inline(never)]
    pub(super) fn flush(&mut self) {
        let id = self.id;
        let Engine { table, streams, deferred, .. } = &mut *self.engine;
        loop {
            let body = &table.streams[id.index()].body;
            let Some(first) = streams.writes.iter(&body.queued).next() else { return };
            if body.fd().is_err() {
                return;
            }
            let passed = first.passed.as_ref().map(|passed| {
                let found = match passed {
                    Passed::Handle(id) => table.descriptor(*id),
                    Passed::Foreign(foreign) => (foreign.find)(&foreign.token),
                };
                found.ok_or(Errno::EBADF)
            });
            // The common case is one write with few slices, for which a small array is enough.
            let is_small = first.payload.remaining_slices() <= FEW;
            let writes = &streams.writes;
            let merges = body.is(Flags::CORKS) && writes.only(&body.queued).is_none();
            let sent = passed.transpose().and_then(|passed| {
                if is_small && !merges {
                    body.send::<FEW>(passed, writes, merges)
                } else {
                    body.send::<{ payload::MAX_SLICES }>(passed, writes, merges)
                }
            });
            let body = &mut table.streams[id.index()].body;
            match sent {
                Ok(sent) => {
                    body.unsent -= sent.bytes;
                    let writes = &mut streams.writes;
                    let finished = finish(writes, &mut body.queued, &mut body.done, &sent);
                    // As in libuv the next pending phase handles a stream that has finished a queued
                    // write, and reports what its callbacks have written.
                    if finished > 0 && !body.flags.put(Flags::DEFERRED) {
                        deferred.queue.push_back(Deferred::Stream(id));
                    }
                    if finished < sent.writes {
                        // The rest waits for the next writable event, as in libuv.
                        return;
                    }
                }
                Err(Errno::EAGAIN) => return,
                Err(error) => {
                    let write = streams.writes.first_mut(&body.queued).expect("not empty");
                    write.result = Err(error);
                    streams.writes.shift(&mut body.queued, &mut body.done);
                    // The next write is attempted after this one is reported.
                    return self.defer();
                }
            }
        }
    }

    /// Fails all queued writes.
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
    /// Whether a new write is attempted at once. It is queued behind writes that are unsent, or have
    /// failed and are not reported yet.
    #[inline]
    fn may_attempt(&self) -> bool {
        self.unsent == 0 && !self.role.is_connecting()
    }

    /// Checks the arguments of a write. The errors are those of [`StreamMut::write`].
    #[inline]
    pub(super) fn check_writable(&self, size: usize, passes: bool) -> Result<()> {
        if size > payload::MAX_BYTES {
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

    /// Writes with the system call for this descriptor.
    #[inline(always)]
    pub(super) fn transmit(&self, slices: &[IoSlice<'_>]) -> Result<usize> {
        let fd = self.fd()?;
        if self.is(Flags::SOCKET) { net::send(fd, slices) } else { fd::write(fd, slices) }
    }

    /// Sends the first queued write, or as many as fit into one system call.
    #[inline(never)] // It has `N` slices on its stack.
    fn send<const N: usize>(
        &self,
        passed: Option<BorrowedFd<'_>>,
        writes: &Arena<Write>,
        merges: bool,
    ) -> Result<Sent> {
        let mut slices = Slices::<N>::new();
        let mut queue = writes.iter(&self.queued);
        let first = queue.next().expect("a queue that is not empty");
        let fits = first.payload.gather(&mut slices);
        let mut count = 1;
        let bytes = match passed {
            // A write that passes a descriptor is not combined with others.
            Some(passed) => net::send_with_descriptor(self.fd()?, slices.as_slices(), passed)?,
            None => {
                if merges && fits && first.is_plain() {
                    for write in queue.take_while(|write| write.is_plain()) {
                        if write.payload.remaining_slices() > slices.remaining_capacity() {
                            break;
                        }
                        write.payload.gather(&mut slices);
                        count += 1;
                    }
                }
                self.transmit(slices.as_slices())?
            }
        };
        Ok(Sent { bytes, writes: count })
    }
}

impl StreamState {
    /// Adds a finished write, to be reported.
    #[inline(always)]
    fn push_done(&mut self, body: &mut Stream, token: Token) {
        let renew = |write: &mut Write| (write.token, write.result) = (token, Ok(()));
        let make = || Write::new(token, Payload::EMPTY);
        self.writes.push_with(&mut body.done, renew, make);
    }
}

/// The result of one system call.
struct Sent {
    bytes: usize,
    /// The number of queued writes that were passed to the system.
    writes: usize,
}

/// Moves completely written writes from `queued` to `done`. Returns their number.
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
