//! The poll phase: waits for events and reports them.

use std::os::fd::RawFd;
use std::time::Duration;

use mauve_sys::driver::{Driver, Event, Interest, Readiness};
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::completion::Completion;
use crate::handle::async_::Notified;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind, Token};
use crate::phase::Deferred;
use crate::pool::{Finished, PoolPort};
use crate::registration;
use crate::request::work::{Stage, Work};
use crate::run::{Batch, Mode, Step};
use crate::trace;

/// How often the driver is polled again after a full batch of events. The bound keeps many ready
/// descriptors from starving the other phases.
const MAX_BATCHES: u32 = 48;

/// The events that the driver has returned.
#[derive(Default)]
pub(crate) struct PollEvents {
    /// The number of the current batch: how often the driver was polled.
    pub batch: u64,
    pub current: EventBatch,
}

/// The batch of events that the current poll phase handles.
#[derive(Default)]
pub(crate) struct EventBatch {
    events: Vec<Event>,
    /// Position in `events` of the next one to handle.
    next: usize,
    /// How often a full batch may still be followed by another one.
    batches_left: u32,
    /// Requests that ended in this batch beyond one for each event.
    further_events: usize,
    /// Events of this batch that no handle wanted. They are not counted.
    stale_events: usize,
    /// Whether the events were ready before the loop polled.
    batch_was_ready: bool,
    /// Whether every event of the phase so far was for an interest that has ended.
    stale: bool,
}

impl PollEvents {
    fn is_pending(&self) -> bool {
        !self.current.events.is_empty()
    }

    /// Notes the readiness of a descriptor. It is stale if the interest in it has ended. As in
    /// libuv, errors and hang-ups are always of interest.
    #[inline(always)]
    pub fn note_readiness(&mut self, readiness: Readiness, wanted: Interest) {
        let always = Readiness::ERROR | Readiness::HANGUP;
        let fits = !readiness.wanted(wanted).is_empty() || readiness.intersects(always);
        self.current.stale &= wanted.is_empty() || !fits;
    }

    /// Notes that an event with this readiness is not handled, unless it is an error or a hang-up of a
    /// descriptor that is still watched.
    #[cold]
    pub fn note_unwanted(&mut self, readiness: Readiness, wanted: Interest) {
        let failed = readiness.intersects(Readiness::ERROR | Readiness::HANGUP);
        self.current.stale_events += usize::from(wanted.is_empty() || !failed);
    }

    /// Excludes an event from the counted ones: it is dropped, or belongs to another one.
    #[cold]
    pub fn exclude_event(&mut self) {
        self.current.stale_events += 1;
    }

    /// Notes that an event of the current poll phase was wanted.
    #[inline(always)]
    pub fn note_wanted_event(&mut self) {
        self.current.stale = false;
    }
}

impl<D: Driver> Engine<D> {
    /// [`enter_poll`](Self::enter_poll), with the waits recorded.
    #[cold]
    #[inline(never)]
    pub(crate) fn enter_poll_traced(&mut self, mode: Mode) -> Result<()> {
        self.enter_poll::<true>(mode)
    }

    /// Declares new interests to the driver and waits as long as the mode allows. With `TRACED`, the
    /// waits are recorded.
    ///
    /// Inlined: a return that follows a system call is predicted badly.
    #[inline(always)]
    pub(crate) fn enter_poll<const TRACED: bool>(&mut self, mode: Mode) -> Result<()> {
        self.metrics.counters.iterations += 1;
        self.poll.current.events.clear();
        self.poll.current.next = 0;
        self.poll.current.batches_left = MAX_BATCHES;
        self.poll.current.stale = false;
        self.wakeups.round.has_begun = false;
        if !self.registrations.are_current() {
            if TRACED {
                self.trace_descriptors();
            }
            self.reregister_changed();
        }
        if self.pool.reads.queued {
            self.start_reads();
        }
        // If a handle was notified while the loop was awake, its sender has not notified the loop.
        let notified =
            self.wakeups.awake && (self.wakeups.round.has_left() || !self.wakeups.queue.park());
        self.wakeups.awake = notified;
        let notified = std::mem::take(&mut self.wakeups.missed) || notified;
        if mode == Mode::NoWait {
            // A program that embeds the loop polls the driver's descriptor, which must not stay readable.
            self.poll_now::<TRACED>()?;
        } else if notified && self.driver.is_empty() {
            if TRACED {
                self.trace_wait_begin(Some(0));
            }
            self.driver.cancellation_point();
            // The time is up to date if no callback ran since the clock was last read.
            if self.clock.read_after != self.run.callbacks {
                self.update_time();
            }
            if TRACED {
                self.trace_wait_end(0);
            }
        } else {
            let may_wait = mode == Mode::Default || self.run.may_wait;
            self.wait_for_events::<TRACED>(may_wait && !notified)?;
        }
        if notified {
            self.report_if_queried();
            self.poll.current.further_events += 1;
            self.begin_round();
            self.wakeups.in_round = true;
        }
        self.pool.finished.early = !self.pool.done_early.is_empty();
        if self.pool.finished.early {
            self.report_early_work();
        }
        Ok(())
    }

