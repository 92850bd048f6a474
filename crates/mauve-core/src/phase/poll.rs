//! Waiting, and everything that comes from outside.

use std::os::fd::RawFd;

use mauve_sys::poller::{Driver, Event, Key, Readiness};
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::handle::async_::Rung;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, Kind, RequestId};
use crate::io;
use crate::phase::Deferred;
use crate::pool::Finished;
use crate::request::work::{Stage, Work};
use crate::run::{Completion, Mode, Position};

/// How often a full batch of events is followed by another look, so that the loop keeps up with
/// many descriptors without starving its other phases.
const MAX_BATCHES: u32 = 48;

impl<D: Driver> Engine<D> {
    /// Declares new interests to the driver and waits as long as the mode allows.
    #[inline(never)]
    pub(crate) fn enter_poll(&mut self, mode: Mode) -> Result<()> {
        self.counters.iterations += 1;
        self.events.clear();
        self.events_at = 0;
        self.batches_left = MAX_BATCHES;
        if !self.watches.is_settled() {
            self.settle_watches();
        }
        if !self.reads.is_empty() {
            self.attempt_reads();
        }
        // Something was signalled, and nobody will wake the loop for it.
        let signalled = self.awake && (self.round.has_left() || !self.signals.fall_asleep());
        self.awake = signalled;
        if signalled && self.driver.watches_nothing() {
            // No callback has taken its time since the clock was last read?
            if self.timed_in != self.turn {
                self.update_time();
            }
        } else {
            let may_wait = mode == Mode::Default || mode == Mode::Once && self.may_sleep;
            self.wait_for_events(may_wait && !signalled)?;
        }
        if signalled {
            self.answer_if_asked();
            self.further_events += 1;
            self.begin_round();
            self.round_on = true;
        }
        if !self.done_early.is_empty() {
            // What is done early while these are told waits for the next iteration.
            self.further_events += self.done_early.len();
            self.finished.extend(self.done_early.drain(..).rev());
        }
        Ok(())
    }

    /// Waits until there is an event or a timer is due, or takes only what is there.
    #[inline(always)]
    fn wait_for_events(&mut self, may_wait: bool) -> Result<()> {
        let mut timeout = if may_wait { self.poll_timeout(false) } else { Some(0) };
        // What is there already was not waited for.
        let mut looks_first = self.measures_idle_time && timeout != Some(0);
        loop {
            self.wait(if looks_first { Some(0) } else { timeout })?;
            if !self.events.is_empty() || timeout == Some(0) {
                return Ok(());
            }
            if std::mem::take(&mut looks_first) {
                continue;
            }
            // A wait may end early: by a signal, or because the next timer was only known not to
            // be due before then.
            timeout = self.poll_timeout(false);
            if timeout == Some(0) {
                return Ok(());
            }
        }
    }

    /// One look at the driver, for `timeout` milliseconds at most.
    #[inline(always)]
    fn wait(&mut self, timeout: Option<u64>) -> Result<()> {
        let timeout = timeout.map(|ms| u32::try_from(ms).unwrap_or(u32::MAX));
        let sleeps = timeout != Some(0) && self.measures_idle_time;
        if sleeps {
            self.idle_time.begin(self.driver.now());
        }
        if timeout != Some(0) {
            self.pulse.fall_asleep();
        }
        self.batch += 1;
        self.batch_waited = timeout == Some(0) && self.measures_idle_time;
        let result = self.driver.wait(timeout, &mut self.events);
        if sleeps {
            self.idle_time.end(self.driver.now());
        }
        self.update_time();
        self.pulse.wake_up(self.now);
        result
    }

    /// The next completion among the events.
    #[inline]
    pub(crate) fn next_polled(&mut self) -> Option<Completion> {
        let nothing = self.events.is_empty()
            && self.finished.is_empty()
            && !self.telling
            && !self.is_attending()
            && !self.round_on
            && !self.news.is_pending()
            && self.exits.is_empty()
            && !self.arrivals.is_pending();
        if nothing { None } else { self.look_through_events() }
    }

    /// Inlined, so that a completion is written where the caller wants it: copying one that has just
    /// been written stalls the processor for longer than it takes to find it.
    #[inline(always)]
    fn look_through_events(&mut self) -> Option<Completion> {
        loop {
            if let Some(completion) = self.tell_finished() {
                return Some(completion);
            }
            if self.telling {
                self.telling = false;
                self.outbox.all_told();
            }
            if let Some(completion) = self.next_attended() {
                return Some(completion);
            }
            if self.news.is_pending()
                && let Some(completion) = self.next_news()
            {
                return Some(completion);
            }
            if self.round_on {
                match self.next_rung() {
                    Some(Rung::User(token)) => return Some(Completion::Async(token)),
                    Some(Rung::Bell) => self.take_finished(),
                    None => self.round_on = false,
                }
                continue;
            }
            let Some(event) = self.next_event() else {
                if self.exits.is_empty() && !self.arrivals.is_pending() {
                    return None;
                }
                return self.next_exit().or_else(|| self.next_arrival());
            };
            match event {
                Event::Wake => {
                    self.answer_if_asked();
                    self.begin_round();
                    self.round_on = true;
                }
                Event::Ready { key: io::INOTIFY, .. } => self.news.announced = true,
                Event::Ready { key: io::MAILBOX, .. } => self.arrivals.announced = true,
                Event::Ready { key, readiness } => {
                    let Some(id) = HandleId::from_bits(key.0) else { continue };
                    let completion = match id.kind() {
                        kind if is_stream(kind) => self.begin_stream_event(id, readiness),
                        Kind::Udp => self.begin_udp_event(id, readiness),
                        kind => {
                            self.withdraw_unwanted(id, readiness);
                            self.ready(id, kind, readiness)
                        }
                    };
                    if completion.is_some() {
                        return completion;
                    }
                }
                Event::Done { key: Key(bits), result } => {
                    let request = RequestId::from_bits(bits);
                    self.finished.push(Finished { request, result: result.map(drop) });
                }
            }
        }
    }

