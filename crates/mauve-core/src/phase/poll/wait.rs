//! Waits for events. The host performs the waits that may block, so that other threads can use the
//! engine meanwhile.

use std::time::Duration;

use mauve_sys::Result;
use mauve_sys::driver::{Driver, Event, Timeout};

use crate::Engine;
use crate::run::{Mode, Position};
use crate::trace;

/// How often the driver is polled again after a full batch of events. The bound keeps many ready
/// descriptors from starving the other phases.
const MAX_BATCHES: u32 = 48;

impl<D: Driver> Engine<D> {
    /// [`enter_poll`](Self::enter_poll), with the waits recorded.
    #[cold]
    #[inline(never)]
    pub(crate) fn enter_poll_traced(&mut self, mode: Mode) -> Result<bool> {
        self.enter_poll::<true>(mode)
    }

    /// Registers changed interests with the driver, and takes the events that are ready if the mode does not
    /// allow to wait, or there is something to report at once. Otherwise it returns true: the host
    /// waits. With `TRACED`, the waits are recorded.
    ///
    /// Inlined, because the processor mispredicts a return that follows a system call.
    #[inline(always)]
    pub(crate) fn enter_poll<const TRACED: bool>(&mut self, mode: Mode) -> Result<bool> {
        self.metrics.count_iteration();
        self.poll.current.events.clear();
        self.poll.current.next = 0;
        self.poll.current.batches_left = MAX_BATCHES;
        self.poll.current.stale = false;
        if !self.registrations.are_current() {
            if TRACED {
                self.trace_descriptors();
            }
            self.reregister_changed();
        }
        if self.pool.has_kept_reads() {
            self.start_reads();
        }
        if TRACED {
            self.await_jobs(mode);
        }
        let notified = self.wakeups.begin_phase();
        if mode == Mode::NoWait {
            // A program that embeds the loop polls the driver's descriptor, which must not stay readable.
            self.poll_now::<TRACED>()?;
        } else if notified && self.driver.is_empty() {
            if TRACED {
                self.trace_wait_begin(Some(0));
            }
            self.driver.cancellation_point();
            // The time is up to date if no callback ran since the clock was last read.
            if self.clock.read_after() != self.run.callback() {
                self.update_time();
            }
            if TRACED {
                self.trace_wait_end(0);
            }
        } else {
            let may_wait = mode == Mode::Default || self.run.may_wait();
            if self.host_waits::<TRACED>(may_wait && !notified)? {
                return Ok(true);
            }
        }
        if TRACED && notified && self.leaves_wakeups(mode) {
            self.wakeups.note_missed();
        } else if notified {
            self.report_if_queried();
            self.poll.current.further_events += 1;
            self.begin_wakeups();
        }
        self.take_inline_work();
        Ok(false)
    }

    #[inline(always)]
    fn take_inline_work(&mut self) {
        if self.pool.begin_phase() {
            self.report_inline_work();
        }
    }

    /// Prepares another wait after a batch of stale events only, as libuv does: a wait ends with a
    /// callback or a timer. Returns the position to continue at, if there is more to do.
    #[cold]
    pub(crate) fn wait_again(&mut self) -> Result<Option<Position>> {
        self.poll.current.stale = false;
        if !self.registrations.are_current() {
            self.reregister_changed();
        }
        if self.run.is_stopping() || !self.alive() {
            return Ok(None);
        }
        let waits = if trace::is_on() {
            self.host_waits::<true>(true)?
        } else {
            self.host_waits::<false>(true)?
        };
        Ok(match waits {
            true => Some(Position::WaitAgain),
            false => self.poll.is_pending().then_some(Position::Poll),
        })
    }

    /// Whether [`wait_again`](Self::wait_again) is to be called at the end of the phase.
    #[inline(always)]
    pub(crate) fn has_seen_stale_events_only(&self) -> bool {
        self.poll.current.stale
    }

    /// Whether the host has to wait until there is an event or a timer is due. Polls once if not.
    #[inline(always)]
    fn host_waits<const TRACED: bool>(&mut self, may_wait: bool) -> Result<bool> {
        let timeout = if may_wait { self.poll_timeout() } else { Some(0) };
        // Events that are ready already do not count as waited for.
        if timeout == Some(0) || self.metrics.polls_first() {
            self.poll_at_once::<TRACED>()?;
            if timeout == Some(0) {
                return Ok(false);
            }
            if !self.poll.current.events.is_empty() {
                // Cleared by the first event that is wanted.
                self.poll.current.stale = true;
                return Ok(false);
            }
        }
        self.poll.current.wait.timeout = timeout;
        Ok(true)
    }

    /// Begins a wait of the host, and returns how long it may last. If a timer has a deadline in
    /// nanoseconds, the wait ends in the nanosecond of the next timer.
    #[inline(always)]
    pub fn begin_wait(&mut self) -> Timeout {
        let timeout = self.poll.current.wait.timeout;
        let timeout = timeout.map(|ms| u32::try_from(ms).unwrap_or(u32::MAX));
        self.metrics.begin_wait(|| self.driver.now());
        self.probe.begin_wait();
        self.poll.current.wait.traced = trace::is_on();
        self.poll.batch += 1;
        self.poll.current.batch_was_ready = false;
        if self.poll.current.wait.traced {
            return self.begin_traced_wait(timeout);
        }
        self.wait_time(timeout)
    }

