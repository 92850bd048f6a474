//! Bytes that leave together.
//!
//! A task that answers sixteen questions writes sixteen times. The first answer leaves at once;
//! those that follow it, before the task waits for anything, are held back and leave with one system
//! call when it does. A stream that was written to like that has the first one held back too, next
//! time.
//!
//! One stream at a time holds bytes back: writing to another one has them leave, so that what leaves
//! first was written first. Flushing, shutting down and dropping the stream do so too. What there is
//! no room for then, the engine keeps until there is, and the next write waits for it. What the
//! system says against bytes that were held back is told by the next write.

use std::cell::{Cell, RefCell};
use std::io::IoSlice;

use mauve_core::{HandleId, Kind};
use mauve_sys::payload::{self, Payload};
use mauve_sys::{Errno, Result};

use super::socket::Socket;
use crate::core::{Core, socket_token};

/// More bytes than this are not held back: they are worth a system call of their own.
const LARGEST: usize = 16 << 10;

/// So many bytes leave with one call.
const MOST: usize = 64 << 10;

/// What the streams of one loop hold back.
#[derive(Default)]
pub(crate) struct Held {
    owner: Cell<Option<Owner>>,
    bytes: RefCell<Vec<u8>>,
}

#[derive(Clone, Copy)]
struct Owner {
    id: HandleId,
    key: usize,
}

impl Held {
    /// Holds back what is written to a stream, if it may be. Returns how many bytes that are, or zero.
    #[inline(never)]
    pub(super) fn hold(&self, socket: &Socket, slices: &[IoSlice<'_>]) -> usize {
        let core = &*socket.core;
        let total = payload::total(slices);
        if total == 0 || total > LARGEST || self.bytes.borrow().len() + total > MOST {
            return 0;
        }
        if !self.is_of(socket) {
            self.let_go(core);
            let may = socket.id.kind() == Kind::Tcp && core.executor.is_running();
            // Behind bytes that wait for room there is nothing to hold back.
            if !may || socket.with(|mut stream| stream.unsent()) > 0 {
                return 0;
            }
            self.owner.set(Some(Owner { id: socket.id, key: socket.key }));
            core.note_held_back();
        }
        let mut bytes = self.bytes.borrow_mut();
        slices.iter().for_each(|slice| bytes.extend_from_slice(slice));
        total
    }

    /// Whether it is this stream that holds something back.
    pub(super) fn is_of(&self, socket: &Socket) -> bool {
        self.owner.get().is_some_and(|owner| owner.id == socket.id)
    }

    /// Writes what is held back.
    #[inline]
    pub fn let_go(&self, core: &Core) {
        if let Some(owner) = self.owner.take() {
            self.write(core, owner);
        }
    }

    #[cold]
    fn write(&self, core: &Core, owner: Owner) {
        let mut bytes = self.bytes.borrow_mut();
        if let Err(error) = write_or_queue(core, owner, &bytes) {
            core.sockets.set_failure(owner.key, error);
        }
        bytes.clear();
    }
}

/// Writes `bytes`; the engine keeps what there is no room for.
fn write_or_queue(core: &Core, owner: Owner, bytes: &[u8]) -> Result<()> {
    core.engine(|engine| {
        let mut stream = engine.stream(owner.id).expect("it lets go before it is closed");
        let written = match stream.try_write(&[IoSlice::new(bytes)], None) {
            Err(Errno::EAGAIN) => 0,
            result => result?,
        };
        match &bytes[written..] {
            [] => Ok(()),
            rest => stream.write(socket_token(owner.key), Payload::owned(rest), None),
        }
    })
}
