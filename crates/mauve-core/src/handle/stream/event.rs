//! Handles readiness events of streams, step by step.
//!
//! A deferred stream takes the same steps as one that is ready for writing. Callbacks run between two
//! steps and may change the stream in any way, so each step checks its state again.

use mauve_sys::driver::{Driver, Readiness};
use mauve_sys::{Errno, Result};

use super::read::ATTEMPTS_PER_EVENT;
use super::{Flags, Role, Shutdown, Stream, StreamMut, Write};
use crate::Engine;
use crate::completion::Completion;
use crate::handle::socket::SocketEvent;
use crate::id::{HandleId, HandleKind, Token};
use crate::slab::{Entry, Life};

/// The event that is being handled, and its next step.
pub(crate) struct StreamEvent {
    pub id: HandleId,
    pub readiness: Readiness,
    step: StreamStep,
    /// How many reads or accepts may follow.
    attempts_left: u8,
    /// The last read filled its buffer.
    pub read_again: bool,
    /// The last read has failed, and its error is reported.
    pub read_failed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamStep {
    /// End the connect request.
    Connect,
    /// Accept a connection of a listener.
    Accept,
    /// A connection was reported.
    Accepted,
    /// The connect request was reported.
    Connected,
    Read,
    Write,
    /// Report this number of writes, then continue.
    Written(u32),
    /// Report this number of writes, then end.
    Cancelled(u32),
    Drained,
    End,
}

impl StreamEvent {
    fn new(id: HandleId, readiness: Readiness, step: StreamStep) -> Self {
        Self {
            id,
            readiness,
            step,
            attempts_left: ATTEMPTS_PER_EVENT,
            read_again: false,
            read_failed: false,
        }
    }
}

impl StreamEvent {
    /// Whether no further step is needed after a read, which is the common case.
    #[inline(always)]
    pub fn is_complete(&self) -> bool {
        self.step == StreamStep::Read
            && !self.read_again
            && !self.read_failed
            && self.readiness.difference(Readiness::READABLE).is_empty()
    }
}

impl<D: Driver> Engine<D> {
    /// Starts handling a readiness event of a stream. Returns the first completion directly if it is to
    /// read, which is the common case.
    #[inline(always)]
    pub(crate) fn begin_stream_event(
        &mut self,
        id: HandleId,
        readiness: Readiness,
    ) -> Option<Completion> {
        let Some(Entry { head, body }) = self.table.streams.get_mut(id) else {
            self.renew_driver();
            return None;
        };
        let wanted = body.source.take_event(id, readiness, &mut self.poll, &mut self.driver);
        if !wanted && !readiness.intersects(Readiness::ERROR | Readiness::HANGUP) {
            return None;
        }
        let mut event = StreamEvent::new(id, readiness, body.first_step(StreamStep::Read));
        let reads = event.step == StreamStep::Read
            && body.is(Flags::READING)
            && readiness.contains(Readiness::READABLE);
        event.attempts_left -= u8::from(reads);
        self.socket_event = SocketEvent::Stream(event);
        if reads { Some(Completion::Readable(head.token)) } else { self.advance_stream_event() }
    }

    /// Starts handling a stream that was deferred: it counts as ready for writing. Returns its
    /// first completion.
    pub(crate) fn begin_deferred_stream(&mut self, id: HandleId) -> Option<Completion> {
        let Entry { body, .. } = self.table.streams.get_mut(id)?;
        body.flags.remove(Flags::DEFERRED);
        let first = body.first_step(StreamStep::Write);
        let event = StreamEvent::new(id, Readiness::WRITABLE, first);
        self.socket_event = SocketEvent::Stream(event);
        self.advance_stream_event()
    }

