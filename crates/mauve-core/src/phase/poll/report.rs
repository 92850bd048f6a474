//! Handles events, and reports their completions.

use mauve_sys::Errno;
use mauve_sys::driver::{Driver, Event, Readiness};

use super::EventBatch;
use crate::Engine;
use crate::completion::Completion;
use crate::handle::async_::Notified;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind};
use crate::pool::{Finished, PoolPort};
use crate::registration;
use crate::request::work::{Stage, Work};
use crate::run::{Batch, Step};

impl<D: Driver> Engine<D> {
    /// Reports the requests that were done without the pool, and those that its threads have finished
    /// by now. Requests that end while these are reported are reported in the next iteration.
    pub(super) fn report_inline_work(&mut self) {
        let PoolPort { outbox, inline_done, carried, finished, .. } = &mut self.pool;
        if !self.wakeups.queue.is_empty() || self.wakeups.round.has_left() {
            outbox.take_inline(inline_done, carried);
        }
        self.poll.current.further_events += inline_done.len();
        self.wakeups.round.begin_inline_work();
        // The list is reported from its end, so these come after what an abandoned run has left.
        finished.list.splice(0..0, inline_done.drain(..).rev());
    }

    /// The next step of the poll phase.
    #[inline]
    pub(crate) fn next_polled(&mut self) -> Option<Step> {
        let nothing =
            !self.poll.is_pending() && !self.is_handling_event() && !self.has_pending_events();
        if nothing { None } else { self.handle_events() }
    }

    /// Handles events until one leads to a completion or a batch.
    ///
    /// Inlined, so that a completion is written directly to the caller's memory. Copying a value that
    /// was just written stalls the processor (store forwarding).
    #[inline(always)]
    fn handle_events(&mut self) -> Option<Step> {
        loop {
            if !self.pool.finished.list.is_empty() {
                return Some(Step::Batch(Batch::Work));
            }
            if self.pool.finished.reporting {
                self.end_reporting();
            }
            if let Some(completion) = self.next_of_event() {
                return Some(Step::Call(completion));
            }
            if self.fs_events.is_pending()
                && let Some(completion) = self.next_fs_event()
            {
                return Some(Step::Call(completion));
            }
            if self.wakeups.in_round {
                match self.next_notified() {
                    Some(Notified::User(token)) => {
                        return Some(Step::Call(Completion::Async(token)));
                    }
                    Some(Notified::Pool) => self.take_finished(),
                    None => self.wakeups.in_round = false,
                }
                continue;
            }
            let Some(event) = self.next_event() else {
                if !self.children.is_pending() && !self.signals.is_pending() {
                    return None;
                }
                return self.next_exit().or_else(|| self.next_signal()).map(Step::Call);
            };
            match event {
                Event::Wake => {
                    self.poll.note_wanted_event();
                    if !self.wakeups.round.has_begun {
                        self.begin_round();
                        self.wakeups.in_round = true;
                    }
                }
                Event::Ready { key: registration::FS_WATCHER, .. } => {
                    self.poll.note_wanted_event();
                    self.fs_events.pending.readable = true;
                }
                Event::Ready { key: registration::SIGNAL_PIPE, .. } => {
                    self.poll.note_wanted_event();
                    if self.children.is_pending() {
                        self.poll.exclude_event();
                    }
                    self.signals.readable = true;
                }
                Event::Ready { key, readiness } => {
                    let Some(id) = HandleId::from_bits(key.0) else { continue };
                    let completion = match id.kind() {
                        kind if is_stream(kind) => self.begin_stream_event(id, readiness),
                        HandleKind::Udp => self.begin_udp_event(id, readiness),
                        kind => {
                            self.drop_unwanted(id, readiness);
                            self.ready(id, kind, readiness)
                        }
                    };
                    if let Some(completion) = completion {
                        return Some(Step::Call(completion));
                    }
                }
            }
        }
    }

    /// Called when all finished work that was taken from the outbox is reported.
    pub(crate) fn end_reporting(&mut self) {
        self.enter_process();
        self.pool.finished.reporting = false;
        if self.pool.reads.queued {
            self.start_reads();
        }
        self.pool.outbox.end_report();
    }

