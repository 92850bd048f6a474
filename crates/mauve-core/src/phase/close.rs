//! The close phase: reports closed handles.
//!
//! The handle that was closed last is reported first. A handle that is closed in a close callback is
//! reported in the next iteration.

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::completion::Completion;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind};

/// Handles whose close completion is not reported yet.
#[derive(Default)]
pub(crate) struct ClosingQueue {
    /// Closed since the current close phase began.
    queue: Vec<HandleId>,
    /// Reported by the current close phase, from the end.
    current: Vec<HandleId>,
}

impl ClosingQueue {
    /// Whether a later close phase has something to report. As in libuv, handles that the current
    /// close phase has still to report do not keep the loop alive.
    pub fn is_pending(&self) -> bool {
        !self.queue.is_empty()
    }

    pub fn push(&mut self, id: HandleId) {
        self.queue.push(id);
    }

    /// Removes the handle that was closed last.
    pub fn pop(&mut self) {
        self.queue.pop();
    }

    /// Takes the rest of the current close phase.
    pub fn suspend(&mut self) -> Vec<HandleId> {
        std::mem::take(&mut self.current)
    }

    /// Continues a close phase that was suspended.
    pub fn resume(&mut self, rest: Vec<HandleId>) {
        self.current = rest;
    }

    /// Queues the rest of a close phase that is not continued. Those handles were closed first.
    pub fn abandon(&mut self) {
        let mut rest = self.suspend();
        rest.append(&mut self.queue);
        self.queue = rest;
    }
}

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_close(&mut self) {
        debug_assert!(self.closing.current.is_empty());
        std::mem::swap(&mut self.closing.queue, &mut self.closing.current);
    }

    #[inline]
    pub(crate) fn next_closed(&mut self) -> Option<Completion> {
        if self.closing.current.is_empty() { None } else { self.end_closing() }
    }

    #[inline(never)]
    fn end_closing(&mut self) -> Option<Completion> {
        loop {
            let id = *self.closing.current.last()?;
            let cancelled = match id.kind() {
                HandleKind::Udp => self.next_cancelled_send(id),
                kind if is_stream(kind) => self.next_cancelled(id),
                _ => None,
            };
            if cancelled.is_some() {
                return cancelled;
            }
            self.closing.current.pop();
            let token = self.table.head(id).expect("closing handles stay in the table").token;
            self.end_handle(id);
            let polls = &mut self.table.fs_polls;
            if !self.fs_polls.timer_closed(id, token, polls, &mut self.closing) {
                return Some(Completion::Close(token));
            }
        }
    }
}
