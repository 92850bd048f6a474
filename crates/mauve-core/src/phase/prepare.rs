//! Prepare handles: once per iteration, right before the loop waits.

use mauve_sys::poller::Driver;

use crate::Engine;
use crate::run::Completion;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_prepare(&mut self) {
        self.prepare.begin();
    }

    #[inline]
    pub(super) fn next_prepare(&mut self) -> Option<Completion> {
        self.prepare.next(&self.table.prepares).map(Completion::Prepare)
    }
}
