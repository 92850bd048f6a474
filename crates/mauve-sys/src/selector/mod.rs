//! The selector: registers descriptors, waits, and returns readiness events.
//!
//! Each mechanism has a `Selector` in a file of its own, which implements [`Select`]. A selector keeps no
//! handle state. It returns the [`Key`] that the descriptor was registered with. Readiness is
//! level-triggered, and events have the order of the system.

use std::time::Duration;

use crate::Result;
use crate::descriptor::{AsDescriptor as _, BorrowedDescriptor, Descriptor, RawDescriptor};
use crate::driver::ceil_millis;
use crate::signal::mask::SignalMask;

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod completion_port;
        pub(crate) use completion_port::Selector;
    } else if #[cfg(any(
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

/// How many events one wait returns at most, except for `poll`, which returns all. After a wait that returns
/// as many, more may be pending.
pub const MAX_EVENTS: usize = 1024;

/// What every selector implements. It is opened with the waker's descriptor, whose readiness it
/// reports as [`Event::Wake`].
pub(crate) trait Select {
    /// A descriptor that is readable when a wait would not block, if the mechanism has one.
    fn fd(&self) -> Option<RawDescriptor>;

    /// Checks whether `fd` can be registered: `EBADF` if it is not open, `EPERM` for a regular file.
    /// Files and directories are always ready.
    fn probe(&self, fd: RawDescriptor) -> Result<()> {
        crate::fd::refuse_files(fd)
    }

    /// Registers a descriptor. If the program has closed and reopened it, the old registration is
    /// taken over.
    fn register(&mut self, fd: RawDescriptor, key: Key, interest: Interest) -> Result<()>;

    /// Changes the interest in a registered descriptor.
    fn reregister(&mut self, fd: RawDescriptor, key: Key, interest: Interest) -> Result<()>;

    /// Removes the registration of a descriptor.
    fn deregister(&mut self, fd: RawDescriptor) -> Result<()>;

    /// Deregisters a descriptor and closes it. A selector may leave the deregistration to `close`,
    /// unless `_explicit` is set.
    fn deregister_and_close(&mut self, fd: Descriptor, _explicit: bool) -> Result<()> {
        self.deregister(fd.raw_descriptor())?;
        crate::fd::close(fd);
        Ok(())
    }

    /// Called after an event with a stale key. Drops all registrations and returns true if one can
    /// have outlived its descriptor; else it does nothing and returns false.
    fn rebuild(&mut self, _waker: BorrowedDescriptor<'_>) -> Result<bool> {
        Ok(false)
    }

    /// Prepares a wait. The function `run` of the selector performs it without a borrow of the selector,
    /// and returns the number of events. An interrupted wait returns none; one that does not block is
    /// repeated instead. Descriptors may be registered and deregistered meanwhile.
    fn begin_wait(&mut self, options: WaitOptions<'_>) -> WaitCall;

    /// Appends the `count` events of a wait. Returns whether the waker was notified.
    fn end_wait(&mut self, count: usize, events: &mut Vec<Event>) -> bool;

    /// In a forked child: opens descriptors that are not shared with the parent. All registrations
    /// are dropped, and [`add_waker`](Self::add_waker) has to follow.
    fn reopen(&mut self) -> Result<()>;

    /// Registers the waker after [`reopen`](Self::reopen).
    fn add_waker(&mut self, waker: BorrowedDescriptor<'_>) -> Result<()>;
}

/// How to wait.
#[derive(Clone, Copy)]
pub(crate) struct WaitOptions<'a> {
    pub timeout: Timeout,
    /// The signals to block meanwhile, if any.
    pub mask: Option<&'a SignalMask>,
    /// Whether the wait has to be a cancellation point. It may cost less otherwise.
    #[cfg_attr(any(mauve_kqueue, not(target_os = "linux")), allow(dead_code))]
    pub cancellable: bool,
}

/// The arguments of the system call that waits.
#[derive(Clone, Copy)]
pub(crate) struct WaitCall {
    /// The descriptor of the selector, or `CLOSED` if it has none.
    #[allow(dead_code)] // `poll` has none.
    pub fd: RawDescriptor,
    /// Room for events, or the registrations of `poll`.
    pub buffer: *mut (),
    /// The number of the latter.
    #[allow(dead_code)] // Other buffers have a fixed length.
    pub length: usize,
    pub timeout: Timeout,
    /// The signals to block meanwhile, or null.
    #[allow(dead_code)] // Windows has no signals.
    pub mask: *const SignalMask,
    #[cfg_attr(any(mauve_kqueue, not(target_os = "linux")), allow(dead_code))]
    pub cancellable: bool,
}

impl WaitCall {
    pub fn new<T>(fd: RawDescriptor, buffer: &mut [T], options: WaitOptions<'_>) -> Self {
        let WaitOptions { timeout, mask, cancellable } = options;
        let mask = mask.map_or(std::ptr::null(), std::ptr::from_ref);
        Self {
            fd,
            buffer: buffer.as_mut_ptr().cast(),
            length: buffer.len(),
            timeout,
            mask,
            cancellable,
        }
    }
}

/// All of a wait, for tests of a selector.
#[cfg(test)]
macro_rules! wait {
    ($selector:expr, $options:expr, $events:expr) => {{
        let call = $selector.begin_wait($options);
        // SAFETY: the selector exists, and no other wait was begun.
        unsafe { Selector::run(&call) }.map(|count| $selector.end_wait(count, $events))
    }};
}
#[cfg(test)]
pub(crate) use wait;

#[cfg(test)]
impl WaitOptions<'_> {
    /// A cancellable wait of at most `timeout` milliseconds.
    pub(crate) fn at_most(timeout: Option<u32>) -> Self {
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