    /// Advances the current event to its next completion. Steps advance nowhere else.
    #[inline(never)]
    pub(crate) fn advance_stream_event(&mut self) -> Option<Completion> {
        let StreamEvent { id, readiness, mut step, .. } = *self.socket_event.stream()?;
        // The last callback may have closed the stream. Writes that one flush has finished are still
        // reported consecutively.
        let continues = match self.table.streams.find(id) {
            None => false,
            Some(index) if self.table.streams[index].head.life() == Life::Closing => {
                matches!(
                    step,
                    StreamStep::Written(_) | StreamStep::Cancelled(_) | StreamStep::Drained
                )
            }
            Some(_) => true,
        };
        while continues && step != StreamStep::End {
            let completion = StreamMut { engine: self, id }.take_step(&mut step, readiness);
            if completion.is_some() {
                if let Some(event) = self.socket_event.stream() {
                    event.step = step;
                }
                return completion;
            }
        }
        self.socket_event.end();
        None
    }

    /// Defers the remaining completions of a stream whose event is abandoned.
    pub(crate) fn defer_rest_of_stream(&mut self, id: HandleId) {
        let Some(mut stream) = self.stream(id) else { return };
        let body = stream.body();
        if !body.done.is_empty() || body.shutdown == Shutdown::Wanted {
            stream.defer();
        }
    }

    /// The driver refused to watch the stream's descriptor. The connect request, the listener,
    /// reading and queued writes fail with the error.
    pub(crate) fn stream_failed(&mut self, id: HandleId, error: Errno) -> Option<Completion> {
        let Engine { table, registrations, .. } = &mut *self;
        let Entry { head, body } = table.streams.get_mut(id)?;
        if head.life() == Life::Closing {
            return None;
        }
        let token = head.token;
        // The driver has what it had before.
        let registered = body.source.registration.registered();
        let _ = registrations.register(id, &mut body.source, registered);
        let mut stream = StreamMut { engine: self, id };
        let (step, first) = match stream.body().role {
            Role::Connecting | Role::Refused => {
                stream.delay(Some(error));
                (StreamStep::Connect, None)
            }
            Role::Listening => {
                stream.body().role = Role::Bound;
                (StreamStep::End, Some(Completion::Connection { token, result: Err(error) }))
            }
            Role::Fresh | Role::Bound | Role::Connected => {
                let lost = Flags::READABLE | Flags::WRITABLE | Flags::READING;
                let reading = stream.is_reading();
                stream.body().flags.remove(lost);
                stream.fail_writes(error);
                let failed = reading.then_some(Completion::ReadFailed { token, error });
                (StreamStep::Written(stream.count_written()), failed)
            }
        };
        stream.update();
        let event = StreamEvent::new(id, Readiness::empty(), step);
        self.socket_event = SocketEvent::Stream(event);
        first
    }

