//! Check handles: once per iteration, right after the loop has polled.

use mauve_sys::poller::Driver;

use crate::Engine;
use crate::run::Completion;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_check(&mut self) {
        self.check.begin();
    }

    #[inline]
    pub(super) fn next_check(&mut self) -> Option<Completion> {
        self.check.next(&self.table.checks).map(Completion::Check)
    }
}
