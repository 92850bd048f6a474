//! Writing, shutting down, and passing descriptors.

use mauve_sys::descriptor::BorrowedDescriptor;
use std::io::IoSlice;
use std::sync::Arc;

use mauve_sys::driver::Driver;
use mauve_sys::payload::{self, Payload, Slices};
use mauve_sys::{Errno, Result, fd, net};

use super::{Flags, Shutdown, Stream, StreamMut, StreamState};
use crate::Engine;
use crate::id::{HandleId, Token};
use crate::phase::Deferred;
use crate::schedule::LoopSchedule;

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
    pub find: for<'a> fn(&'a Token) -> Option<BorrowedDescriptor<'a>>,
}

/// The bytes of a write. Only what cannot be written at once becomes a payload.
pub trait WriteBytes {
    /// Calls `use_slices` with the bytes and their number.
    fn with_slices<R>(&self, use_slices: impl FnOnce(&[IoSlice<'_>], usize) -> R) -> R;

    /// Makes a payload of the bytes.
    fn into_payload(self) -> Payload;
}

impl WriteBytes for Payload {
    fn with_slices<R>(&self, use_slices: impl FnOnce(&[IoSlice<'_>], usize) -> R) -> R {
        let mut slices = Slices::<{ payload::MAX_SLICES }>::new();
        self.gather(&mut slices);
        use_slices(slices.as_slices(), self.len())
    }

    fn into_payload(self) -> Payload {
        self
    }
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
    /// Writes `bytes`. As many as possible are written at once, the rest is queued.
    /// [`Completion::Write`] reports the end. Returns how many bytes are queued on the stream. `EBADF`
    /// without a descriptor, `EPIPE` if the stream is not writable, `EINVAL` if there are too many bytes.
    ///
    /// [`Completion::Write`]: crate::Completion::Write
    #[doc(alias = "uv_write")]
    #[inline(always)]
    pub fn write(
        &mut self,
        token: Token,
        bytes: impl WriteBytes,
        passed: Option<Passed>,
    ) -> Result<usize> {
        let Engine { table, streams, active, deferred, schedule, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let attempts = body.may_attempt();
        // Others are sent by `flush`, which finds the descriptor, and sends more slices.
        let is_plain = attempts && body.queued.is_empty() && passed.is_none();
        let attempt = |slices: &[IoSlice<'_>], total: usize| -> Result<_> {
            body.check_writable(total, passed.is_some())?;
            let is_plain = is_plain && slices.len() <= payload::MAX_SLICES;
            Ok(is_plain
                .then(|| body.transmit(slices, schedule).map(|count| (count, count == total))))
        };
        let sent = bytes.with_slices(attempt)?;
        active.begin_request();
        match sent {
            Some(Ok((_, true))) => {
                streams.push_done(body, token);
                // As `defer`. There is nothing to update, because nothing is queued.
                if !body.flags.put(Flags::DEFERRED) {
                    deferred.push(Deferred::Stream(self.id));
                }
                return Ok(body.unsent);
            }
            Some(Ok((count, false))) => {
                let mut rest = bytes.into_payload();
                rest.advance(count);
                self.push_queued(Write::new(token, rest));
            }
            Some(Err(Errno::EAGAIN)) => self.push_queued(Write::new(token, bytes.into_payload())),
            Some(Err(error)) => {
                self.push_failed(Write::new(token, bytes.into_payload()), error);
                self.defer();
            }
            None => {
                self.push_queued(Write { passed, ..Write::new(token, bytes.into_payload()) });
                if attempts {
                    self.flush();
                }
            }
        }
        // A write that was only queued does not defer the stream, as in libuv: it waits for a
        // writable event, also if its callbacks are being called.
        self.update();
        Ok(self.body().unsent)
    }

    /// Whether a write with a descriptor can start: `EBADF` without a socket, `EPIPE` if the stream
    /// is not writable, `EINVAL` if it passes no descriptors.
    pub fn check_passing(&mut self) -> Result<()> {
        self.body().check_writable(0, true)
    }

    /// Cancels a write. If it is queued, it ends with `ECANCELED`, and the bytes that are not sent yet
    /// stay unsent. Otherwise it keeps its result. `EBUSY` if the stream is closing, which cancels its
    /// writes anyway.
    #[doc(alias = "uv_cancel")]
    pub fn cancel_write(&mut self, token: Token) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EBUSY);
        }
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let is_it = |write: &Write| write.token == token;
        if let Some(write) = streams.writes.shift_one(&mut body.queued, &mut body.done, is_it) {
            write.result = Err(Errno::ECANCELED);
            self.defer();
            self.update();
        }
        Ok(())
    }

    /// Queues a write until the descriptor is writable.
    pub(super) fn push_queued(&mut self, write: Write) {
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        body.unsent += write.payload.len();
        streams.writes.push(&mut body.queued, write);
    }

    /// Adds a failed write, to be reported.
    pub(super) fn push_failed(&mut self, write: Write, error: Errno) {
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        body.unsent += write.payload.len();
        streams.writes.push(&mut body.done, Write { result: Err(error), ..write });
    }

    /// Writes as many bytes as possible at once. Returns their number. `EAGAIN` if the write
    /// would block, or writes are queued.
    #[doc(alias = "uv_try_write")]
    #[inline(always)]
    pub fn try_write(
        &mut self,
        slices: &[IoSlice<'_>],
        descriptor: Option<BorrowedDescriptor<'_>>,
    ) -> Result<usize> {
        let Engine { table, schedule, .. } = &mut *self.engine;
        let body = &table.streams[self.id.index()].body;
        if !body.may_attempt() {
            return Err(Errno::EAGAIN);
        }
        body.check_writable(payload::total_len(slices), descriptor.is_some())?;
        match descriptor {
            Some(descriptor) => net::send_with_descriptor(body.fd()?, slices, descriptor),
            None => body.transmit(slices, schedule),
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
        let closing = self.is_closing();
        let body = self.body();
        if !body.is(Flags::WRITABLE) || body.shutdown != Shutdown::No || closing {
            return Err(Errno::ENOTCONN);
        }
        body.shutdown = Shutdown::Wanted;
        body.flags.remove(Flags::WRITABLE);
        let idle = body.queued.is_empty() && !body.role.is_connecting();
        self.cold_or_new().shutdown = Some(token);
        self.engine.active.begin_request();
        if idle {
            self.defer();
        }
        Ok(())
    }

    /// Sends queued writes until one would block. They are sent one by one, as in libuv: the peer may
    /// receive them as packets, and each has its own error.
    #[inline(never)]
    pub(super) fn flush(&mut self) {
        let id = self.id;
        let Engine { table, streams, deferred, schedule, .. } = &mut *self.engine;
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
            let sent = passed.transpose().and_then(|passed| {
                if is_small {
                    body.send::<FEW>(passed, first, schedule)
                } else {
                    body.send::<{ payload::MAX_SLICES }>(passed, first, schedule)
                }
            });
            let body = &mut table.streams[id.index()].body;
            match sent {
                Ok(sent) => {
                    body.unsent -= sent;
                    let write = streams.writes.first_mut(&body.queued).expect("not empty");
                    write.payload.advance(sent);
                    write.passed = None;
                    if !write.payload.is_empty() {
                        // The rest waits for the next writable event, as in libuv.
                        return;
                    }
                    streams.writes.shift(&mut body.queued, &mut body.done);
                    // As in libuv the next pending phase handles a stream that has finished a queued
                    // write, and reports what its callbacks have written.
                    if !body.flags.put(Flags::DEFERRED) {
                        deferred.push(Deferred::Stream(id));
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
    pub(super) fn transmit(
        &self,
        slices: &[IoSlice<'_>],
        schedule: &Option<Arc<LoopSchedule>>,
    ) -> Result<usize> {
        let fd = self.fd()?;
        if self.flags.intersection(Flags::SOCKET | Flags::SCHEDULED) == Flags::SOCKET {
            return net::send(fd, slices);
        }
        if let Some(schedule) = schedule
            && !self.is(Flags::BLOCKS)
            && let Some(error) = schedule.send_fault(fd, self.is(Flags::UNSHARED))
        {
            return Err(error);
        }
        match schedule {
            // The kernel writes a small message to a pipe as a whole, and a blocking write all of it.
            Some(schedule) if self.is(Flags::SOCKET) && !self.is(Flags::BLOCKS) => {
                net::send(fd, &schedule.write_part(slices))
            }
            _ if self.is(Flags::SOCKET) => net::send(fd, slices),
            _ => fd::write(fd, slices),
        }
    }

    /// Sends a queued write.
    #[inline(never)] // It has `N` slices on its stack.
    fn send<const N: usize>(
        &self,
        passed: Option<BorrowedDescriptor<'_>>,
        write: &Write,
        schedule: &Option<Arc<LoopSchedule>>,
    ) -> Result<usize> {
        let mut slices = Slices::<N>::new();
        write.payload.gather(&mut slices);
        match passed {
            Some(passed) => net::send_with_descriptor(self.fd()?, slices.as_slices(), passed),
            None => self.transmit(slices.as_slices(), schedule),
        }
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
