//! The cork: bytes that a callback has written to one socket and that leave in one system call.
//!
//! A callback that answers sixteen requests writes sixteen times. If the host allows it, the engine
//! copies these writes and sends them as one, before the next callback begins. The bytes are the
//! engine's then: the writer may use its buffer again.
//!
//! This is the mechanism. The policy is the host's: [`CorkPolicy`] says which writes are corked,
//! and the host calls [`Engine::flush_cork`] before anything that could be observed to overtake
//! them. [`Engine::next`] does so by itself. One socket is corked at a time, so what was written
//! first leaves first.

use mauve_sys::driver::Driver;
use mauve_sys::net::Address;

use crate::Engine;
use crate::completion::Completion;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, Kind, Token};

/// Which writes to a socket are corked. Off is the default of every socket.
///
/// Only writes of at most 16 KiB to TCP streams in a running callback are corked, and only if
/// nothing waits for room before them. Writes that wait leave with one call. Of datagrams, those of one size to one peer are, after the
/// first four of a callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CorkPolicy {
    /// None: every write is attempted at once, and those that have to wait leave one by one.
    #[default]
    Off,
    /// A callback's first write is attempted at once; those that follow are corked.
    AfterFirst,
    /// As `AfterFirst`. After a callback that wrote several times, the next one's first write is
    /// corked, too.
    Burst,
}

/// A larger write is not corked: it is worth a system call of its own.
pub(crate) const LARGEST_WRITE: usize = 16 << 10;

/// How many bytes are corked at most.
const CAPACITY: usize = 64 << 10;

/// What is corked on one loop.
#[derive(Default)]
pub(crate) struct Cork {
    /// The socket that the bytes are for. `None` if nothing is corked.
    owner: Option<HandleId>,
    pub bytes: Vec<u8>,
    /// The writes that `bytes` consists of, if the owner is a stream.
    pub writes: Vec<CorkedWrite>,
    /// What `bytes` consists of, if the owner is a datagram socket.
    pub datagrams: Option<CorkedDatagrams>,
}

/// A write to a stream.
pub(crate) struct CorkedWrite {
    pub token: Token,
    /// Where in the bytes it ends.
    pub end: usize,
    /// Whether a completion reports its end. If not, one reports that it waits for room or failed.
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

    /// Whether bytes of this socket are.
    #[inline]
    pub fn is_owned_by(&self, id: HandleId) -> bool {
        self.owner == Some(id)
    }

    /// Whether there is room for so many more bytes of one write.
    pub fn has_room(&self, size: usize) -> bool {
        (1..=LARGEST_WRITE).contains(&size) && self.bytes.len() + size <= CAPACITY
    }

    /// Makes a socket the owner. Another one's bytes were flushed before.
    pub fn begin(&mut self, id: HandleId) {
        debug_assert!(!self.is_pending());
        self.owner = Some(id);
    }

    /// Ends it: takes the bytes out. [`put_back`](Self::put_back) keeps their memory.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        self.owner = None;
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

    /// Sends what is corked. Returns [`Completion::Progress`] for a stream on which bytes have to
    /// wait for room: nothing waited on it before.
    #[cold]
    pub fn flush_cork(&mut self) -> Option<Completion> {
        let id = self.cork.owner?;
        if is_stream(id.kind()) {
            let mut stream = self.stream(id)?;
            stream.flush_corked();
            return stream.progress();
        }
        debug_assert_eq!(id.kind(), Kind::Udp);
        self.udp(id)?.flush_corked();
        None
    }

    /// Drops what is corked, and reports it as written: in a child that was forked meanwhile, the
    /// bytes are the parent's to send.
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

    /// Notes a write in a callback. Returns whether the policy has it corked: it is not the first,
    /// or bursts are expected and the last callback that wrote did so several times.
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