    /// The next unfinished request of a closing stream, cancelled.
    pub(crate) fn next_cancelled(&mut self, id: HandleId) -> Option<Completion> {
        let mut stream = StreamMut { engine: self, id };
        if let Some(completion) = stream.cancel_connecting() {
            return Some(completion);
        }
        stream.fail_writes(Errno::ECANCELED);
        stream.next_written().or_else(|| stream.end_shutdown(true))
    }
}

impl Stream {
    /// The first step of an event: `connected` for a connected stream.
    #[inline]
    fn first_step(&self, connected: StreamStep) -> StreamStep {
        match self.role {
            Role::Connecting | Role::Refused => StreamStep::Connect,
            Role::Listening if connected == StreamStep::Read => StreamStep::Accept,
            _ => connected,
        }
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Takes one step. Returns the completion to report, if any, and sets the next step.
    #[inline(always)]
    fn take_step(&mut self, step: &mut StreamStep, readiness: Readiness) -> Option<Completion> {
        let failure = Readiness::ERROR | Readiness::HANGUP;
        match *step {
            StreamStep::Connect => {
                *step = StreamStep::Connected;
                return self.finish_connecting();
            }
            StreamStep::Accept => {
                *step = StreamStep::Accepted;
                let token = self.token();
                let result = if self.postpone_accept() { Ok(()) } else { self.accept_or_end()? };
                return Some(Completion::Connection { token, result });
            }
            StreamStep::Accepted if self.accepts_again() => *step = StreamStep::Accept,
            StreamStep::Accepted => {
                self.update();
                *step = StreamStep::End;
            }
            StreamStep::Connected => {
                let role = self.body().role;
                if !role.is_connecting() && role != Role::Connected {
                    self.fail_writes(Errno::ECANCELED);
                    self.update();
                    *step = StreamStep::Cancelled(self.count_written());
                } else {
                    if self.may_shut_down() {
                        self.defer();
                    }
                    *step = StreamStep::End;
                }
            }
            StreamStep::Read => {
                let (token, reading) = (self.token(), self.is_reading());
                let event = self.engine.socket_event.stream().expect("an event is being handled");
                if event.read_failed {
                    self.stop_reading();
                    *step = StreamStep::Write;
                    return None;
                }
                let first = event.attempts_left == ATTEMPTS_PER_EVENT;
                let has_ended =
                    first && readiness.is_only_hangup() && self.id.kind() != HandleKind::Tty;
                if reading && has_ended {
                    // There is nothing to read. A terminal is read nevertheless, as in libuv, and
                    // fails with EIO.
                    self.end_reading();
                    *step = StreamStep::Write;
                    return Some(Completion::ReadEnd(token));
                }
                let more = if first {
                    readiness.intersects(Readiness::READABLE | failure)
                } else {
                    event.read_again && event.attempts_left > 0
                };
                if more {
                    event.attempts_left -= 1;
                    event.read_again = false;
                }
                if more && reading {
                    return Some(Completion::Readable(token));
                }
                let writes = readiness.intersects(Readiness::WRITABLE | failure);
                *step = if writes { StreamStep::Write } else { StreamStep::End };
            }
            StreamStep::Write if !readiness.intersects(Readiness::WRITABLE | failure) => {
                *step = StreamStep::End;
            }
            StreamStep::Write if self.body().queued.is_empty() => {
                *step = StreamStep::Written(self.count_written());
            }
            StreamStep::Write => {
                let before = self.body().unsent;
                self.flush();
                self.update();
                *step = StreamStep::Written(self.count_written());
                let unsent = self.body().unsent;
                if unsent != before && self.body().done.is_empty() {
                    return Some(Completion::Progress { token: self.token(), unsent });
                }
            }
            StreamStep::Written(0) => {
                let body = self.body();
                let writable = body.queued.is_empty() && body.flags.take(Flags::AWAITS_WRITABLE);
                let wanted = body.shutdown == Shutdown::Wanted;
                *step = if writable || wanted { StreamStep::Drained } else { StreamStep::End };
                if writable {
                    self.update();
                    return Some(Completion::Writable(self.token()));
                }
            }
            StreamStep::Written(count) => {
                *step = StreamStep::Written(count - 1);
                return self.next_written();
            }
            StreamStep::Cancelled(0) => *step = StreamStep::End,
            StreamStep::Cancelled(count) => {
                *step = StreamStep::Cancelled(count - 1);
                return self.next_written();
            }
            StreamStep::Drained => {
                *step = StreamStep::End;
                let closing = self.is_closing();
                if self.body().queued.is_empty() {
                    return self.end_shutdown(closing);
                }
            }
            StreamStep::End => {}
        }
        None
    }

    /// Whether the stream is to be read again in this event, because the last read filled its buffer.
    ///
    /// After [`Completion::Readable`] and [`read`](Self::read) a host may read again while this is true,
    /// instead of taking the next step from the engine, which would be the same.
    pub fn may_read_more(&mut self) -> bool {
        let reading = self.is_reading();
        let id = self.id;
        let event = self.engine.socket_event.stream().filter(|event| event.id == id);
        let Some(event) = event.filter(|event| event.step == StreamStep::Read) else {
            return false;
        };
        let more = reading && event.read_again && event.attempts_left > 0;
        if more {
            event.attempts_left -= 1;
            event.read_again = false;
        }
        more
    }

    /// Accepts the next connection of a burst, after [`Completion::Connection`] and
    /// [`take`](Self::take). Returns whether there is one to take, which is not reported.
    ///
    /// A host may call this instead of taking the next step from the engine, which would be the same. One
    /// that accepts [on demand](Self::accept_on_demand) calls it for the first connection, too, at any time.
    pub fn accept_next(&mut self) -> Result<bool> {
        let id = self.id;
        if self.body().flags.take(Flags::ACCEPT_READY) {
            let accepted = self.accept_or_end();
            self.update();
            return accepted.transpose().map(|accepted| accepted.is_some());
        }
        let event = self.engine.socket_event.stream();
        let is_next =
            event.is_some_and(|event| event.id == id && event.step == StreamStep::Accepted);
        if !is_next || !self.accepts_again() {
            return Ok(false);
        }
        self.accept_or_end().transpose().map(|accepted| accepted.is_some())
    }

    /// Accepts a connection. Unless there is one, the event ends. Returns the result to report, if any.
    fn accept_or_end(&mut self) -> Option<Result<()>> {
        let accepted = self.accept();
        if accepted != Some(Ok(())) {
            self.end_accepting();
        }
        accepted
    }

    /// Whether another connection is to be accepted in this event, after one was reported.
    fn accepts_again(&mut self) -> bool {
        let Engine { table, streams, socket_event, poll, .. } = &mut *self.engine;
        let Some(event) = socket_event.stream().filter(|_| streams.accepts_in_bursts) else {
            return false;
        };
        let body = &table.streams[self.id.index()].body;
        let accepts = body.role == Role::Listening
            && body.accepted.is_none()
            && !body.is(Flags::ACCEPT_PAUSED)
            && event.attempts_left > 0;
        if accepts && event.attempts_left == ATTEMPTS_PER_EVENT {
            // Another attempt is a wasted system call, unless connections arrive in a burst. Then the
            // listener was also ready in the last batch of events.
            let last = streams.last_accept.replace((self.id, poll.batch()));
            if last != Some((self.id, poll.batch() - 1)) {
                event.attempts_left = 0;
                return false;
            }
        }
        event.attempts_left -= u8::from(accepts);
        accepts
    }

    /// No further connection is accepted in this event, because there is none, or because of an error.
    fn end_accepting(&mut self) {
        let id = self.id;
        let Engine { streams, socket_event, .. } = &mut *self.engine;
        let Some(event) = socket_event.stream().filter(|event| event.id == id) else { return };
        if event.attempts_left == ATTEMPTS_PER_EVENT - 1 {
            // One connection is not a burst.
            streams.last_accept = None;
        }
        event.attempts_left = 0;
    }

    fn token(&mut self) -> Token {
        self.entry().head.token
    }

    /// The number of finished writes.
    fn count_written(&mut self) -> u32 {
        let done = self.body().done;
        self.engine.streams.writes.count(&done)
    }

    /// Whether a shutdown is requested and nothing is left to write.
    fn may_shut_down(&mut self) -> bool {
        let body = self.body();
        body.queued.is_empty() && body.shutdown == Shutdown::Wanted
    }

    /// The completion of the next finished write.
    #[inline(never)]
    fn next_written(&mut self) -> Option<Completion> {
        let Engine { table, streams, active, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let (token, result, left) = streams.writes.pop_with(&mut body.done, Write::end)?;
        active.end_request();
        body.unsent -= left;
        // One write has less than 2^31 bytes.
        Some(Completion::Write { token, result, unwritten: left as u32, unsent: body.unsent })
    }

    /// Shuts the writing side down, if requested.
    fn end_shutdown(&mut self, cancelled: bool) -> Option<Completion> {
        if self.body().shutdown != Shutdown::Wanted {
            return None;
        }
        let token = self.cold()?.shutdown.take()?;
        self.free_empty_cold();
        let body = self.body();
        body.shutdown = Shutdown::Done;
        let result = if cancelled {
            Err(Errno::ECANCELED)
        } else {
            body.fd().and_then(mauve_sys::net::shutdown_write)
        };
        if result.is_ok() && !body.is(Flags::READABLE) {
            self.close_ended();
        }
        self.engine.active.end_request();
        Some(Completion::Shutdown { token, result })
    }
}
