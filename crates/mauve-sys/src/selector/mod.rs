//! The selector: registers descriptors, waits, and returns readiness events.
//!
//! Each mechanism has a `Selector` in a file of its own, which implements [`Select`]; `platform`
//! chooses one. A selector keeps no handle state. It returns the [`Key`] that
//! the descriptor was registered with. Readiness is level-triggered, and events have the order
//! of the system.

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::fs::FileType;

use crate::driver::ceil_millis;
use crate::fd::borrow;
use crate::{Errno, Result};

cfg_if::cfg_if! {
    if #[cfg(any(
            mauve_kqueue,
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "dragonfly",
            target_os = "netbsd",
            target_os = "openbsd",
        ))] {
        mod kqueue;
        mod registrations;
        pub(crate) use kqueue::Selector;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod epoll;
        mod linux;
        mod poll;
        mod poll_flags;
        pub(crate) use linux::Selector;
        #[cfg(test)]
        #[allow(dead_code)] // Only its tests use it.
        mod registrations;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod event_ports;
        mod poll_flags;
        mod registrations;
        pub(crate) use event_ports::Selector;
    } else {
        mod poll;
        mod poll_flags;
        pub(crate) use poll::Selector;
    }
}

/// What every selector implements. It is opened with the waker's descriptor, whose readiness it
/// reports as [`Event::Wake`].
pub(crate) trait Select {
    /// A descriptor that is readable when a wait would not block, if the mechanism has one.
    fn fd(&self) -> Option<RawFd>;

    /// How many events one wait returns at most.
    fn max_events(&self) -> usize;

    /// Whether no descriptor is registered.
    fn is_empty(&self) -> bool;

    /// Checks whether `fd` can be registered: `EBADF` if it is not open, `EPERM` for a regular file.
    /// Files and directories are always ready.
    fn probe(&self, fd: RawFd) -> Result<()> {
        let status = rustix::fs::fstat(borrow(&fd)?)?;
        match FileType::from_raw_mode(status.st_mode) {
            FileType::RegularFile | FileType::Directory => Err(Errno::EPERM),
            _ => Ok(()),
        }
    }

    /// Registers a descriptor. If the program has closed and reopened it, the old registration is
    /// taken over.
    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()>;

    /// Changes the interest in a registered descriptor.
    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()>;

    /// Removes the registration of a descriptor. `registered` is whether it counts as registered.
    fn deregister(&mut self, fd: RawFd, registered: bool) -> Result<()>;

    /// Deregisters a descriptor and closes it. A selector may leave the deregistration to `close`,
    /// unless `_explicit` is set.
    fn deregister_and_close(
        &mut self,
        fd: OwnedFd,
        registered: bool,
        _explicit: bool,
    ) -> Result<()> {
        self.deregister(fd.as_raw_fd(), registered)?;
        crate::fd::close(fd);
        Ok(())
    }

    /// Called after an event with a stale key. Drops all registrations and returns true if one can
    /// have outlived its descriptor; else it does nothing and returns false.
    fn rebuild(&mut self, _waker: BorrowedFd<'_>) -> Result<bool> {
        Ok(false)
    }

    /// From now on, every descriptor is deregistered before it is closed.
    fn require_explicit_deregister(&mut self) {}

    /// Waits for events and appends them to `events`. Blocks for at most `timeout` milliseconds,
    /// indefinitely if it is `None`. An interrupted wait returns no events; a wait with a timeout of
    /// 0 is repeated instead. Returns whether the waker was notified. A cancellation point, unless
    /// [`disable_cancellation`](Self::disable_cancellation) was called.
    fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<bool>;

    /// As [`wait`](Self::wait), with a timeout in nanoseconds, which may be rounded up to
    /// milliseconds.
    fn wait_for(&mut self, timeout: Duration, events: &mut Vec<Event>) -> Result<bool> {
        self.wait(Some(ceil_millis(timeout)), events)
    }

    /// From now on, a wait may be no cancellation point, if it costs less then.
    fn disable_cancellation(&mut self) {}

    /// Blocks or unblocks SIGPROF during a wait.
    fn block_profiling_signal(&mut self, block: bool);

    /// Whether a signal is blocked during a wait.
    fn has_mask(&self) -> bool;

    /// In a forked child: opens descriptors that are not shared with the parent. All registrations
    /// are dropped, and [`add_waker`](Self::add_waker) has to follow.
    fn reopen(&mut self) -> Result<()>;

    /// Registers the waker after [`reopen`](Self::reopen).
    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()>;
}

/// Identifies a registration, as `Token` does in mio. Opaque to the selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

impl Key {
    /// Reserved for the waker.
    #[allow(dead_code)] // A waker with an event of its own has no key.
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
