//! Check handles: once per iteration, right after the loop has polled.

use mauve_sys::driver::Driver;

use crate::Engine;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_check(&mut self) {
        self.hooks.check.begin();
    }
}
