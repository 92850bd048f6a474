//! The cork: combines the writes of one callback to one socket into one system call.
//!
//! A callback that handles sixteen pipelined requests writes sixteen responses. If the policy allows it, the engine
//! copies these writes into a buffer and sends them before the next callback begins. The writer may
//! reuse its own buffer at once.
//!
//! The engine has the mechanism, the host chooses the policy: [`CorkPolicy`] selects the writes that
//! are corked. The host calls [`Engine::flush_cork`] before any operation that must come after
//! them. [`Engine::next`] flushes, too. Only one socket is corked at a time, so writes to different
//! sockets keep their order.

use mauve_sys::driver::Driver;
use mauve_sys::net::Address;

use crate::Engine;
use crate::completion::Completion;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind, Token};

/// Which writes to a socket are corked. Off is the default of every socket.
///
/// Only writes of at most 16 KiB to TCP streams in a running callback are corked, and only if the
/// stream's queue is empty. Queued writes of such a stream are sent with one system call. Datagrams are
/// corked if they have the same size and peer, after the first four of a callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CorkPolicy {
    /// Every write is attempted at once, and queued writes are sent one by one.
    #[default]
    Off,
    /// The first write of a callback is attempted at once; the following ones are corked.
    AfterFirst,
    /// As `AfterFirst`. After a callback that wrote several times, the first write of the next
    /// callback is corked, too.
    Burst,
}

/// The largest write that is corked. Copying a larger one costs more than a system call.
pub(crate) const LARGEST_WRITE: usize = 16 << 10;

/// The most bytes that are corked at a time.
const CAPACITY: usize = 64 << 10;

/// The corked writes of one loop.
#[derive(Default)]
pub(crate) struct Cork {
    /// What is to be done before the engine yields the next completion.
    pub before_next: BeforeNext,
    /// The corked socket, if any.
    owner: Option<HandleId>,
    pub bytes: Vec<u8>,
    /// The writes that `bytes` consists of, if the owner is a stream.
    pub writes: Vec<CorkedWrite>,
    /// The datagrams that `bytes` consists of, if the owner is a datagram socket.
    pub datagrams: Option<CorkedDatagrams>,
}

bitflags::bitflags! {
    /// What is to be done before the engine yields the next completion. One number for the cork and for
    /// the trace, so that both need one branch.
    #[derive(Clone, Copy, Default)]
    pub(crate) struct BeforeNext: u8 {
        /// The corked writes are to be sent.
        const FLUSH = 1;
        /// The loop is traced or watched: the current callback ends.
        const TRACE = 2;
    }
}

/// A write to a stream.
pub(crate) struct CorkedWrite {
    pub token: Token,
    /// Its end in `Cork::bytes`.
    pub end: usize,
    /// Whether a completion reports success. Otherwise completions report only queueing and errors.
    pub reports: bool,
}

/// Datagrams of one size to one peer.
pub(crate) struct CorkedDatagrams {
    pub token: Token,
    pub size: u16,
    pub to: Option<Address>,
}

impl Cork {
    /// Whether bytes are corked.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        self.owner.is_some()
    }

    /// Whether bytes of this socket are corked.
    #[inline]
    pub fn is_owned_by(&self, id: HandleId) -> bool {
        self.owner == Some(id)
    }

    /// Whether a write of `size` bytes can be corked.
    pub fn has_room(&self, size: usize) -> bool {
        (1..=LARGEST_WRITE).contains(&size) && self.bytes.len() + size <= CAPACITY
    }

    /// Makes a socket the owner. The cork is empty before.
    pub fn begin(&mut self, id: HandleId) {
        debug_assert!(!self.is_pending());
        self.owner = Some(id);
        self.before_next |= BeforeNext::FLUSH;
    }

    /// Ends the cork and takes its bytes. [`put_back`](Self::put_back) returns their memory.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.owner = None;
        self.before_next -= BeforeNext::FLUSH;
        std::mem::take(&mut self.bytes)
    }

    pub fn put_back(&mut self, mut bytes: Vec<u8>) {
        bytes.clear();
        self.bytes = bytes;
    }
}

impl<D: Driver> Engine<D> {
    /// Whether writes are corked at this moment.
    #[inline(always)]
    pub fn is_corked(&self) -> bool {
        self.cork.is_pending()
    }

    /// Sends the corked writes. Returns [`Completion::Progress`] if some of the bytes have to be
    /// queued on the stream.
    #[cold]
    pub fn flush_cork(&mut self) -> Option<Completion> {
        let id = self.cork.owner?;
        if is_stream(id.kind()) {
            let mut stream = self.stream(id)?;
            stream.flush_corked();
            return stream.progress();
        }
        debug_assert_eq!(id.kind(), HandleKind::Udp);
        self.udp(id)?.flush_corked();
        None
    }

    /// Sends the corked writes unless they are this socket's: an operation that does not depend on
    /// them may leave them corked.
    #[inline]
    pub fn flush_other_cork(&mut self, id: HandleId) {
        if self.cork.owner.is_some_and(|owner| owner != id) {
            self.flush_cork();
        }
    }

    /// Drops the corked writes and reports them as written. Called in a forked child: the parent
    /// sends the bytes.
    pub fn discard_cork(&mut self) {
        let Some(id) = self.cork.owner else { return };
        match self.stream(id) {
            Some(mut stream) => stream.discard_corked(),
            None => {
                let bytes = self.cork.take_bytes();
                self.cork.put_back(bytes);
            }
        }
        self.cork.datagrams = None;
    }
}

/// When a socket was last written to: the number of the callback, and whether that callback wrote
/// more than once.
#[derive(Clone, Copy)]
pub(crate) struct WriteMark(u32);

impl WriteMark {
    pub const NEVER: Self = Self(0);

    const SEVERAL: u32 = 1 << 31;

    /// Records a write in a callback. Returns whether the policy corks it: it is not the first of the
    /// callback, or bursts are expected and the last writing callback wrote several times.
    pub fn note(&mut self, callback: u32, expects_bursts: bool) -> bool {
        let callback = callback & !Self::SEVERAL;
        let follows = self.0 & !Self::SEVERAL == callback;
        let bursts = expects_bursts && self.0 & Self::SEVERAL != 0;
        self.0 = if follows { callback | Self::SEVERAL } else { callback };
        follows || bursts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_corked_if_it_is_not_the_first_of_its_callback() {
        let mut mark = WriteMark::NEVER;
        assert_eq!([1, 2, 3].map(|callback| mark.note(callback, false)), [false; 3]);
        assert_eq!([4, 4, 4].map(|callback| mark.note(callback, false)), [false, true, true]);
        assert_eq!([5, 5].map(|callback| mark.note(callback, false)), [false, true]);
    }

    #[test]
    fn after_a_burst_the_first_write_of_the_next_callback_is_corked() {
        let mut mark = WriteMark::NEVER;
        assert_eq!([4, 4, 4].map(|callback| mark.note(callback, true)), [false, true, true]);
        assert_eq!([5, 5].map(|callback| mark.note(callback, true)), [true, true]);
        assert_eq!([6, 7].map(|callback| mark.note(callback, true)), [true, false]);
    }
}
