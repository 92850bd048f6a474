//! What happens when a stream's descriptor is ready, and in which order.
//!
//! The same steps serve a readiness event and a deferred stream, which counts as ready for writing.
//! Between two steps a callback may have done anything to the stream, so each step checks it again.

use mauve_sys::Errno;
use mauve_sys::driver::{Driver, Readiness};

use super::read::READS_PER_EVENT;
use super::{Flags, Role, Shutdown, Stream, StreamMut, Write};
use crate::Engine;
use crate::completion::Completion;
use crate::id::{HandleId, Token};
use crate::io;
use crate::slab::{Entry, Life};

/// The event that is being handled, and how far it is.
pub(crate) struct StreamEvent {
    pub id: HandleId,
    readiness: Readiness,
    step: Step,
    reads_left: u8,
    /// The last read filled its buffer.
    pub read_again: bool,
    /// The last read has failed, which was reported.
    pub read_failed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A connection is being made, or has failed.
    Connect,
    /// A listener has connections.
    Accept,
    /// A connection was announced.
    Announced,
    /// A connection failed, or was made.
    Connected,
    Read,
    Write,
    /// So many writes are to be reported.
    Written(u32),
    /// So many writes are to be reported, and nothing else.
    Cancelled(u32),
    Drained,
    End,
}

impl StreamEvent {
    fn new(id: HandleId, readiness: Readiness, step: Step) -> Self {
        Self {
            id,
            readiness,
            step,
            reads_left: READS_PER_EVENT,
            read_again: false,
            read_failed: false,
        }
    }
}

impl StreamEvent {
    /// Whether the peer is not known to have written its last.
    pub fn may_go_on(&self) -> bool {
        let last = Readiness::DISCONNECT | Readiness::HANGUP | Readiness::ERROR;
        !self.readiness.intersects(last)
    }

    /// Whether no step has anything left to do after a read, which is the common case.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.step == Step::Read
            && !self.read_again
            && !self.read_failed
            && self.readiness.difference(Readiness::READABLE).is_empty()
    }
}

impl<D: Driver> Engine<D> {
    /// Starts handling a readiness event of a stream. Returns its first completion.
    pub(crate) fn begin_stream_event(
        &mut self,
        id: HandleId,
        readiness: Readiness,
    ) -> Option<Completion> {
        let Some(Entry { body, .. }) = self.table.streams.get_mut(id) else {
            self.told_of_nobody();
            return None;
        };
        // Until a read shows otherwise.
        body.source.watch.unread = true;
        if body.is(Flags::EDGE) && readiness.contains(Readiness::PRIORITIZED) {
            // Reads stop short of urgent data, so a short read does not say that all is read.
            body.flags.remove(Flags::EDGE);
            StreamMut { engine: self, id }.update();
            return self.begin_stream_event(id, readiness);
        }
        let wanted = body.source.wanted();
        self.poll.note_readiness(readiness, wanted);
        if readiness.wanted(wanted).is_empty() {
            io::withdraw(id, body.source.parts(), &mut self.driver);
            if !readiness.intersects(Readiness::ERROR | Readiness::HANGUP) {
                return None;
            }
        }
        let first = body.first_step(Step::Read);
        self.streams.event = Some(StreamEvent::new(id, readiness, first));
        self.advance_stream_event()
    }

    /// Starts handling a stream that was deferred: it counts as ready for writing. Returns its
    /// first completion.
    pub(crate) fn begin_deferred_stream(&mut self, id: HandleId) -> Option<Completion> {
        let Entry { body, .. } = self.table.streams.get_mut(id)?;
        body.flags.remove(Flags::DEFERRED);
        let first = body.first_step(Step::Write);
        self.streams.event = Some(StreamEvent::new(id, Readiness::WRITABLE, first));
        self.advance_stream_event()
    }

    /// The next completion of the stream whose event is being handled.
    #[inline(always)]
    pub(crate) fn next_of_stream(&mut self) -> Option<Completion> {
        if self.streams.event.is_some() { self.advance_stream_event() } else { None }
    }