    /// Reports the requests that were done without the pool, and those that its threads have finished
    /// by now. Requests that end while these are reported are reported in the next iteration.
    fn report_early_work(&mut self) {
        let PoolPort { outbox, done_early, carried, finished, .. } = &mut self.pool;
        if !self.wakeups.queue.is_empty() || self.wakeups.round.has_left() {
            outbox.take_early(done_early, carried);
        }
        self.poll.current.further_events += done_early.len();
        self.wakeups.round.begin_early_work();
        // The list is reported from its end, so these come after what an abandoned run has left.
        finished.list.splice(0..0, done_early.drain(..).rev());
    }

    /// Waits again after a batch of stale events only, as libuv does: a wait ends with a callback or
    /// a timer. Returns whether there are more events.
    #[cold]
    pub(crate) fn wait_again(&mut self) -> Result<bool> {
        self.poll.current.stale = false;
        if !self.registrations.are_current() {
            self.reregister_changed();
        }
        if self.run.stopping || !self.alive() {
            return Ok(false);
        }
        if trace::is_on() {
            self.wait_for_events::<true>(true)?;
        } else {
            self.wait_for_events::<false>(true)?;
        }
        Ok(self.poll.is_pending())
    }

    /// Whether [`wait_again`](Self::wait_again) is to be called at the end of the phase.
    #[inline(always)]
    pub(crate) fn has_seen_stale_events_only(&self) -> bool {
        self.poll.current.stale
    }

    /// Waits until there is an event or a timer is due. Without `may_wait`, polls once.
    #[inline(always)]
    fn wait_for_events<const TRACED: bool>(&mut self, may_wait: bool) -> Result<()> {
        let mut timeout = if may_wait { self.poll_timeout() } else { Some(0) };
        // Events that are ready already do not count as waited for.
        let mut polls_first = self.metrics.polls_first && timeout != Some(0);
        loop {
            self.wait::<TRACED>(if polls_first { Some(0) } else { timeout })?;
            if timeout == Some(0) {
                return Ok(());
            }
            if !self.poll.current.events.is_empty() {
                // Cleared by the first event that is wanted.
                self.poll.current.stale = true;
                return Ok(());
            }
            if std::mem::take(&mut polls_first) {
                continue;
            }
            // A signal, `mauve why` or the clock's resolution may end a wait early.
            timeout = self.poll_timeout();
            if timeout == Some(0) {
                return Ok(());
            }
            if !TRACED && trace::is_on() {
                // A trace was started, and has ended the wait.
                return self.wait_for_traced_events();
            }
        }
    }

    #[cold]
    fn wait_for_traced_events(&mut self) -> Result<()> {
        self.trace_descriptors();
        self.wait_for_events::<true>(true)
    }

    /// One wait of the driver, for `timeout` milliseconds at most. If a timer has a deadline in
    /// nanoseconds, the wait ends in the nanosecond of the next timer.
    #[inline(always)]
    fn wait<const TRACED: bool>(&mut self, timeout: Option<u64>) -> Result<()> {
        let timeout = timeout.map(|ms| u32::try_from(ms).unwrap_or(u32::MAX));
        let sleeps = timeout != Some(0) && self.metrics.measures_idle_time;
        if sleeps {
            self.metrics.idle_time.begin(self.driver.now());
        }
        if timeout != Some(0) {
            self.probe.shared.begin_wait();
        }
        if TRACED {
            self.trace_wait_begin(timeout);
        }
        self.poll.batch += 1;
        self.poll.current.batch_was_ready = timeout == Some(0) && self.metrics.polls_first;
        let result = if timeout != Some(0) && self.timers.deadlines.is_armed() {
            self.wait_for_deadline()
        } else {
            self.driver.wait(timeout, &mut self.poll.current.events)
        };
        if sleeps {
            self.metrics.idle_time.end(self.driver.now());
        }
        self.end_wait::<TRACED>();
        result
    }

    #[cold]
    fn wait_for_deadline(&mut self) -> Result<()> {
        match self.next_deadline() {
            Some(deadline) => {
                let timeout = deadline.saturating_sub(self.driver.now());
                self.driver.wait_for(Duration::from_nanos(timeout), &mut self.poll.current.events)
            }
            None => self.driver.wait(None, &mut self.poll.current.events),
        }
    }

