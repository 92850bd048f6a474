//! Prepare handles: once per iteration, right before the loop waits.

use mauve_sys::driver::Driver;

use crate::Engine;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_prepare(&mut self) {
        self.hooks.prepare.begin();
    }
}
