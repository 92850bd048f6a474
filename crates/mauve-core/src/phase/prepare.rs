//! The prepare phase: reports prepare handles once per iteration, before the poll phase.

use mauve_sys::driver::Driver;

use crate::Engine;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_prepare(&mut self) {
        self.hooks.prepare.begin();
    }
}
