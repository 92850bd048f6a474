//! What happens when a stream's descriptor is ready, and in which order.
//!
//! The same steps serve a readiness event and a look in the pending phase, which counts as
//! "ready for writing". Between two steps a callback may have done anything to the stream, so
//! each step looks at it anew.

use mauve_sys::poller::{Driver, Readiness};

use super::read::READS_PER_EVENT;
use super::{Role, Shutdown, StreamMut};
use crate::Engine;
use crate::id::HandleId;
use crate::run::Completion;
use crate::slab::Life;

/// A stream that is being looked after.
pub(crate) struct StreamEvent {
    pub id: HandleId,
    readiness: Readiness,
    step: Step,
    reads_left: u8,
    /// The last read filled its buffer.
    pub read_again: bool,
    /// The last read did not.
    pub read_partial: bool,
    /// The last read has failed, and that was told.
    pub read_failed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Begin,
    /// A connection was announced.
    Announced,
    /// A connection failed, or was made.
    Connected,
    Read,
    HungUp,
    Write,
    /// So many writes are to be told of.
    Written(u32),
    Drained,
    End,
}

impl<D: Driver> Engine<D> {
    /// Begins to look after a stream.
    pub(crate) fn begin_stream_event(&mut self, id: HandleId, readiness: Readiness) {
        self.stream_event = Some(StreamEvent {
            id,
            readiness,
            step: Step::Begin,
            reads_left: READS_PER_EVENT,
            read_again: false,
            read_partial: false,
            read_failed: false,
        });
    }

    /// Begins to look after a stream that was fed.
    pub(crate) fn begin_fed_stream(&mut self, id: HandleId) {
        if let Some(mut stream) = self.stream(id) {
            stream.body().fed = false;
            self.begin_stream_event(id, Readiness::WRITABLE);
        }
    }

    /// The next completion of the stream that is being looked after.
    pub(crate) fn next_of_stream(&mut self) -> Option<Completion> {
        loop {
            let StreamEvent { id, readiness, step, .. } = *self.stream_event.as_ref()?;
            let open = self.stream(id).is_some_and(|mut s| s.entry().head.life != Life::Closing);
            if !open || step == Step::End {
                self.stream_event = None;
                return None;
            }
            let (next, completion) = StreamMut { engine: self, id }.take_step(step, readiness);
            if let Some(event) = &mut self.stream_event {
                event.step = next;
            }
            if completion.is_some() {
                return completion;
            }
        }
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
                Role::Connecting(_) => (Step::Connected, self.finish_connecting()),
                Role::Listening => {
                    self.engine.keep_reserve();
                    let announced = self.accept();
                    (
                        Step::Announced,
                        announced.map(|r| Completion::Connection { token, result: r }),
                    )
                }
                _ => (Step::Read, None),
            },
            Step::Announced => {
                self.pause_listening();
                (Step::End, None)
            }
            Step::Connected => {
                let failed = !matches!(self.body().role, Role::Connecting(_) | Role::Connected);
                if failed {
                    self.cancel_writes();
                    self.update();
                    (self.written(), None)
                } else {
                    (Step::End, None)
                }
            }
            Step::Read => {
                let event = self.engine.stream_event.as_mut().expect("being looked after");
                if event.read_failed {
                    self.stop_reading();
                    return (Step::Write, None);
                }
                let first = event.reads_left == READS_PER_EVENT;
                let more = if first {
                    readiness.intersects(Readiness::READABLE | trouble)
                } else {
                    event.read_again && event.reads_left > 0
                };
                if more {
                    event.reads_left -= 1;
                    event.read_again = false;
                }
                if more && self.body().reading {
                    (Step::Read, Some(Completion::Readable(token)))
                } else {
                    (Step::HungUp, None)
                }
            }
            Step::HungUp => {
                let event = self.engine.stream_event.as_ref().expect("being looked after");
                let over = readiness.contains(Readiness::HANGUP) && event.read_partial;
                if over && self.body().reading {
                    // Everything has been read, and nothing more can come.
                    self.end_reading();
                    return (Step::Write, Some(Completion::ReadEnd(token)));
                }
                (Step::Write, None)
            }
            Step::Write => {
                if !readiness.intersects(Readiness::WRITABLE | trouble) {
                    return (Step::End, None);
                }
                let before = self.body().unsent;
                self.flush();
                self.update();
                let unsent = self.body().unsent;
                let progress = unsent != before && self.body().done.is_empty();
                let progress = progress.then_some(Completion::Progress { token, unsent });
                (self.written(), progress)
            }
            Step::Written(0) => (Step::Drained, None),
            Step::Written(count) => (Step::Written(count - 1), self.next_written()),
            Step::Drained => {
                let idle = self.body().queued.is_empty();
                (Step::End, if idle { self.end_shutdown(false) } else { None })
            }
            Step::End => (Step::End, None),
        }
    }

    /// The step that tells of the writes that are done now.
    fn written(&mut self) -> Step {
        let done = self.body().done;
        Step::Written(self.engine.writes.iter(&done).count() as u32)
    }

    /// The next write that is done.
    fn next_written(&mut self) -> Option<Completion> {
        let mut done = self.body().done;
        let write = self.engine.writes.pop(&mut done)?;
        self.body().done = done;
        self.engine.census.requests -= 1;
        Some(Completion::Write { token: write.token, result: write.result })
    }

    /// Shuts the writing side down, if that is wanted.
    fn end_shutdown(&mut self, cancelled: bool) -> Option<Completion> {
        let body = self.body();
        let Shutdown::Wanted(token) = body.shutdown else { return None };
        body.shutdown = Shutdown::Done;
        let result = if cancelled {
            Err(mauve_sys::Errno::ECANCELED)
        } else {
            body.fd().and_then(mauve_sys::net::shut_down_writing)
        };
        self.engine.census.requests -= 1;
        Some(Completion::Shutdown { token, result })
    }
}