    /// The next completion of work that has finished.
    #[inline(always)] // See `handle_events`.
    pub(crate) fn next_finished_work(&mut self) -> Option<Completion> {
        self.pool.finished.callback = self.run.callbacks;
        while let Some(Finished { request, mut result }) = self.pool.finished.list.pop() {
            let Some(Work { token, stage, .. }) = self.end_work(request) else { continue };
            match stage {
                Stage::ReadDone(result) => return Some(Completion::Read { token, result }),
                Stage::Read(_) | Stage::ReadStarted => {
                    return Some(self.end_read(request, token));
                }
                Stage::Cancelled => result = Err(Errno::ECANCELED),
                Stage::Submitted(_) | Stage::Done | Stage::Started | Stage::Orphaned => {}
            }
            match self.stat_query_ended(request) {
                None => return Some(Completion::Work { token, result }),
                Some(None) => {}
                Some(completion) => return completion,
            }
        }
        None
    }

    /// Notes a wake-up of the current poll phase that is not handled yet. A nested run polls before this
    /// run continues. The driver reports readiness again.
    pub(crate) fn note_unhandled_wake(&mut self) {
        let EventBatch { events, next, .. } = &self.poll.current;
        self.wakeups.missed |= events[*next..].contains(&Event::Wake);
    }

    /// Handles the readiness of a poll handle's or a child's descriptor.
    fn ready(
        &mut self,
        id: HandleId,
        kind: HandleKind,
        readiness: Readiness,
    ) -> Option<Completion> {
        match kind {
            HandleKind::Poll => return self.poll_ready(id, readiness),
            HandleKind::Process => {
                // libuv has one event for all exits and signals of a phase.
                if self.children.is_pending() || self.signals.readable {
                    self.poll.exclude_event();
                }
                self.child_notified(id);
            }
            _ => {}
        }
        None
    }

    /// Removes an interest from the driver that the handle no longer has. Otherwise a level-triggered
    /// event would be reported in every iteration.
    fn drop_unwanted(&mut self, id: HandleId, readiness: Readiness) {
        let Some((fd, registration)) = self.table.source(id) else { return };
        let wanted = registration.wanted();
        self.poll.note_readiness(readiness, wanted);
        if readiness.wanted(wanted).is_empty() {
            self.poll.note_unwanted(readiness, wanted);
            registration.drop_unwanted(id, fd, &mut self.driver);
        }
    }

    fn next_event(&mut self) -> Option<Event> {
        if self.poll.current.next == self.poll.current.events.len() {
            self.refill();
        }
        let event = self.poll.current.events.get(self.poll.current.next).copied();
        self.poll.current.next += usize::from(event.is_some());
        event
    }

    /// Counts the batch that was handled, and polls again if it was full.
    #[inline(never)]
    fn refill(&mut self) {
        let full = self.poll.current.events.len() == self.driver.max_events();
        let further = std::mem::take(&mut self.poll.current.further_events);
        let stale = std::mem::take(&mut self.poll.current.stale_events);
        let handled = self.poll.current.events.len() + further - stale;
        self.metrics.counters.add(handled, self.poll.current.batch_was_ready);
        self.poll.current.events.clear();
        self.poll.current.next = 0;
        // Signals are reported last, so nothing is polled after them.
        if full && self.poll.current.batches_left > 0 && !self.signals.readable {
            self.poll.current.batches_left -= 1;
            self.poll_again();
        }
    }

    fn take_finished(&mut self) {
        self.enter_process();
        if !self.pool.inline_done.is_empty() {
            // They finished after the requests in `inline_done`, so they are reported after them.
            let PoolPort { outbox, inline_done, carried, .. } = &mut self.pool;
            outbox.take_inline(inline_done, carried);
            return;
        }
        let PoolPort { outbox, finished, carried, .. } = &mut self.pool;
        outbox.take(&mut finished.list, carried);
        finished.reporting = !finished.list.is_empty();
        self.poll.current.further_events += finished.list.len().saturating_sub(1);
        // Reported from the end, in the order in which they have finished.
        self.pool.finished.list.reverse();
    }
}