    /// Advances the current event to its next completion. Steps advance nowhere else.
    #[inline(never)]
    fn advance_stream_event(&mut self) -> Option<Completion> {
        let StreamEvent { id, readiness, mut step, .. } = *self.streams.event.as_ref()?;
        // The last callback may have closed the stream. Writes that were done in one flush are
        // reported in one go all the same.
        let goes_on = match self.table.streams.find(id) {
            None => false,
            Some(index) if self.table.streams[index].head.life() == Life::Closing => {
                matches!(step, Step::Written(_) | Step::Cancelled(_) | Step::Drained)
            }
            Some(_) => true,
        };
        while goes_on && step != Step::End {
            let completion = StreamMut { engine: self, id }.take_step(&mut step, readiness);
            if completion.is_some() {
                if let Some(event) = &mut self.streams.event {
                    event.step = step;
                }
                return completion;
            }
        }
        self.end_stream_event(id);
        None
    }

    /// Has the driver report an event again that the current poll phase has not handled. Only
    /// edge-triggered interests need it.
    pub(crate) fn announce_again(&mut self, id: HandleId) {
        if let Some(Entry { head, body }) = self.table.streams.get_mut(id)
            && head.life() == Life::Active
        {
            body.source.watch.unread = true;
            self.watches.review(id, &mut body.source.watch);
        }
    }

    /// Defers what a stream has still to report, because the handling of its event ends here.
    pub(crate) fn defer_rest_of_stream(&mut self, id: HandleId) {
        let Some(mut stream) = self.stream(id) else { return };
        let body = stream.body();
        if !body.done.is_empty() || body.shutdown == Shutdown::Wanted {
            stream.feed();
        }
    }

    /// Ends the event. What was announced and not read is announced again.
    fn end_stream_event(&mut self, id: HandleId) {
        self.streams.event = None;
        let Some(Entry { head, body }) = self.table.streams.get_mut(id) else { return };
        if head.life() == Life::Active {
            self.watches.review(id, &mut body.source.watch);
        }
    }

    /// The driver refused to watch the stream's descriptor. Whatever waits for it fails with the
    /// error: a connection that is being made, a listener, reading, and queued writes.
    pub(crate) fn stream_failed(&mut self, id: HandleId, error: Errno) -> Option<Completion> {
        let Engine { table, watches, .. } = &mut *self;
        let Entry { head, body } = table.streams.get_mut(id)?;
        if head.life() == Life::Closing {
            return None;
        }
        let token = head.token;
        watches.give_up(id, &mut body.source);
        let mut stream = StreamMut { engine: self, id };
        let (step, first) = match stream.body().role {
            Role::Connecting | Role::Refused => {
                stream.delay(Some(error));
                (Step::Connect, None)
            }
            Role::Listening => {
                stream.body().role = Role::Bound;
                (Step::End, Some(Completion::Connection { token, result: Err(error) }))
            }
            Role::Fresh | Role::Bound | Role::Connected => {
                let lost = Flags::READABLE | Flags::WRITABLE | Flags::READING;
                let reading = stream.is_reading();
                stream.body().flags.remove(lost);
                stream.fail_writes(error);
                let failed = reading.then_some(Completion::ReadFailed { token, error });
                (Step::Written(stream.count_written()), failed)
            }
        };
        stream.update();
        self.streams.event = Some(StreamEvent::new(id, Readiness::empty(), step));
        first
    }

