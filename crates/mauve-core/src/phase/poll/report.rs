//! Handles events, and reports their completions.

use mauve_sys::Errno;
use mauve_sys::driver::{Driver, Event, MAX_EVENTS, Readiness};

use super::EventBatch;
use crate::Engine;
use crate::completion::{Completion, WorkCompletion};
use crate::handle::async_::Notified;
use crate::handle::signal::NextSignal;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind, RequestId};
use crate::pool::Finished;
use crate::registration;
use crate::request::work::{Stage, WorkRequest};
use crate::run::{Step, WorkBatch};
use crate::trace;

impl<D: Driver> Engine<D> {
    /// Reports the requests that were done without the pool, and those that its threads have finished
    /// by now. Requests that end while these are reported are reported in the next iteration.
    pub(super) fn report_inline_work(&mut self) {
        let notified = self.wakeups.has_notified();
        self.poll.current.further_events += self.pool.take_inline(notified);
        self.wakeups.begin_inline_work();
        if trace::is_on() {
            self.schedule_work();
        }
    }

    /// The next step of the poll phase.
    #[inline]
    pub(crate) fn next_polled(&mut self) -> Option<Step> {
        let nothing = !self.poll.is_pending()
            && !self.socket_event.is_pending()
            && !self.has_pending_events();
        if nothing { None } else { self.handle_events() }
    }

