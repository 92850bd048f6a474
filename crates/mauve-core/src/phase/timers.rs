//! The timers phase: reports due timers.
//!
//! Due timers are collected on entry. A timer that a callback starts with timeout zero waits for
//! the next iteration, so timers alone cannot keep the loop from polling.

use mauve_sys::driver::Driver;

use crate::Engine;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_timers(&mut self) {
        self.update_time();
        self.collect_due_timers();
    }
}