    /// Takes the events that are ready. Afterwards the driver's descriptor is not readable unless
    /// there are more.
    fn poll_now<const TRACED: bool>(&mut self) -> Result<()> {
        if TRACED {
            self.trace_wait_begin(Some(0));
        }
        self.poll.batch += 1;
        self.poll.current.batch_was_ready = self.metrics.polls_first;
        let result = self.driver.poll(&mut self.poll.current.events);
        self.end_wait::<TRACED>();
        result
    }

    #[inline(always)]
    fn end_wait<const TRACED: bool>(&mut self) {
        self.update_time();
        if TRACED {
            self.trace_wait_end(self.poll.current.events.len());
        }
        self.probe.shared.end_wait(self.clock.now);
        // `mauve why` ends a wait without an event.
        self.report_if_queried();
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
                        kind if is_stream(kind) => {
                            if let Some(token) = self.begin_stream_read(id, readiness) {
                                return Some(Step::Call(Completion::Readable(token)));
                            }
                            self.begin_stream_event(id, readiness)
                        }
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

    #[cold]
    #[inline(never)]
    fn poll_again(&mut self) {
        // An event that the driver fails to report now is reported in the next iteration.
        let _ =
            if trace::is_on() { self.wait::<true>(Some(0)) } else { self.wait::<false>(Some(0)) };
    }

    fn take_finished(&mut self) {
        self.enter_process();
        if !self.pool.done_early.is_empty() {
            // They finished after the requests in `done_early`, so they are reported after them.
            let PoolPort { outbox, done_early, carried, .. } = &mut self.pool;
            outbox.take_early(done_early, carried);
            return;
        }
        let PoolPort { outbox, finished, carried, .. } = &mut self.pool;
        outbox.take(&mut finished.list, carried);
        finished.reporting = !finished.list.is_empty();
        self.poll.current.further_events += finished.list.len().saturating_sub(1);
        // Reported from the end, in the order in which they have finished.
        self.pool.finished.list.reverse();
    }

    /// Whether a handle has an interest that is not registered with the driver yet.
    pub(crate) fn has_new_registrations(&mut self) -> bool {
        let Self { registrations, table, .. } = self;
        let mut changed = registrations.changed().iter();
        changed.any(|id| table.source(*id).is_some_and(|(_, watch)| watch.is_new()))
    }

    #[inline(never)]
    fn reregister_changed(&mut self) {
        let changed = self.registrations.take_changed();
        for id in &changed {
            let Some((fd, registration)) = self.table.source(*id) else { continue };
            if let Err(error) = registration.reregister(*id, fd, &mut self.driver) {
                self.deferred.queue.push_back(Deferred::WatchFailed(*id, error));
            }
        }
        self.registrations.put_back(changed);
    }

    /// Handles an event with a stale key. The kernel keeps a registration whose descriptor was closed
    /// while a duplicate is open. The driver then drops all registrations, and all interests are registered again.
    #[cold]
    pub(crate) fn renew_driver(&mut self) {
        // If this fails, the next event with a stale key tries again.
        if self.driver.handle_stale_event() == Ok(true) {
            self.rearm_all();
            self.reregister_changed();
            self.rearm_signal_pipe();
            self.rearm_fs_watcher();
        }
    }

    /// The driver's descriptor, for a program that polls it.
    #[doc(alias = "uv_backend_fd")]
    pub fn nested_descriptor(&mut self) -> Option<RawFd> {
        self.renew_driver();
        self.driver.embed();
        self.driver.backend_fd()
    }

    /// Called at the end of a run. Makes the driver's descriptor readable if the next poll phase has
    /// something to report, because the program may wait for that descriptor alone.
    pub(crate) fn announce_pending(&mut self) {
        if self.pool.is_pending() || std::mem::take(&mut self.wakeups.missed) {
            self.wakeups.queue.notify();
        }
    }

    fn rearm_all(&mut self) {
        let handles = self.handles(true);
        self.rearm_in_order(&handles);
    }

    /// Registers all interests in a forked child. As in libuv, in the order of the descriptors, which
    /// becomes the order of the ready list.
    pub(crate) fn rearm_by_descriptor(&mut self) {
        let mut handles = self.handles(true);
        handles.sort_by_key(|(id, _)| self.table.source(*id).map(|(fd, _)| fd));
        self.rearm_in_order(&handles);
    }

    fn rearm_in_order(&mut self, handles: &[(HandleId, Token)]) {
        for (id, _) in handles {
            if let Some((_, registration)) = self.table.source(*id) {
                self.registrations.rearm(*id, registration);
            }
        }
    }
}
