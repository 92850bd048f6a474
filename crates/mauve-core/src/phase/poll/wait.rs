//! Waits for events.

use std::time::Duration;

use mauve_sys::Result;
use mauve_sys::driver::{Driver, Timeout};

use crate::Engine;
use crate::run::Mode;
use crate::trace;

/// How often the driver is polled again after a full batch of events. The bound keeps many ready
/// descriptors from starving the other phases.
const MAX_BATCHES: u32 = 48;

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
        self.pool.finished.is_inline = !self.pool.inline_done.is_empty();
        if self.pool.finished.is_inline {
            self.report_inline_work();
        }
        Ok(())
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
            self.driver.wait(
                timeout.map_or(Timeout::Never, Timeout::Millis),
                &mut self.poll.current.events,
            )
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
                let timeout = Timeout::Exact(Duration::from_nanos(timeout));
                self.driver.wait(timeout, &mut self.poll.current.events)
            }
            None => self.driver.wait(Timeout::Never, &mut self.poll.current.events),
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

    #[cold]
    #[inline(never)]
    pub(super) fn poll_again(&mut self) {
        // An event that the driver fails to report now is reported in the next iteration.
        let _ =
            if trace::is_on() { self.wait::<true>(Some(0)) } else { self.wait::<false>(Some(0)) };
    }

    /// Called at the end of a run. Makes the driver's descriptor readable if the next poll phase has
    /// something to report, because the program may wait for that descriptor alone.
    pub(crate) fn announce_pending(&mut self) {
        if self.pool.is_pending() || std::mem::take(&mut self.wakeups.missed) {
            self.wakeups.queue.notify();
        }
    }
}
