//! Writes that leave together.
//!
//! A callback that answers sixteen questions writes sixteen times. If nobody can tell the
//! difference, writes are held back and leave with one system call when the callback has returned,
//! which is when the engine is asked for its next step. Whoever asks how much is unsent, wants to
//! write at once, shuts down or closes the stream has them leave before; and so has the first write
//! to another stream, so that what leaves first was written first.
//!
//! The Rust API asks for it by [`write_soon`](StreamMut::write_soon), in callbacks that are known to
//! write often. The C ABI lets the first write of a callback leave at once, as libuv would, and holds
//! back those that follow it on the same TCP stream ([`Engine::hold_writes`]): a program that writes
//! once and then does something drastic in the same callback has its bytes with the system.

use mauve_sys::Result;
use mauve_sys::driver::Driver;
use mauve_sys::payload::Payload;

use super::{Flags, Stream, StreamMut, Write, write};
use crate::Engine;
use crate::completion::Completion;
use crate::id::HandleId;
use crate::id::{Kind, Token};

/// More bytes than this are not held back: they would not be taken at once either, and are worth a
/// system call of their own.
const MOST_HELD: usize = 64 << 10;

/// The streams of one loop that hold writes back.
#[derive(Default)]
pub(crate) struct Cork {
    /// Streams that hold writes back until the callback has returned, or did.
    pub streams: Vec<HandleId>,
    /// Whether streams do so unasked.
    pub automatic: bool,
}

impl Cork {
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        !self.streams.is_empty()
    }
}

impl<D: Driver> StreamMut<'_, D> {
    /// As [`write`](Self::write), at the end of the callback that is running. Outside of a run
    /// there is none, and it is written at once.
    pub fn write_soon(&mut self, token: Token, payload: Payload) -> Result<()> {
        let runs = self.engine.is_running();
        let body = self.body();
        // Behind bytes that wait for room there is nothing to hold back.
        let waits = body.unsent > 0 && !body.is(Flags::CORKED);
        if !runs || waits || body.is(Flags::BLOCKS) || body.role.is_connecting() {
            return self.write(token, payload, None);
        }
        self.hold(token, payload)
    }

    /// Holds a write back.
    pub(super) fn hold(&mut self, token: Token, payload: Payload) -> Result<()> {
        let Engine { table, streams, active, cork, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        body.check_writable(payload.len(), None)?;
        body.unsent += payload.len();
        streams.writes.push(&mut body.queued, Write::new(token, payload));
        active.requests += 1;
        if !body.flags.put(Flags::CORKED) {
            cork.streams.push(self.id);
        }
        Ok(())
    }

    /// Whether the next write is to be held back, because it is not the callback's first.
    #[inline]
    pub(super) fn may_hold(&mut self) -> bool {
        let turn = self.engine.run.callbacks;
        let body = self.body();
        body.wrote_in == turn
            && (body.is(Flags::CORKED) || body.unsent == 0)
            && !body.is(Flags::BLOCKS)
            && self.id.kind() == Kind::Tcp
            && self.engine.cork.automatic
            && self.engine.is_running()
    }

    /// Lets go of what is held back.
    pub(super) fn uncork(&mut self) {
        if self.body().flags.take(Flags::CORKED) {
            self.flush();
            if !self.body().done.is_empty() {
                self.feed();
            }
            self.update();
        }
    }
}

impl Stream {
    /// Whether so much is held back that it is enough.
    pub(super) fn holds_enough(&self) -> bool {
        self.unsent > MOST_HELD
    }

    /// Bytes that wait for room: those that are held back wait for nothing but the end of the
    /// callback, and will most likely be gone then.
    pub(super) fn waiting(&self) -> usize {
        if self.is(Flags::CORKED) { 0 } else { self.unsent }
    }
}

impl<D: Driver> Engine<D> {
    /// Has [`StreamMut::write_or_keep`] hold back all but a callback's first write to a TCP stream.
    pub fn hold_writes(&mut self) {
        self.cork.automatic = true;
    }

    /// Whether writes are held back at this moment.
    pub fn holds_any(&self) -> bool {
        !self.cork.streams.is_empty()
    }

    /// Lets go of everything that the callback has written, without waiting for its end.
    #[cold]
    pub fn let_go(&mut self) {
        for at in 0..self.cork.streams.len() {
            if let Some(mut stream) = self.stream(self.cork.streams[at]) {
                stream.uncork();
            }
        }
    }

    /// After a fork: what is held back is the parent's to send. For the child it is sent.
    pub(crate) fn disown_held(&mut self) {
        while let Some(id) = self.cork.streams.pop() {
            let Some(entry) = self.table.streams.get_mut(id) else { continue };
            let body = &mut entry.body;
            if body.flags.take(Flags::CORKED) {
                let all = std::mem::take(&mut body.unsent);
                write::finish(&mut self.streams.writes, &mut body.queued, &mut body.done, all);
                StreamMut { engine: self, id }.feed();
            }
        }
    }

    /// The callback has returned: lets go of what it has written, stream by stream, and tells how
    /// much of it has to wait for room.
    #[cold]
    pub(crate) fn uncork_next(&mut self) -> Option<Completion> {
        self.let_go();
        while let Some(id) = self.cork.streams.pop() {
            // Closed meanwhile? Then it was let go then.
            let Some(entry) = self.table.streams.get_mut(id) else { continue };
            let (token, unsent) = (entry.head.token, entry.body.unsent);
            if unsent > 0 {
                return Some(Completion::Progress { token, unsent });
            }
        }
        None
    }
}