    /// Handles events until one leads to a completion or a batch.
    ///
    /// Inlined, so that a completion is written directly to the caller's memory. Copying a value that
    /// was just written stalls the processor (store forwarding).
    #[inline(always)]
    fn handle_events(&mut self) -> Option<Step> {
        loop {
            if self.pool.has_finished() {
                return Some(Step::Work(WorkBatch));
            }
            if self.pool.has_reported() {
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
            if self.wakeups.is_pending() {
                match self.next_notified() {
                    Some(Notified::User(token)) => {
                        return Some(Step::Call(Completion::Async(token)));
                    }
                    Some(Notified::Pool) => self.take_finished(),
                    None => {}
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
                    if !self.wakeups.has_begun_batch() {
                        self.begin_wakeups();
                    }
                }
                Event::Ready { key: registration::FS_WATCHER, .. } => {
                    self.poll.note_wanted_event();
                    self.fs_events.note_readable();
                }
                Event::Ready { key: registration::SIGNAL_PIPE, .. } => {
                    self.poll.note_wanted_event();
                    if self.children.is_pending() {
                        self.poll.exclude_event();
                    }
                    self.signals.note_readable();
                }
                Event::Ready { key, readiness } => {
                    let Some(id) = HandleId::from_bits(key.0) else { continue };
                    let completion = match id.kind() {
                        kind if is_stream(kind) => self.begin_stream_event(id, readiness),
                        HandleKind::Udp => self.begin_udp_event(id, readiness),
                        kind => self.ready(id, kind, readiness),
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
        if self.pool.has_kept_reads() {
            self.start_reads();
        }
        self.pool.end_report();
    }

    /// The next completion of work that has finished.
    #[inline(always)] // See `handle_events`.
    pub(crate) fn next_finished_work(&mut self) -> Option<WorkCompletion> {
        self.pool.note_callback(self.run.callback());
        while let Some(Finished { request, mut result }) = self.pool.next_finished() {
            let Some(WorkRequest { token, stage, .. }) = self.end_work(request) else { continue };
            match stage {
                Stage::ReadDone(result) => return Some(WorkCompletion::Read { token, result }),
                Stage::Read(_) | Stage::ReadStarted => {
                    return Some(self.end_read(request, token));
                }
                Stage::Cancelled => result = Err(Errno::ECANCELED),
                Stage::Submitted(_) | Stage::Done | Stage::Started | Stage::Orphaned => {}
            }
            match self.stat_query_ended(request) {
                None => return Some(WorkCompletion::Work { token, result }),
                Some(None) => {}
                Some(completion) => return completion,
            }
        }
        None
    }

    /// Handles finished work. If it was a query of a file system poll, returns the completion to report,
    /// if any.
    #[inline]
    fn stat_query_ended(&mut self, request: RequestId) -> Option<Option<WorkCompletion>> {
        if self.fs_polls.has_queries() { self.end_stat_query(request) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn end_stat_query(&mut self, request: RequestId) -> Option<Option<WorkCompletion>> {
        let query = self.fs_polls.take_query(request)?;
        let (poll, timer) = query.of();
        Some(self.fs_poll(poll).and_then(|mut poll| poll.query_ended(timer, query.result())))
    }

    /// Begins a batch of notified handles.
    #[inline]
    pub(super) fn begin_wakeups(&mut self) {
        self.wakeups.begin_batch(&self.table);
    }

    /// The next notified handle.
    #[inline(always)]
    fn next_notified(&mut self) -> Option<Notified> {
        self.wakeups.next(&mut self.table.asyncs, &self.pool)
    }

    // The functions below are not inlined, so that the caller has only the engine to pass. Otherwise the
    // compiler computes the addresses of all parts at the beginning of each step.

    /// The next completion of a file system event handle.
    #[inline(never)]
    fn next_fs_event(&mut self) -> Option<Completion> {
        self.fs_events.next(&mut self.table.fs_events)
    }

    /// Notes a wake-up of the current poll phase that is not handled yet. A nested run polls before this
    /// run continues. The driver reports readiness again.
    pub(crate) fn note_unhandled_wake(&mut self) {
        let EventBatch { events, next, .. } = &self.poll.current;
        if events[*next..].contains(&Event::Wake) {
            self.wakeups.note_missed();
        }
    }

    /// The next child that has exited.
    #[inline(never)]
    fn next_exit(&mut self) -> Option<Completion> {
        for id in self.children.reap(&self.table.processes) {
            if let Some(mut process) = self.process(id) {
                process.watch_for_signal();
            }
        }
        while let Some((id, exit)) = self.children.next() {
            let completion = self.process(id).and_then(|mut process| process.end(exit));
            if completion.is_some() {
                return completion;
            }
        }
        None
    }

    /// The next call of a signal handle, or the exit of a child that a signal notified.
    #[inline(never)]
    fn next_signal(&mut self) -> Option<Completion> {
        loop {
            let raised = match self.signals.next(&mut self.table.signals, &mut self.active)? {
                NextSignal::Completion(completion) => return Some(completion),
                NextSignal::Message(raised) => raised,
            };
            if raised.signal == mauve_sys::signal::numbers::SIGCHLD {
                self.children.check_all(&self.table.processes);
                // Exits come first. The message is delivered when there are none left.
                if let Some(exit) = self.next_exit() {
                    self.signals.put_back(raised);
                    return Some(exit);
                }
            }
            self.signals.deliver(raised, &self.table.signals);
        }
    }

    /// Handles the readiness of a poll handle's or a child's descriptor.
    fn ready(
        &mut self,
        id: HandleId,
        kind: HandleKind,
        readiness: Readiness,
    ) -> Option<Completion> {
        let table = &mut self.table;
        let source = match kind {
            HandleKind::Poll => table.polls.get_mut(id).map(|entry| &mut entry.body.source),
            _ => table.processes.get_mut(id).map(|entry| &mut entry.body.source),
        };
        if let Some(source) = source {
            source.take_event(id, readiness, &mut self.poll, &mut self.driver);
        }
        match kind {
            HandleKind::Poll => return self.poll(id)?.ready(readiness),
            HandleKind::Process => {
                // libuv has one event for all exits and signals of a phase.
                if self.children.is_pending() || self.signals.is_readable() {
                    self.poll.exclude_event();
                }
                self.process(id)?.notified();
            }
            _ => {}
        }
        None
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
        let full = self.poll.current.events.len() == MAX_EVENTS;
        let further = std::mem::take(&mut self.poll.current.further_events);
        let stale = std::mem::take(&mut self.poll.current.stale_events);
        let handled = self.poll.current.events.len() + further - stale;
        self.metrics.count_events(handled, self.poll.current.batch_was_ready);
        self.poll.current.events.clear();
        self.poll.current.next = 0;
        // Signals are reported last, so nothing is polled after them.
        if full && self.poll.current.batches_left > 0 && !self.signals.is_readable() {
            self.poll.current.batches_left -= 1;
            self.poll_again();
        }
    }

    fn take_finished(&mut self) {
        self.enter_process();
        self.poll.current.further_events += self.pool.take_finished().saturating_sub(1);
        if trace::is_on() {
            self.schedule_work();
        }
    }
}
