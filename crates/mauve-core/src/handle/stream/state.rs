//! What a stream is and does: the record that the table keeps of each.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use mauve_sys::driver::Interest;
use mauve_sys::{Errno, Result};

use crate::arena::List;
use crate::cork::WriteMark;
use crate::io::Source;
use crate::slab::{ActiveCounts, Entry, Head, Life};

/// The state of one stream.
///
/// With its head it fills a cache line, as a timer does; what would not fit, and what only some
/// streams have, is [`Cold`](super::Cold).
pub(crate) struct Stream {
    /// The descriptor, which is the stream's own, and the interest in it.
    pub source: Source<Option<OwnedFd>>,
    pub(super) flags: Flags,
    pub(super) role: Role,
    pub(super) shutdown: Shutdown,
    /// The callback that wrote last, if writes are corked.
    pub(super) mark: WriteMark,
    /// Writes that are not done, in order.
    pub(super) queued: List,
    /// Writes that are done, or have failed; their completions are still to be delivered.
    pub(super) done: List,
    /// Bytes that are not written yet, also of writes that have failed and are not told.
    pub(super) unsent: usize,
    /// A connection that nobody has accepted yet.
    pub(super) accepted: Option<OwnedFd>,
    /// One [`Cold`](super::Cold) among the engine's, or none.
    pub(super) cold: List,
}

const _: () = assert!(size_of::<Entry<Stream>>() <= 64, "a stream is larger than a cache line");

bitflags::bitflags! {
    /// What is either so or not.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Flags: u16 {
        // What the stream is good for.

        /// Data can be expected from it.
        const READABLE = 1 << 0;
        /// Data can be written to it.
        const WRITABLE = 1 << 1;

        // What its user waits for.

        /// Data is wanted, whenever it comes.
        const READING = 1 << 2;
        /// Room to write is to be announced, once.
        const AWAITS_ROOM = 1 << 3;

        // What is known of its descriptor.

        /// It is that of a connection that was accepted or made here: there is no copy of it, unless
        /// the program or a fork has made one.
        const UNSHARED = 1 << 4;
        /// Reading and writing block, so they are done only when the system announces that they
        /// would not.
        const BLOCKS = 1 << 5;
        /// Descriptors travel over it.
        const IPC = 1 << 6;
        /// It is enough to hear once of what there is to read.
        const EDGE = 1 << 7;

        // Where in the engine it is entered.

        /// In `Engine::deferred`: it has something to tell.
        const DEFERRED = 1 << 8;

        // Which writes are corked.

        /// All but a callback's first.
        const CORKS = 1 << 9;
        /// And the first, after a callback that wrote several times.
        const CORKS_BURSTS = 1 << 10;
    }
}

impl Flags {
    /// Sets one; returns whether it was set.
    #[inline]
    pub fn put(&mut self, flag: Self) -> bool {
        let was = self.contains(flag);
        self.insert(flag);
        was
    }

    /// Clears one; returns whether it was set.
    #[inline]
    pub fn take(&mut self, flag: Self) -> bool {
        let was = self.contains(flag);
        self.remove(flag);
        was
    }
}

/// What a stream is connected with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing yet.
    Fresh,
    /// It has an address.
    Bound,
    Listening,
    /// A connection is being made.
    Connecting,
    /// It could not be made, which is still to be told.
    Refused,
    Connected,
}

impl Role {
    /// Whether there is a connect request.
    #[inline]
    pub fn is_connecting(self) -> bool {
        matches!(self, Self::Connecting | Self::Refused)
    }
}

/// How far a request to shut down has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shutdown {
    No,
    /// When everything is written.
    Wanted,
    Done,
}

impl Stream {
    pub(super) fn new() -> Self {
        Self {
            source: Source::new(None),
            flags: Flags::empty(),
            role: Role::Fresh,
            shutdown: Shutdown::No,
            mark: WriteMark::NEVER,
            queued: List::EMPTY,
            done: List::EMPTY,
            unsent: 0,
            accepted: None,
            cold: List::EMPTY,
        }
    }

    #[inline]
    pub(crate) fn fd(&self) -> Result<BorrowedFd<'_>> {
        self.source.fd.as_ref().map(|fd| fd.as_fd()).ok_or(Errno::EBADF)
    }

    /// Whether all of these are so.
    #[inline]
    pub(super) fn is(&self, flags: Flags) -> bool {
        self.flags.contains(flags)
    }

    /// Keeps whether the handle is active in line with what the stream is doing.
    #[inline]
    pub(super) fn note_activity(&self, head: &mut Head, active: &mut ActiveCounts) {
        let waits = self.flags.intersects(Flags::READING | Flags::AWAITS_ROOM);
        let runs = waits || self.role == Role::Listening;
        match (runs, head.life()) {
            (true, Life::Inactive) => head.activate(active),
            (false, Life::Active) => head.deactivate(active),
            _ => {}
        }
    }

    /// What is to be watched for.
    pub(super) fn interest(&self) -> Interest {
        let mut interest = Interest::empty();
        let takes = self.role == Role::Listening && self.accepted.is_none();
        interest.set(Interest::READABLE, self.is(Flags::READING) || takes);
        let connecting = self.role == Role::Connecting;
        let writes = self.is(Flags::AWAITS_ROOM) || !self.queued.is_empty();
        interest.set(Interest::WRITABLE, connecting || writes);
        let once = self.is(Flags::EDGE) && interest == Interest::READABLE;
        interest.set(Interest::EDGE, once && !takes && !self.is(Flags::BLOCKS));
        interest
    }
}