    /// Whether there is work that has ended, and was not told of.
    #[inline]
    pub fn has_finished(&self) -> bool {
        !self.finished.is_empty()
    }

    /// As [`next_turn`](Self::next_turn), for work alone: `None` if the loop is not telling of any,
    /// and if there is something else to be seen to before. Saves a driver that is told of much work
    /// the way through the phases each time.
    #[inline]
    pub fn next_finished(&mut self) -> Option<Completion> {
        if self.position != Position::Poll || !self.corked.is_empty() {
            return None;
        }
        self.turn = self.turn.wrapping_add(1);
        self.tell_finished()
    }

    /// The next completion of work that has ended.
    #[inline(always)] // See `look_through_events`.
    fn tell_finished(&mut self) -> Option<Completion> {
        while let Some(Finished { request, mut result }) = self.finished.pop() {
            let Some(Work { token, stage, .. }) = self.end_work(request) else { continue };
            match stage {
                Stage::Attempted(outcome) => return Some(Completion::Read { token, outcome }),
                Stage::Cancelled => result = Err(Errno::ECANCELED),
                Stage::Submitted(_) | Stage::Done | Stage::Queued(_) => {}
            }
            match self.glance_ended(request) {
                None => return Some(Completion::Work { token, result }),
                Some(None) => {}
                Some(told) => return told,
            }
        }
        None
    }

    /// The descriptor of something else than a socket is ready.
    fn ready(&mut self, id: HandleId, kind: Kind, readiness: Readiness) -> Option<Completion> {
        match kind {
            Kind::Poll => return self.poll_ready(id, readiness),
            Kind::Process => self.exits.push_back(id),
            _ => {}
        }
        None
    }

    /// Tells the driver that nobody wants to hear what it has just said, if that is so: otherwise
    /// it would say it again and again.
    fn withdraw_unwanted(&mut self, id: HandleId, readiness: Readiness) {
        if let Some((fd, watch)) = self.table.source(id)
            && readiness.wanted(watch.wanted()).is_empty()
        {
            io::withdraw(id, (fd, watch), &mut self.driver);
        }
    }

    fn next_event(&mut self) -> Option<Event> {
        if self.events_at == self.events.len() {
            self.refill();
        }
        let event = self.events.get(self.events_at).copied();
        self.events_at += usize::from(event.is_some());
        event
    }

    /// Counts the batch that was told, and looks again if it was full.
    #[inline(never)]
    fn refill(&mut self) {
        let full = self.events.len() == self.driver.batch();
        let further = std::mem::take(&mut self.further_events);
        self.counters.add(self.events.len() + further, self.batch_waited);
        self.events.clear();
        self.events_at = 0;
        // Signals come last, and another look at the rest after them.
        if full && self.batches_left > 0 && !self.arrivals.announced {
            self.batches_left -= 1;
            // What the driver cannot tell now it tells in the next iteration.
            let _ = self.wait(Some(0));
        }
    }

    fn take_finished(&mut self) {
        self.outbox.take(&mut self.finished, &mut self.carried);
        self.telling = !self.finished.is_empty();
        self.further_events += self.finished.len().saturating_sub(1);
        // Taken from the end, in the order in which they have finished.
        self.finished.reverse();
    }

    #[inline(never)]
    fn settle_watches(&mut self) {
        let changed = self.watches.take_changed();
        for id in &changed {
            let Some(source) = self.table.source(*id) else { continue };
            if let Err(error) = io::settle(*id, source, &mut self.driver) {
                self.deferred.push_back(Deferred::WatchFailed(*id, error));
            }
        }
        self.watches.put_back(changed);
    }

    /// The driver speaks of somebody who is no more. It may have relied on the end of a watch that
    /// did not come, and then it begins anew and is told everything again.
    #[cold]
    pub(crate) fn told_of_nobody(&mut self) {
        // One that cannot now speaks of it again.
        if self.driver.renew() == Ok(true) {
            self.redeclare_watches();
            self.settle_watches();
            self.redeclare_mailbox();
            self.redeclare_inotify();
        }
    }

    /// The driver's descriptor, for somebody who is going to watch it.
    #[doc(alias = "uv_backend_fd")]
    pub fn nested_descriptor(&mut self) -> Option<RawFd> {
        self.told_of_nobody();
        self.driver.keep_descriptor();
        self.driver.descriptor()
    }

    pub(crate) fn redeclare_watches(&mut self) {
        for (id, _) in self.handles(true) {
            if let Some((_, watch)) = self.table.source(id) {
                io::redeclare(id, watch, &mut self.watches);
            }
        }
    }
}
