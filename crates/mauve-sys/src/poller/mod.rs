//! What a platform must supply: the driver contract.
//!
//! The engine is written against [`Driver`] alone. A driver tells the time, watches descriptors,
//! waits, and turns what happened into [`Event`]s. There are two kinds of news:
//!
//! * [`Event::Ready`]: a watched descriptor *can* be read or written now (epoll, kqueue, event
//!   ports). The engine then does the operation itself.
//! * [`Event::Done`]: an operation *was* carried out (io_uring, IOCP), with its result. Thread-pool
//!   work reaches the engine in the same shape, so a driver that completes operations adds no
//!   new path through it.
//!
//! A driver only returns events. It never calls back, keeps no handle state, and does not know
//! what an event means to its receiver: it gives back the [`Key`] it was given.

use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use crate::{Result, waker::Wake};

mod epoll;

pub use epoll::Epoll;

/// The default driver of this platform.
pub type Platform = Epoll;

/// The clock, the poller and the waker under one engine.
pub trait Driver {
    /// Nanoseconds on a clock that never goes backwards.
    fn now(&self) -> u64;

    /// The object through which other threads interrupt [`wait`](Self::wait).
    fn waker(&self) -> Arc<dyn Wake>;

    /// Tells whether `fd` can be watched at all: `EBADF` for a bad one, `EPERM` for a regular
    /// file, `EEXIST` if something else already watches it through this driver.
    fn probe(&mut self, fd: RawFd) -> Result<()>;

    /// Changes what is watched on `fd` from `old` to `new`. An empty interest means none.
    ///
    /// The engine calls this when the two differ, or to hear again of what it was told
    /// [once](Interest::ONCE). Otherwise readiness is level-triggered.
    fn watch(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()>;

    /// Withdraws all interest in a descriptor that is closed right after, and of which nobody else
    /// is known to have a copy. Closing the last copy ends a watch by itself, so a driver may leave
    /// it at that, if it can mend what follows where somebody has a copy after all: it then speaks
    /// of a key that nobody has, and is told so by [`renew`](Self::renew).
    fn unwatch_and_close(&mut self, fd: OwnedFd, key: Key, old: Interest) -> Result<()> {
        self.watch(fd.as_raw_fd(), key, old, Interest::empty())
    }

    /// Tells that an event's key is that of nobody. If that is because of a watch that was left to
    /// end by itself, the driver forgets all interests, and returns true: the engine declares them
    /// again.
    fn renew(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// Waits for events and appends them to `events`: for `timeout` milliseconds at most, for
    /// ever if it is `None`, not at all if it is zero. An interrupted wait is an empty one.
    fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<()>;

    /// Whether a [`wait`](Self::wait) can have no other news than that it was interrupted.
    fn watches_nothing(&self) -> bool {
        false
    }

    /// How many events one [`wait`](Self::wait) returns at most. A full batch is a hint that
    /// there are more.
    fn batch(&self) -> usize;

    /// Blocks or unblocks a signal during [`wait`](Self::wait). Only the profiling signal is
    /// ever asked for.
    fn block_profiling_signal(&mut self, block: bool);

    /// A descriptor that is readable when [`wait`](Self::wait) would return at once, for nesting
    /// the loop in another one.
    fn descriptor(&self) -> Option<RawFd>;

    /// Has [`descriptor`](Self::descriptor) stay what it is: somebody is going to watch it. Called
    /// after [`renew`](Self::renew).
    fn keep_descriptor(&mut self) {}

    /// The descriptor behind [`waker`](Self::waker), if it is one: writing to it wakes the loop.
    fn wake_descriptor(&self) -> Option<RawFd> {
        None
    }

    /// The [word](crate::waker::word) behind [`waker`](Self::waker), if it has one.
    fn wake_word(&self) -> Option<&AtomicU32> {
        None
    }

    /// Called in a forked child: makes anew what is shared with the parent. All interests are
    /// forgotten; the engine declares them again.
    fn reopen_after_fork(&mut self) -> Result<()>;
}

/// Names the receiver of an event. Opaque to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

impl Key {
    /// Reserved for the driver's own waker.
    pub(crate) const WAKER: Self = Self(u64::MAX);
}

/// One piece of news from a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody used the waker.
    Wake,
    /// A watched descriptor became ready.
    Ready {
        /// Whom it concerns.
        key: Key,
        /// In which ways; never empty.
        readiness: Readiness,
    },
    /// A submitted operation has ended.
    Done {
        /// Whom it concerns.
        key: Key,
        /// What the operation returned.
        result: Result<u32>,
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
        /// With [`READABLE`](Self::READABLE) alone: what is new is reported once. Data comes with
        /// [`Readiness::DISCONNECT`] if it is the last, and with [`Readiness::PRIORITIZED`] if some
        /// of it is urgent. Who wants to be told again watches anew. A driver may report more.
        const ONCE = 64;
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
