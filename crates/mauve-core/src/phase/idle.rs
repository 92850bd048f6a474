//! Idle handles: once per iteration, and while there is one the loop does not sleep.

use mauve_sys::poller::Driver;

use crate::Engine;
use crate::run::Completion;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_idle(&mut self) {
        self.idle.begin();
    }

    #[inline]
    pub(super) fn next_idle(&mut self) -> Option<Completion> {
        self.idle.next(&self.table.idles).map(Completion::Idle)
    }
}
