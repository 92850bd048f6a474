//! The check phase: reports check handles once per iteration, after the poll phase.

use mauve_sys::driver::Driver;

use crate::Engine;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_check(&mut self) {
        self.hooks.check.begin();
    }
}