    #[cold]
    fn begin_traced_wait(&mut self, timeout: Option<u32>) -> Timeout {
        self.trace_wait_begin(timeout);
        let timeout = self.wait_time(timeout);
        self.schedule_wait(timeout)
    }

    /// The time to the next timer, if there is one.
    #[inline(always)]
    fn wait_time(&mut self, timeout: Option<u32>) -> Timeout {
        if self.clock.is_virtual() {
            return self.begin_virtual_wait();
        }
        if self.timers.has_deadlines() {
            return self.time_until_deadline();
        }
        timeout.map_or(Timeout::Never, Timeout::Millis)
    }

    #[cold]
    fn time_until_deadline(&mut self) -> Timeout {
        self.next_deadline().map_or(Timeout::Never, |deadline| {
            Timeout::Exact(Duration::from_nanos(deadline.saturating_sub(self.driver.now())))
        })
    }

    /// Ends a wait of the host. `take` appends the events of the driver.
    #[inline(always)]
    pub fn end_wait(
        &mut self,
        take: impl FnOnce(&mut D, &mut Vec<Event>) -> Result<()>,
    ) -> Result<()> {
        let result = take(&mut self.driver, &mut self.poll.current.events);
        self.metrics.end_wait(|| self.driver.now());
        let traced = self.poll.current.wait.traced;
        if traced {
            self.note_end_of_wait::<true>();
        } else {
            self.note_end_of_wait::<false>();
        }
        if let Err(error) = result {
            self.abandon_run();
            return Err(error);
        }
        if self.clock.is_virtual() {
            self.end_virtual_wait();
        }
        if self.poll.current.events.is_empty() {
            // A signal, `mauve why` or the clock's resolution may end a wait before its time.
            let timeout = self.poll_timeout();
            if timeout != Some(0) {
                self.poll.current.wait.timeout = timeout;
                if !traced && trace::is_on() {
                    // A trace was started, and has ended the wait.
                    self.trace_descriptors();
                }
                return Ok(());
            }
        } else {
            // Cleared by the first event that is wanted.
            self.poll.current.stale = true;
        }
        if self.run.position() == Position::Wait {
            self.take_inline_work();
        }
        self.run.set_position(Position::Poll);
        Ok(())
    }

    /// Called after another thread has used the engine. If the loop's thread waits, it has to report
    /// what that thread has started and what is done already.
    pub(crate) fn end_foreign_call(&mut self) {
        if matches!(self.run.position(), Position::Wait | Position::WaitAgain) {
            if self.pool.has_kept_reads() {
                self.start_reads();
            }
            if self.pool.is_pending() {
                self.wakeups.queue().notify();
            }
        }
    }

    /// Takes the events that are ready.
    #[inline(always)]
    fn poll_at_once<const TRACED: bool>(&mut self) -> Result<()> {
        if TRACED {
            self.trace_wait_begin(Some(0));
        }
        self.poll.batch += 1;
        self.poll.current.batch_was_ready = self.metrics.polls_first();
        let result = self.driver.wait(Timeout::Millis(0), &mut self.poll.current.events);
        self.note_end_of_wait::<TRACED>();
        result
    }

    /// Takes the events that are ready. Afterwards the driver's descriptor is not readable unless
    /// there are more.
    #[inline(always)]
    fn poll_now<const TRACED: bool>(&mut self) -> Result<()> {
        if TRACED {
            self.trace_wait_begin(Some(0));
        }
        self.poll.batch += 1;
        self.poll.current.batch_was_ready = self.metrics.polls_first();
        let result = self.driver.poll(&mut self.poll.current.events);
        self.note_end_of_wait::<TRACED>();
        result
    }

    #[inline(always)]
    fn note_end_of_wait<const TRACED: bool>(&mut self) {
        self.update_time();
        if TRACED {
            self.trace_wait_end(self.poll.current.events.len());
            self.schedule_events();
        }
        self.probe.end_wait(self.clock.now());
        // `mauve why` ends a wait without an event.
        self.report_if_queried();
    }

    #[cold]
    #[inline(never)]
    pub(super) fn poll_again(&mut self) {
        // An event that the driver fails to report now is reported in the next iteration.
        let _ =
            if trace::is_on() { self.poll_at_once::<true>() } else { self.poll_at_once::<false>() };
    }

    /// Called at the end of a run. Makes the driver's descriptor readable if the next poll phase has
    /// something to report, because the program may wait for that descriptor alone.
    pub(crate) fn notify_pending(&mut self) {
        if self.pool.is_pending() || self.wakeups.take_missed() {
            self.wakeups.queue().notify();
            self.clock.owe_wake();
        }
    }
}
