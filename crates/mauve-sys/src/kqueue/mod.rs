//! The system calls of kqueue, for the selector, the waker, the file system watcher and child exits.
//!
//! The types of the fields of `struct kevent` differ between the systems, so this module converts
//! them.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd as _, OwnedFd, RawFd};
use std::time::Duration;

use rustix::io::FdFlags;

use crate::{Errno, Result};

pub(crate) mod vnode;

cfg_if::cfg_if! {
    if #[cfg(target_vendor = "apple")] {
        mod apple;
        use apple as system;
    } else if #[cfg(target_os = "freebsd")] {
        mod freebsd;
        use freebsd as system;
    } else if #[cfg(target_os = "netbsd")] {
        mod netbsd;
        use netbsd as system;
    } else if #[cfg(any(target_os = "dragonfly", target_os = "openbsd"))] {
        mod bsd;
        use bsd as system;
    } else {
        mod libkqueue;
        use libkqueue as system;
    }
}

pub(crate) use system::{CLOSE_DELETES_FILTERS, WATCH_FLAGS};

/// `struct kevent`: a change, or an event.
pub(crate) use system::kevent as Kevent;

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    /// A descriptor is readable.
    Read,
    /// A descriptor is writable.
    Write,
    /// A descriptor has urgent data, where the system has such a filter.
    OutOfBand,
    /// The waker was notified.
    User,
    /// A process has exited.
    Process,
    /// A file has changed.
    Vnode,
}

impl Filter {
    /// Whether the system has this filter.
    pub fn exists(self) -> bool {
        self.raw().is_some()
    }

    /// The number of the filter, and its flags. `None` if the system does not have it.
    #[allow(clippy::unnecessary_cast)]
    fn raw(self) -> Option<(i64, u32)> {
        Some(match self {
            Self::Read => (system::EVFILT_READ as i64, 0),
            Self::Write => (system::EVFILT_WRITE as i64, 0),
            Self::OutOfBand => system::OUT_OF_BAND?,
            Self::User => (system::EVFILT_USER as i64, 0),
            Self::Process => (system::EVFILT_PROC as i64, system::NOTE_EXIT as u32),
            Self::Vnode => (system::EVFILT_VNODE as i64, 0),
        })
    }
}

/// What is done with a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Adds it, level-triggered.
    Add,
    /// Adds it, edge-triggered.
    AddEdge,
    Delete,
}

/// A change of the filter `filter` of `ident`. `ENOSYS` if the system does not have the filter.
pub(crate) fn change(ident: usize, filter: Filter, action: Action, more: u32) -> Result<Kevent> {
    let (number, fflags) = filter.raw().ok_or(Errno::ENOSYS)?;
    let flags = match action {
        Action::Add => system::EV_ADD,
        Action::AddEdge => system::EV_ADD | system::EV_CLEAR,
        Action::Delete => system::EV_DELETE,
    };
    // SAFETY: all zeros are a valid `kevent`: integers and a null pointer.
    let mut event: Kevent = unsafe { std::mem::zeroed() };
    event.ident = ident as _;
    event.filter = number as _;
    event.flags = flags as _;
    event.fflags = (fflags | more) as _;
    Ok(event)
}

/// An event, converted.
pub(crate) struct Returned {
    pub ident: usize,
    /// `None` for a filter that this crate does not add.
    pub filter: Option<Filter>,
    pub fflags: u32,
    /// The end of the file, or a closed connection.
    pub is_eof: bool,
}

#[allow(clippy::unnecessary_cast)]
pub(crate) fn read(event: &Kevent) -> Returned {
    let number = event.filter as i64;
    let known = [
        Filter::Read,
        Filter::Write,
        Filter::OutOfBand,
        Filter::User,
        Filter::Process,
        Filter::Vnode,
    ];
    Returned {
        ident: event.ident as usize,
        filter: known.into_iter().find(|filter| filter.raw().is_some_and(|raw| raw.0 == number)),
        fflags: event.fflags as u32,
        is_eof: event.flags & system::EV_EOF as system::Flags != 0,
    }
}

/// Opens a kqueue that is closed on exec.
pub(crate) fn open() -> Result<OwnedFd> {
    // SAFETY: takes no arguments, and opens a descriptor if it succeeds.
    let fd = unsafe { system::kqueue() };
    if fd < 0 {
        return Err(Errno::last());
    }
    // SAFETY: the system has just opened it, and nothing owns it.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    rustix::io::fcntl_setfd(&fd, FdFlags::CLOEXEC)?;
    Ok(fd)
}

/// Performs one change. Async-signal-safe.
pub(crate) fn apply(kqueue: RawFd, change: &Kevent) -> Result<()> {
    loop {
        let none = Duration::ZERO;
        // SAFETY: the change is initialised, and no events are returned.
        match unsafe { call(kqueue, change, 1, std::ptr::null_mut(), 0, Some(none)) } {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            _ => return Ok(()),
        }
    }
}

/// Notifies the user event of a kqueue. Async-signal-safe.
pub(crate) fn trigger(kqueue: RawFd, ident: usize) -> Result<()> {
    // SAFETY: all zeros are a valid `kevent`: integers and a null pointer.
    let mut event: Kevent = unsafe { std::mem::zeroed() };
    event.ident = ident as _;
    event.filter = system::EVFILT_USER as _;
    event.fflags = system::NOTE_TRIGGER as _;
    apply(kqueue, &event)
}

/// Waits for events. Returns how many.
///
/// A thread that is cancelled in the system call unwinds through this frame, which has nothing to
/// clean up.
#[inline]
pub(crate) fn wait(
    kqueue: RawFd,
    buffer: &mut [MaybeUninit<Kevent>],
    timeout: Option<Duration>,
) -> Result<usize> {
    let (events, count) = (buffer.as_mut_ptr().cast(), buffer.len());
    // SAFETY: no changes are read, and the buffer has room for `count` events.
    let count = unsafe { call(kqueue, std::ptr::null(), 0, events, count, timeout) };
    usize::try_from(count).map_err(|_| Errno::last())
}

/// # Safety
/// There are `changes_count` initialised changes, and room for `events_count` events.
#[inline]
unsafe fn call(
    kqueue: RawFd,
    changes: *const Kevent,
    changes_count: usize,
    events: *mut Kevent,
    events_count: usize,
    timeout: Option<Duration>,
) -> c_int {
    // A longer wait ends early; the engine waits again.
    let timeout = timeout.map(|timeout| libc::timespec {
        tv_sec: i32::try_from(timeout.as_secs()).unwrap_or(i32::MAX).into(),
        tv_nsec: timeout.subsec_nanos().into(),
    });
    let timeout = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the caller promises valid arrays, and the timeout outlives the call.
    unsafe {
        system::kevent(kqueue, changes, changes_count as _, events, events_count as _, timeout)
    }
}
