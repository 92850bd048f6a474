//! Writes that leave together.
//!
//! A callback that answers sixteen questions writes sixteen times. If nobody can tell the
//! difference, these writes are held back and leave with one system call when the callback has
//! returned, which is when the engine is asked for its next step. Whoever asks how much is unsent,
//! wants to write at once, or closes the stream has them leave before.
//!
//! The C ABI does not use this: there, a program may rely on its bytes being with the system when
//! `uv_write` returns.

use mauve_sys::Result;
use mauve_sys::payload::Payload;
use mauve_sys::poller::Driver;

use super::{Role, StreamMut, Write};
use crate::Engine;
use crate::id::Token;

impl<D: Driver> StreamMut<'_, D> {
    /// As [`write`](Self::write), at the end of the callback that is running. Outside of a run
    /// there is none, and it is written at once.
    pub fn write_soon(&mut self, token: Token, payload: Payload) -> Result<()> {
        let runs = self.engine.is_running();
        let body = self.body();
        // Behind bytes that wait for room there is nothing to hold back.
        let waits = body.unsent > 0 && !body.corked;
        if !runs || waits || body.blocks || matches!(body.role, Role::Connecting(_)) {
            return self.write(token, payload, None);
        }
        self.check_writable(payload.len(), None)?;
        let body = self.body();
        body.unsent += payload.len();
        let mut queued = body.queued;
        let first = !std::mem::replace(&mut body.corked, true);
        self.engine.writes.push(&mut queued, Write::new(token, payload));
        self.body().queued = queued;
        self.engine.census.requests += 1;
        if first {
            self.engine.corked.push(self.id);
        }
        Ok(())
    }

    /// Lets go of what is held back.
    pub(super) fn uncork(&mut self) {
        if std::mem::take(&mut self.body().corked) {
            self.flush();
            if !self.body().done.is_empty() {
                self.feed();
            }
            self.update();
        }
    }
}

impl<D: Driver> Engine<D> {
    /// The callback has returned: lets go of all that it has written.
    #[cold]
    pub(crate) fn uncork_all(&mut self) {
        let mut corked = std::mem::take(&mut self.corked);
        for id in corked.drain(..) {
            // Closed meanwhile? Then it was let go then.
            if let Some(mut stream) = self.stream(id) {
                stream.uncork();
            }
        }
        self.corked = corked;
    }
}
