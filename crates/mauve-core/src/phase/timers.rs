//! Timers that are due.
//!
//! What is due is settled on entry: a timer that a callback starts with no timeout waits for the
//! next iteration, so timers alone cannot keep the loop from polling.

use mauve_sys::poller::Driver;

use crate::Engine;
use crate::run::Completion;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_timers(&mut self) {
        self.update_time();
        self.collect_due_timers();
    }

    #[inline]
    pub(super) fn next_timer(&mut self) -> Option<Completion> {
        self.next_ready_timer().map(Completion::Timer)
    }
}
