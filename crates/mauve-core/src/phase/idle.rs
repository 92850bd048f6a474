//! The idle phase: reports idle handles once per iteration. While one is active, the loop does not
//! wait.

use mauve_sys::driver::Driver;

use crate::Engine;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_idle(&mut self) {
        self.hooks.idle.begin();
    }
}
