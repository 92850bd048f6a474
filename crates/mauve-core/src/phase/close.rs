//! Handles that were closed: the last that is heard of them.
//!
//! The latest close comes first. A handle that is closed by one of these callbacks waits for the
//! next iteration.

use mauve_sys::poller::Driver;

use crate::Engine;
use crate::handle::stream::is_stream;
use crate::id::Kind;
use crate::run::Completion;

impl<D: Driver> Engine<D> {
    #[inline]
    pub(crate) fn enter_close(&mut self) {
        if self.closing.is_empty() {
            return;
        }
        if self.closing_now.is_empty() {
            std::mem::swap(&mut self.closing, &mut self.closing_now);
        } else {
            // Left over from a run that was abandoned; they were closed first.
            self.closing_now.append(&mut self.closing);
        }
    }

    #[inline]
    pub(crate) fn next_closed(&mut self) -> Option<Completion> {
        if self.closing_now.is_empty() { None } else { self.end_closing() }
    }

    #[inline(never)]
    fn end_closing(&mut self) -> Option<Completion> {
        let id = *self.closing_now.last()?;
        let undone = match id.kind() {
            Kind::Udp => self.next_unsent(id),
            kind if is_stream(kind) => self.next_cancelled(id),
            _ => None,
        };
        if undone.is_some() {
            return undone;
        }
        self.closing_now.pop();
        let token = self.table.head(id).expect("closing handles stay in the table").token;
        self.end_handle(id);
        Some(Completion::Close(token))
    }
}
