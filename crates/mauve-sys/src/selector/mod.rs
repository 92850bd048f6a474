//! The selector: registers descriptors, waits, and returns readiness events.
//!
//! Each platform has a `Selector` in a file of its own, with the same methods; `lib.rs` chooses it.
//! A selector keeps no handle state. It returns the [`Key`] that the descriptor was registered
//! with. Readiness is level-triggered unless [`Interest::EDGE`] is set.

pub(crate) mod epoll;

/// Identifies a registration, as `Token` does in mio. Opaque to the selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

impl Key {
    /// Reserved for the waker.
    pub(crate) const WAKER: Self = Self(u64::MAX);
}

/// An event that a wait returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The waker was notified.
    Wake,
    /// A registered descriptor is ready.
    Ready {
        /// The key it was registered with.
        key: Key,
        /// What the descriptor is ready for; never empty.
        readiness: Readiness,
    },
}

bitflags::bitflags! {
    /// What a descriptor is registered for. The first four have the values of `enum uv_poll_event`.
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
        /// Edge-triggered, with [`READABLE`](Self::READABLE) alone: new data is reported once.
        /// [`Readiness::DISCONNECT`] and [`Readiness::PRIORITIZED`] are reported as well.
        /// Registering the same interest again reports data that is still unread. A selector may
        /// report more events than that.
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
        /// An error is pending on the descriptor. Always reported.
        const ERROR = 16;
        /// Both sides are shut down. Always reported.
        const HANGUP = 32;
    }
}

impl Readiness {
    /// The part of this readiness that `interest` contains.
    pub fn wanted(self, interest: Interest) -> Self {
        self & Self::from_bits_truncate(interest.bits())
    }
    /// Whether the peer has hung up, and there is neither data nor an error to read.
    pub fn is_only_hangup(self) -> bool {
        self.contains(Self::HANGUP) && !self.intersects(Self::READABLE | Self::ERROR)
    }
}
