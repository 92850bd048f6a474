//! The selector: registers descriptors, waits, and returns readiness events.
//!
//! Each mechanism has a `Selector` in a file of its own, which implements [`Select`]. A selector keeps no handle state. It returns the [`Key`] that
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

    /// Removes the registration of a descriptor.
    fn deregister(&mut self, fd: RawFd) -> Result<()>;

    /// Deregisters a descriptor and closes it. A selector may leave the deregistration to `close`,
    /// unless `_explicit` is set.
    fn deregister_and_close(&mut self, fd: OwnedFd, _explicit: bool) -> Result<()> {
        self.deregister(fd.as_raw_fd())?;
        crate::fd::close(fd);
        Ok(())
    }

    /// Called after an event with a stale key. Drops all registrations and returns true if one can
    /// have outlived its descriptor; else it does nothing and returns false.
    fn rebuild(&mut self, _waker: BorrowedFd<'_>) -> Result<bool> {
        Ok(false)
    }

    /// Waits for events and appends them to `events`. An interrupted wait returns no events; one that
    /// does not block is repeated instead. Returns whether the waker was notified.
    fn wait(&mut self, options: WaitOptions<'_>, events: &mut Vec<Event>) -> Result<bool>;

    /// In a forked child: opens descriptors that are not shared with the parent. All registrations
    /// are dropped, and [`add_waker`](Self::add_waker) has to follow.
    fn reopen(&mut self) -> Result<()>;

    /// Registers the waker after [`reopen`](Self::reopen).
    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()>;
}

/// How to wait.
#[derive(Clone, Copy)]
pub(crate) struct WaitOptions<'a> {
    pub timeout: Timeout,
    /// The signals to block meanwhile, if any.
    pub mask: Option<&'a libc::sigset_t>,
    /// Whether the wait has to be a cancellation point. It may cost less otherwise.
    #[cfg_attr(any(mauve_kqueue, not(target_os = "linux")), allow(dead_code))]
    pub cancellable: bool,
}

#[cfg(test)]
impl WaitOptions<'_> {
    /// A cancellable wait of at most `timeout` milliseconds.
    fn at_most(timeout: Option<u32>) -> Self {
        let timeout = timeout.map_or(Timeout::Never, Timeout::Millis);
        Self { timeout, mask: None, cancellable: true }
    }
}

/// How long a wait blocks at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timeout {
    /// It blocks indefinitely.
    Never,
    /// Milliseconds.
    Millis(u32),
    /// Rounded up to milliseconds where the system has no such timeouts.
    Exact(Duration),
}

impl Timeout {
    /// `None` if the wait blocks indefinitely.
    #[inline]
    pub fn duration(self) -> Option<Duration> {
        match self {
            Self::Never => None,
            Self::Millis(ms) => Some(Duration::from_millis(ms.into())),
            Self::Exact(timeout) => Some(timeout),
        }
    }

    /// Whole milliseconds, rounded up. `None` if the wait blocks indefinitely.
    pub fn whole_millis(self) -> Option<u32> {
        match self {
            Self::Never => None,
            Self::Millis(ms) => Some(ms),
            Self::Exact(timeout) => Some(ceil_millis(timeout)),
        }
    }

    /// Milliseconds for `poll` and epoll: -1 if the wait blocks indefinitely, else at most 24 days. The
    /// engine waits again.
    #[inline]
    #[allow(dead_code)] // Not for kqueue and event ports.
    pub(crate) fn millis(self) -> i32 {
        match self {
            Self::Never => -1,
            Self::Millis(ms) => i32::try_from(ms).unwrap_or(i32::MAX),
            Self::Exact(timeout) => i32::try_from(ceil_millis(timeout)).unwrap_or(i32::MAX),
        }
    }
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
