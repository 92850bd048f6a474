//! Idle handles: once per iteration, and while there is one the loop does not sleep.

use mauve_sys::driver::Driver;

use crate::Engine;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_idle(&mut self) {
        self.hooks.idle.begin();
    }
}
