//! The state of a stream.

use mauve_sys::descriptor::{AsDescriptor, BorrowedDescriptor, Descriptor, RawDescriptor};
use mauve_sys::driver::Interest;
use mauve_sys::{Errno, Result};

use super::Terminal;
use crate::arena::List;
use crate::registration::Source;
use crate::slab::{ActiveCounts, Entry, Head, Life};

/// The state of one stream.
///
/// With its head it fills a cache line. State that would not fit, or that few streams have, is in
/// [`Cold`](super::Cold).
pub(crate) struct Stream {
    /// The descriptor and the interest in it.
    pub source: Source<Option<Descriptor>>,
    pub(super) flags: Flags,
    pub(super) role: Role,
    pub(super) shutdown: Shutdown,
    /// Writes that are not finished, in order.
    pub(super) queued: List,
    /// Writes that have finished or failed, to be reported.
    pub(super) done: List,
    /// Bytes that are not written, including those of failed writes that are not reported yet.
    pub(super) unsent: usize,
    /// A connection that was reported and not taken by `uv_accept` yet.
    pub(super) accepted: Option<Descriptor>,
    /// The [`Cold`](super::Cold) of this stream in the engine's array: a list of one, or empty.
    pub(super) cold: List,
}

// Not where a descriptor is a pointer.
const _: () = assert!(
    size_of::<Entry<Stream>>() <= 64 || size_of::<RawDescriptor>() > size_of::<i32>(),
    "a stream is larger than a cache line"
);

bitflags::bitflags! {
    /// Boolean state of a stream.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Flags: u16 {
        // Direction.

        /// The stream is readable.
        const READABLE = 1 << 0;
        /// The stream is writable.
        const WRITABLE = 1 << 1;

        // Interest of the host.

        /// The stream is being read.
        const READING = 1 << 2;
        /// The next time that the descriptor is writable is reported.
        const AWAITS_WRITABLE = 1 << 3;

        // Properties of the descriptor.

        /// It belongs to a connection that was accepted or made by the engine, so it has no duplicate
        /// unless the program or a fork has made one.
        const UNSHARED = 1 << 4;
        /// Reads and writes block, so they are attempted only after a readiness event.
        const BLOCKS = 1 << 5;
        /// It can pass descriptors.
        const IPC = 1 << 6;
        /// It is a socket, so `recv` and `send` are used, which cost less than `read` and `write`. Set
        /// only where the engine or the host knows it without a system call.
        const SOCKET = 1 << 12;
        /// A seeded schedule decides how many bytes a read or a write takes.
        const SCHEDULED = 1 << 13;

        // Membership in queues.

        /// The stream is in `Engine::deferred`.
        const DEFERRED = 1 << 8;

        // Accepting.

        /// Accepting has failed, and pauses until the host resumes it.
        const ACCEPT_PAUSED = 1 << 11;
        /// A connection waits in the kernel. It was reported to a host that accepts on demand, which has
        /// not accepted it.
        const ACCEPT_READY = 1 << 7;
    }
}

impl Flags {
    /// Sets a flag. Returns whether it was set before.
    #[inline]
    pub fn put(&mut self, flag: Self) -> bool {
        let was = self.contains(flag);
        self.insert(flag);
        was
    }

    /// Clears a flag. Returns whether it was set before.
    #[inline]
    pub fn take(&mut self, flag: Self) -> bool {
        let was = self.contains(flag);
        self.remove(flag);
        was
    }
}

/// The state of a stream's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Neither bound nor connected.
    Fresh,
    /// Bound to an address.
    Bound,
    Listening,
    /// A connect request is in progress.
    Connecting,
    /// A connect request has failed, to be reported.
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

/// The state of a shutdown request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shutdown {
    No,
    /// Waits until everything is written.
    Wanted,
    Done,
}

impl Stream {
    /// A TCP stream without a socket. `scheduled` is whether the loop has a seeded schedule.
    pub fn tcp(scheduled: bool) -> Self {
        Self::new(None, Flags::SOCKET, scheduled)
    }

    /// A pipe without a socket. One with `ipc` can pass descriptors.
    pub fn pipe(scheduled: bool, ipc: bool) -> Self {
        let flags = if ipc { Flags::IPC } else { Flags::empty() };
        Self::new(None, flags, scheduled)
    }

    /// A terminal.
    pub fn terminal(scheduled: bool, terminal: Terminal) -> Self {
        let mut flags = Flags::empty();
        flags.set(Flags::READABLE, terminal.readable);
        flags.set(Flags::WRITABLE, terminal.writable);
        flags.set(Flags::BLOCKS, terminal.blocks);
        Self::new(Some(terminal.fd), flags, scheduled)
    }

    #[inline(always)]
    fn new(fd: Option<Descriptor>, mut flags: Flags, scheduled: bool) -> Self {
        flags.set(Flags::SCHEDULED, scheduled);
        Self {
            source: Source::new(fd),
            flags,
            role: Role::Fresh,
            shutdown: Shutdown::No,
            queued: List::EMPTY,
            done: List::EMPTY,
            unsent: 0,
            accepted: None,
            cold: List::EMPTY,
        }
    }

    pub(crate) fn is_listening(&self) -> bool {
        self.role == Role::Listening
    }

    #[inline]
    pub(crate) fn fd(&self) -> Result<BorrowedDescriptor<'_>> {
        self.source.fd.as_ref().map(|fd| fd.as_descriptor()).ok_or(Errno::EBADF)
    }

    /// Whether all of these flags are set.
    #[inline]
    pub(super) fn is(&self, flags: Flags) -> bool {
        self.flags.contains(flags)
    }

    /// Activates or deactivates the handle according to the stream's state.
    #[inline]
    pub(super) fn note_activity(&self, head: &mut Head, active: &mut ActiveCounts) {
        let waits = self.flags.intersects(Flags::READING | Flags::AWAITS_WRITABLE);
        let runs = waits || self.role == Role::Listening;
        match (runs, head.life()) {
            (true, Life::Inactive) => head.activate(active),
            (false, Life::Active) => head.deactivate(active),
            _ => {}
        }
    }

    /// The events in which the stream is interested.
    pub(super) fn interest(&self) -> Interest {
        let mut interest = Interest::empty();
        let accepts = self.role == Role::Listening
            && self.accepted.is_none()
            && !self.flags.intersects(Flags::ACCEPT_PAUSED | Flags::ACCEPT_READY);
        interest.set(Interest::READABLE, self.is(Flags::READING) || accepts);
        let connecting = self.role == Role::Connecting;
        let writes = self.is(Flags::AWAITS_WRITABLE) || !self.queued.is_empty();
        interest.set(Interest::WRITABLE, connecting || writes);
        interest
    }
}
