//! The selector: watches descriptors, waits, and returns events.
//!
//! Each platform has one in a file of its own, with the same name and the same methods; `lib.rs`
//! chooses it. A selector keeps no handle state and does not know what an event means to its
//! receiver: it returns the [`Key`] that the descriptor was registered with. Readiness is
//! level-triggered unless [`Interest::EDGE`] is asked for.

pub(crate) mod epoll;

/// Names the receiver of an event. Opaque to the selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

impl Key {
    /// Reserved for the waker.
    pub(crate) const WAKER: Self = Self(u64::MAX);
}

/// What a wait returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The loop was notified through its waker.
    Wake,
    /// A registered descriptor is ready.
    Ready {
        /// The key it was registered with.
        key: Key,
        /// In which ways; never empty.
        readiness: Readiness,
    },
}

bitflags::bitflags! {
    /// What to watch a descriptor for. The first four have the values of `enum uv_poll_event`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Interest: u8 {
        /// Data (or a connection) can be read.
        const READABLE = 1;
        /// Data can be written.
        const WRITABLE = 2;
        /// The peer shut down its writing side.
        const DISCONNECT = 4;
        /// Urgent data, or an exceptional condition of a special file.
        const PRIORITIZED = 8;
        /// With [`READABLE`](Self::READABLE) alone: edge-triggered, so new data is reported once.
        /// Data comes with [`Readiness::DISCONNECT`] if it is the last, and with
        /// [`Readiness::PRIORITIZED`] if some of it is urgent. Registering the same interest again
        /// reports data that is still unread. A selector may report more.
        const EDGE = 64;
    }
}

bitflags::bitflags! {
    /// What a descriptor is ready for. The first four are those of [`Interest`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Readiness: u8 {
        /// Data (or a connection) can be read.
        const READABLE = 1;
        /// Data can be written.
        const WRITABLE = 2;
        /// The peer shut down its writing side.
        const DISCONNECT = 4;
        /// Urgent data, or an exceptional condition of a special file.
        const PRIORITIZED = 8;
        /// An error is pending on the descriptor; reported whether asked for or not.
        const ERROR = 16;
        /// Both sides are shut down; reported whether asked for or not.
        const HANGUP = 32;
    }
}

impl Readiness {
    /// The part of this readiness that `interest` asked for.
    pub fn wanted(self, interest: Interest) -> Self {
        self & Self::from_bits_truncate(interest.bits())
    }
    /// Whether the peer has hung up, with neither bytes nor an error left to be read.
    pub fn is_only_hangup(self) -> bool {
        self.contains(Self::HANGUP) && !self.intersects(Self::READABLE | Self::ERROR)
    }
}
