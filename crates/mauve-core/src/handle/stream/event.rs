//! What happens when a stream's descriptor is ready, and in which order.
//!
//! The same steps serve a readiness event and a look in the pending phase, which counts as
//! "ready for writing". Between two steps a callback may have done anything to the stream, so
//! each step looks at it anew.

use mauve_sys::Errno;
use mauve_sys::driver::{Driver, Readiness};

use super::read::READS_PER_EVENT;
use super::{Flags, Role, Shutdown, StreamMut, Write};
use crate::Engine;
use crate::completion::Completion;
use crate::id::HandleId;
use crate::io;
use crate::slab::{Entry, Life};

/// A stream that is being looked after.
pub(crate) struct StreamEvent {
    pub id: HandleId,
    readiness: Readiness,
    step: Step,
    reads_left: u8,
    /// The last read filled its buffer.
    pub read_again: bool,
    /// The last read has failed, and that was told.
    pub read_failed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Begin,
    /// A connection was announced, and so many more may be.
    Announced(u8),
    /// A connection failed, or was made.
    Connected,
    Read,
    Write,
    /// So many writes are to be told of.
    Written(u32),
    /// So many writes are to be told of, and nothing else is going to happen.
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

    /// Whether it is plain, after a read, that no step has anything to do any more, as most of the
    /// time.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.step == Step::Read
            && !self.read_again
            && !self.read_failed
            && self.readiness.difference(Readiness::READABLE).is_empty()
    }
}

impl<D: Driver> Engine<D> {
    /// Begins to look after a stream whose descriptor is ready; returns the first completion, if
    /// it is plain what that is.
    pub(crate) fn begin_stream_event(
        &mut self,
        id: HandleId,
        readiness: Readiness,
    ) -> Option<Completion> {
        let Some(Entry { head, body }) = self.table.streams.get_mut(id) else {
            self.told_of_nobody();
            return None;
        };
        // Until it turns out otherwise.
        body.source.watch.unread = true;
        if body.is(Flags::EDGE) && readiness.contains(Readiness::PRIORITIZED) {
            // Reads stop short of urgent data, so a short read does not say that all is read.
            body.flags.remove(Flags::EDGE);
            StreamMut { engine: self, id }.update();
            return self.begin_stream_event(id, readiness);
        }
        self.poll.note_readiness(readiness, body.source.wanted());
        if readiness.wanted(body.source.wanted()).is_empty() {
            io::withdraw(id, body.source.parts(), &mut self.driver);
        }
        // Most of the time it is a connection that has something to be read.
        let reads = readiness.contains(Readiness::READABLE)
            && !matches!(body.role, Role::Connecting | Role::Refused | Role::Listening)
            && body.is(Flags::READING)
            && head.life == Life::Active;
        let mut event = StreamEvent::new(id, readiness, Step::Begin);
        let mut first = None;
        if reads {
            event.step = Step::Read;
            event.reads_left -= 1;
            first = Some(Completion::Readable(head.token));
        }
        self.streams.event = Some(event);
        first
    }

    /// Begins to look after a stream that was fed; returns the first completion, if it is plain
    /// what that is.
    pub(crate) fn begin_fed_stream(&mut self, id: HandleId) -> Option<Completion> {
        let Entry { head, body } = self.table.streams.get_mut(id)?;
        body.flags.remove(Flags::DEFERRED);
        // Most of the time there are writes that were done at once.
        let plain = body.queued.is_empty() && !body.done.is_empty() && head.life != Life::Closing;
        let step = match body.role {
            Role::Connecting | Role::Refused => Step::Begin,
            _ if plain => Step::Written(self.streams.writes.count(&body.done) - 1),
            _ => Step::Write,
        };
        self.streams.event = Some(StreamEvent::new(id, Readiness::WRITABLE, step));
        match step {
            Step::Written(_) => StreamMut { engine: self, id }.next_written(),
            _ => None,
        }
    }

    /// The next completion of the stream that is being looked after.
    #[inline]
    pub(crate) fn next_of_stream(&mut self) -> Option<Completion> {
        let event = self.streams.event.as_mut()?;
        if let Step::Written(count @ 1..) = event.step
            && let Some(index) = self.table.streams.find(event.id)
            && !self.table.streams[index].body.done.is_empty()
        {
            event.step = Step::Written(count - 1);
            let id = event.id;
            return StreamMut { engine: self, id }.next_written();
        }
        if self.is_looked_after() {
            self.streams.event = None;
            return None;
        }
        self.look_after_stream()
    }

    /// Whether it is plain that no step has anything to do any more, as most of the time.
    #[inline(always)]
    fn is_looked_after(&self) -> bool {
        let Some(event) = &self.streams.event else { return true };
        match event.step {
            Step::Written(0) => self.table.streams.find(event.id).is_none_or(|index| {
                let body = &self.table.streams[index].body;
                !body.is(Flags::AWAITS_ROOM) && body.shutdown != Shutdown::Wanted
            }),
            _ => false,
        }
    }

    #[inline(never)]
    fn look_after_stream(&mut self) -> Option<Completion> {
        loop {
            let StreamEvent { id, readiness, step, .. } = *self.streams.event.as_ref()?;
            let life = self.stream(id).map(|mut stream| stream.entry().head.life);
            // Writes that were done together are told together, whatever the first one closes.
            let goes_on = match (life, step) {
                (None, _) | (_, Step::End) => false,
                (Some(Life::Closing), step) => {
                    matches!(step, Step::Written(_) | Step::Cancelled(_) | Step::Drained)
                }
                _ => true,
            };
            if !goes_on {
                self.end_stream_event(id);
                return None;
            }
            let (next, completion) = StreamMut { engine: self, id }.take_step(step, readiness);
            if completion.is_none() && next == Step::End {
                self.end_stream_event(id);
                return None;
            }
            if let Some(event) = &mut self.streams.event {
                event.step = next;
            }
            if completion.is_some() {
                return completion;
            }
        }
    }