    /// What a closing stream leaves undone, one by one.
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
    /// The step with which an event begins: `connected` for a stream that has its peer.
    #[inline]
    fn first_step(&self, connected: Step) -> Step {
        match self.role {
            Role::Connecting | Role::Refused => Step::Connect,
            Role::Listening if connected == Step::Read => Step::Accept,
            _ => connected,
        }
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Takes one step. Returns the completion to report; without one, the next step follows.
    #[inline(always)]
    fn take_step(&mut self, step: &mut Step, readiness: Readiness) -> Option<Completion> {
        let trouble = Readiness::ERROR | Readiness::HANGUP;
        match *step {
            Step::Connect => {
                *step = Step::Connected;
                return self.finish_connecting();
            }
            Step::Accept => {
                *step = Step::Announced;
                return self.announce();
            }
            Step::Announced => {
                self.update();
                *step = Step::End;
            }
            Step::Connected => {
                let role = self.body().role;
                if !role.is_connecting() && role != Role::Connected {
                    self.fail_writes(Errno::ECANCELED);
                    self.update();
                    *step = Step::Cancelled(self.count_written());
                } else {
                    if self.is_idle() {
                        self.feed();
                    }
                    *step = Step::End;
                }
            }
            Step::Read => {
                let (token, reading) = (self.token(), self.is_reading());
                let event = self.engine.streams.event.as_mut().expect("an event is being handled");
                if event.read_failed {
                    self.stop_reading();
                    *step = Step::Write;
                    return None;
                }
                let first = event.reads_left == READS_PER_EVENT;
                if first && readiness.is_only_hangup() && reading {
                    // Nothing is left to be read; a read of a terminal would fail with EIO.
                    self.end_reading();
                    *step = Step::Write;
                    return Some(Completion::ReadEnd(token));
                }
                let more = if first {
                    readiness.intersects(Readiness::READABLE | trouble)
                } else {
                    event.read_again && event.reads_left > 0
                };
                if more {
                    event.reads_left -= 1;
                    event.read_again = false;
                }
                if more && reading {
                    return Some(Completion::Readable(token));
                }
                let writes = readiness.intersects(Readiness::WRITABLE | trouble);
                *step = if writes { Step::Write } else { Step::End };
            }
            Step::Write if !readiness.intersects(Readiness::WRITABLE | trouble) => {
                *step = Step::End;
            }
            Step::Write if self.body().queued.is_empty() => {
                *step = Step::Written(self.count_written());
            }
            Step::Write => {
                let before = self.body().unsent;
                self.flush();
                self.update();
                *step = Step::Written(self.count_written());
                let unsent = self.body().unsent;
                if unsent != before && self.body().done.is_empty() {
                    return Some(Completion::Progress { token: self.token(), unsent });
                }
            }
            Step::Written(0) => {
                let body = self.body();
                let room = body.queued.is_empty() && body.flags.take(Flags::AWAITS_ROOM);
                let wanted = body.shutdown == Shutdown::Wanted;
                *step = if room || wanted { Step::Drained } else { Step::End };
                if room {
                    self.update();
                    return Some(Completion::Writable(self.token()));
                }
            }
            Step::Written(count) => {
                *step = Step::Written(count - 1);
                return self.next_written();
            }
            Step::Cancelled(0) => *step = Step::End,
            Step::Cancelled(count) => {
                *step = Step::Cancelled(count - 1);
                return self.next_written();
            }
            Step::Drained => {
                *step = Step::End;
                let closing = self.is_closing();
                if self.body().queued.is_empty() {
                    return self.end_shutdown(closing);
                }
            }
            Step::End => {}
        }
        None
    }

    fn token(&mut self) -> Token {
        self.entry().head.token
    }

    /// How many writes are done now.
    fn count_written(&mut self) -> u32 {
        let done = self.body().done;
        self.engine.streams.writes.count(&done)
    }

    /// Whether nothing is left to do before a shutdown.
    fn is_idle(&mut self) -> bool {
        let body = self.body();
        body.queued.is_empty() && body.shutdown == Shutdown::Wanted
    }

    /// The next write that is done.
    #[inline(never)]
    fn next_written(&mut self) -> Option<Completion> {
        let Engine { table, streams, active, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let (token, result, left) = streams.writes.pop_with(&mut body.done, Write::end)?;
        active.requests -= 1;
        body.unsent -= left;
        Some(Completion::Write { token, result, unsent: body.unsent })
    }

    /// Shuts the writing side down, if that is wanted.
    fn end_shutdown(&mut self, cancelled: bool) -> Option<Completion> {
        if self.body().shutdown != Shutdown::Wanted {
            return None;
        }
        let token = self.cold()?.shutdown.take()?;
        self.tidy_cold();
        let body = self.body();
        body.shutdown = Shutdown::Done;
        let result = if cancelled {
            Err(Errno::ECANCELED)
        } else {
            body.fd().and_then(mauve_sys::net::shut_down_writing)
        };
        self.engine.active.requests -= 1;
        Some(Completion::Shutdown { token, result })
    }
}