    /// Has the driver report an event again that the current poll phase has not handled. Only
    /// edge-triggered interests need it.
    pub(crate) fn announce_again(&mut self, id: HandleId) {
        if let Some(Entry { head, body }) = self.table.streams.get_mut(id)
            && head.life == Life::Active
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

    /// A stream is looked after. What it was told to read and has not read it is told again.
    fn end_stream_event(&mut self, id: HandleId) {
        self.streams.event = None;
        let Some(Entry { head, body }) = self.table.streams.get_mut(id) else { return };
        if head.life == Life::Active {
            self.watches.review(id, &mut body.source.watch);
        }
    }

    /// A stream whose descriptor the driver refused to watch can be read no more.
    pub(crate) fn stream_failed(&mut self, id: HandleId, error: Errno) -> Option<Completion> {
        let mut stream = self.stream(id)?;
        if stream.is_closing() || !stream.is_reading() {
            return None;
        }
        stream.stop_reading();
        stream.body().flags.remove(Flags::READABLE | Flags::WRITABLE);
        Some(Completion::ReadFailed { token: stream.entry().head.token, error })
    }

    /// What a closing stream leaves undone, one by one.
    pub(crate) fn next_cancelled(&mut self, id: HandleId) -> Option<Completion> {
        let mut stream = StreamMut { engine: self, id };
        if let Some(completion) = stream.cancel_connecting() {
            return Some(completion);
        }
        stream.cancel_writes();
        stream.next_written().or_else(|| stream.end_shutdown(true))
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// Takes one step; returns the next one, and what there is to be told.
    fn take_step(&mut self, step: Step, readiness: Readiness) -> (Step, Option<Completion>) {
        let token = self.entry().head.token;
        let trouble = Readiness::ERROR | Readiness::HANGUP;
        match step {
            Step::Begin => match self.body().role {
                Role::Connecting | Role::Refused => (Step::Connected, self.finish_connecting()),
                Role::Listening => {
                    let (id, batch) = (self.id, self.engine.poll.batch);
                    let count = self.engine.streams.accept_burst.announced(id, batch);
                    (Step::Announced(count - 1), self.announce())
                }
                _ => (Step::Read, None),
            },
            // Nothing is looked for until the one that was announced is taken.
            Step::Announced(left @ 1..) if self.body().accepted.is_none() => {
                let announced = self.announce_another();
                let left = if announced.is_some() { left - 1 } else { 0 };
                (Step::Announced(left), announced)
            }
            Step::Announced(_) => {
                self.update();
                (Step::End, None)
            }
            Step::Connected => {
                let role = self.body().role;
                if !role.is_connecting() && role != Role::Connected {
                    self.cancel_writes();
                    self.update();
                    return (Step::Cancelled(self.count_written()), None);
                }
                if self.is_idle() {
                    self.feed();
                }
                (Step::End, None)
            }
            Step::Read => {
                let reading = self.is_reading();
                let event = self.engine.streams.event.as_mut().expect("being looked after");
                if event.read_failed {
                    self.stop_reading();
                    return (Step::Write, None);
                }
                let first = event.reads_left == READS_PER_EVENT;
                if first && readiness.is_only_hangup() && reading {
                    // Nothing is left to be read; a read of a terminal would fail with EIO.
                    self.end_reading();
                    return (Step::Write, Some(Completion::ReadEnd(token)));
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
                    (Step::Read, Some(Completion::Readable(token)))
                } else if readiness.intersects(Readiness::WRITABLE | trouble) {
                    (Step::Write, None)
                } else {
                    (Step::End, None)
                }
            }
            Step::Write => {
                if !readiness.intersects(Readiness::WRITABLE | trouble) {
                    return (Step::End, None);
                }
                let before = self.body().unsent;
                if !self.body().queued.is_empty() {
                    self.flush();
                    self.update();
                }
                let unsent = self.body().unsent;
                let progress = unsent != before && self.body().done.is_empty();
                let progress = progress.then_some(Completion::Progress { token, unsent });
                (Step::Written(self.count_written()), progress)
            }
            Step::Written(0) => {
                let body = self.body();
                let room = body.queued.is_empty() && body.flags.take(Flags::AWAITS_ROOM);
                if room {
                    self.update();
                }
                // Most streams have nothing left to do then.
                let wanted = self.body().shutdown == Shutdown::Wanted;
                let next = if room || wanted { Step::Drained } else { Step::End };
                (next, room.then_some(Completion::Writable(token)))
            }
            Step::Written(count) => (Step::Written(count - 1), self.next_written()),
            Step::Cancelled(0) => (Step::End, None),
            Step::Cancelled(count) => (Step::Cancelled(count - 1), self.next_written()),
            Step::Drained => {
                let idle = self.body().queued.is_empty();
                let closing = self.is_closing();
                (Step::End, if idle { self.end_shutdown(closing) } else { None })
            }
            Step::End => (Step::End, None),
        }
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
        let token = self.rare()?.shutdown.take()?;
        self.tidy_rare();
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
