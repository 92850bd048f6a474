//! Linux: epoll.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno as RawErrno;

use super::{Event, Interest, Key, Readiness};
use crate::fd::borrow;
use crate::{Errno, Result};

/// Events fetched by one system call.
pub const BATCH: usize = 1024;

/// An epoll descriptor and what is known of its registrations.
pub struct Selector {
    epoll: OwnedFd,
    buffer: Box<[MaybeUninit<libc::epoll_event>; BATCH]>,
    /// The signal mask for the duration of a wait, if one was asked for.
    mask: Option<libc::sigset_t>,
    closing: Closing,
    /// Registered descriptors, apart from the waker's.
    registered: usize,
}

/// What is known of registrations that end because their descriptor is closed. A copy of the
/// descriptor in another process keeps the registration alive, and there is no way left to end it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// No registration was left to end that way.
    Untried,
    /// Some were, and no event of one was seen since.
    Trusted,
    /// One did not end, or could not be ended if it did not: each is ended before its descriptor is
    /// closed.
    Distrusted,
}

impl Selector {
    /// Opens a selector that reports writes to the eventfd `waker` as [`Event::Wake`].
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        Ok(Self {
            epoll: open(waker)?,
            buffer: Box::new([MaybeUninit::uninit(); BATCH]),
            mask: None,
            closing: Closing::Untried,
            registered: 0,
        })
    }

    /// The epoll descriptor. It is readable when a wait would return at once.
    pub fn descriptor(&self) -> RawFd {
        self.epoll.as_raw_fd()
    }

    /// Whether nothing is registered.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.registered == 0
    }

    /// Checks whether `fd` can be registered: `EBADF` for a bad one, `EPERM` for a regular file.
    pub fn probe(&self, fd: RawFd) -> Result<()> {
        let fd = borrow(&fd)?;
        match epoll::add(&self.epoll, fd, EventData::new_u64(Key::WAKER.0), EventFlags::empty()) {
            // A registration that has outlived its descriptor, because a duplicate keeps it alive.
            Ok(()) | Err(RawErrno::EXIST) => epoll::delete(&self.epoll, fd)?,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Changes the registration of `fd` from `old` to `new`. An empty interest means none.
    pub fn register(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()> {
        let fd = borrow(&fd)?;
        let data = EventData::new_u64(key.0);
        if new.is_empty() {
            self.registered = self.registered.saturating_sub(usize::from(!old.is_empty()));
            return Ok(epoll::delete(&self.epoll, fd)?);
        }
        let flags = flags(new);
        if old.is_empty() {
            match epoll::add(&self.epoll, fd, data, flags) {
                // A descriptor that was closed and opened again behind our back, or a duplicate
                // of it that keeps the old registration alive: take the registration over.
                Err(RawErrno::EXIST) => epoll::modify(&self.epoll, fd, data, flags)?,
                result => result?,
            }
            self.registered += 1;
            Ok(())
        } else {
            match epoll::modify(&self.epoll, fd, data, flags) {
                // Closed and opened again behind our back.
                Err(RawErrno::NOENT) => Ok(epoll::add(&self.epoll, fd, data, flags)?),
                result => Ok(result?),
            }
        }
    }

    /// Ends the registration of a descriptor and closes it. Closing the last copy ends it without a
    /// system call of its own, unless `explicit` is asked for or that has failed before.
    pub fn deregister_and_close(
        &mut self,
        fd: OwnedFd,
        key: Key,
        old: Interest,
        explicit: bool,
    ) -> Result<()> {
        if explicit || self.closing == Closing::Distrusted {
            let deregistered = self.register(fd.as_raw_fd(), key, old, Interest::empty());
            crate::fd::close(fd);
            return deregistered;
        }
        self.closing = Closing::Trusted;
        self.registered = self.registered.saturating_sub(usize::from(!old.is_empty()));
        crate::fd::close(fd);
        Ok(())
    }

    /// Begins anew after an event with a stale key, under the same descriptor, if the event can come
    /// from a registration that did not end with its descriptor. Returns whether it did: then nothing
    /// is registered any more.
    pub fn renew(&mut self, waker: BorrowedFd<'_>) -> Result<bool> {
        if self.closing != Closing::Trusted {
            return Ok(false);
        }
        let fresh = open(waker)?;
        rustix::io::dup3(&fresh, &mut self.epoll, rustix::io::DupFlags::CLOEXEC)?;
        self.closing = Closing::Distrusted;
        self.registered = 0;
        Ok(true)
    }

    /// Ends each registration by a system call from now on.
    pub fn distrust_closing(&mut self) {
        self.closing = Closing::Distrusted;
    }

    /// Waits for events and appends them to `events`: for `timeout` milliseconds at most, for ever if
    /// it is `None`. An interrupted wait returns none; a timeout of 0 waits for nothing and is not
    /// interrupted. Returns whether the waker was written to. A cancellation point.
    #[inline(always)] // Once per iteration, and in one place.
    pub fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<bool> {
        // A longer wait than 24 days is cut short; the engine waits again.
        let timeout = timeout.map_or(-1, |ms| i32::try_from(ms).unwrap_or(i32::MAX));
        let mask = self.mask.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        let count = loop {
            let count = epoll_pwait(self.epoll.as_raw_fd(), &mut self.buffer, timeout, mask);
            if count >= 0 {
                break count;
            }
            match Errno::last() {
                // A caller that does not wait relies on the answer before it parks.
                Errno::EINTR if timeout == 0 => {}
                Errno::EINTR => return Ok(false),
                error => return Err(error),
            }
        };
        let mut woken = false;
        events.extend(self.buffer[..count as usize].iter().map(|event| {
            // SAFETY: the kernel filled the first `count` events.
            let event = event_from(unsafe { event.assume_init() });
            woken |= event == Event::Wake;
            event
        }));
        Ok(woken)
    }

    /// Blocks or unblocks SIGPROF during a wait.
    pub fn block_profiling_signal(&mut self, block: bool) {
        self.mask = block.then(|| {
            let mut mask = MaybeUninit::<libc::sigset_t>::uninit();
            // SAFETY: sigemptyset initialises the set that sigaddset then changes.
            unsafe {
                libc::sigemptyset(mask.as_mut_ptr());
                libc::sigaddset(mask.as_mut_ptr(), libc::SIGPROF);
                mask.assume_init()
            }
        });
    }

    /// Whether a signal is blocked during a wait.
    #[inline]
    pub fn has_mask(&self) -> bool {
        self.mask.is_some()
    }

    /// In a forked child: opens a descriptor that is not shared with the parent. Nothing is
    /// registered any more.
    pub fn reopen(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        self.epoll = open(waker)?;
        self.registered = 0;
        if self.closing == Closing::Trusted {
            self.closing = Closing::Untried;
        }
        Ok(())
    }
}

/// The system call, in a frame of its own: a thread that is cancelled in it unwinds through here, and
/// there is nothing to clean up.
#[inline]
fn epoll_pwait(
    epoll: RawFd,
    buffer: &mut [MaybeUninit<libc::epoll_event>; BATCH],
    timeout: i32,
    mask: *const libc::sigset_t,
) -> i32 {
    // SAFETY: the buffer has room for BATCH events, and the mask is null or a valid set.
    unsafe { libc::epoll_pwait(epoll, buffer.as_mut_ptr().cast(), BATCH as i32, timeout, mask) }
}

/// An epoll descriptor with the waker registered.
///
/// Edge-triggered: every write to the eventfd is one event, and its counter is never read, which
/// saves a system call per wake-up.
fn open(waker: BorrowedFd<'_>) -> Result<OwnedFd> {
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let data = EventData::new_u64(Key::WAKER.0);
    epoll::add(&epoll, waker, data, EventFlags::IN | EventFlags::ET)?;
    Ok(epoll)
}

fn flags(interest: Interest) -> EventFlags {
    let mut flags = EventFlags::empty();
    flags.set(EventFlags::IN, interest.contains(Interest::READABLE));
    flags.set(EventFlags::OUT, interest.contains(Interest::WRITABLE));
    flags.set(EventFlags::RDHUP, interest.intersects(Interest::DISCONNECT | Interest::EDGE));
    flags.set(EventFlags::PRI, interest.intersects(Interest::PRIORITIZED | Interest::EDGE));
    flags.set(EventFlags::ET, interest.contains(Interest::EDGE));
    flags
}

fn event_from(event: libc::epoll_event) -> Event {
    let key = Key(event.u64);
    if key == Key::WAKER {
        return Event::Wake;
    }
    let bits = event.events as i32;
    let mut readiness = Readiness::empty();
    readiness.set(Readiness::READABLE, bits & libc::EPOLLIN != 0);
    readiness.set(Readiness::WRITABLE, bits & libc::EPOLLOUT != 0);
    readiness.set(Readiness::DISCONNECT, bits & libc::EPOLLRDHUP != 0);
    readiness.set(Readiness::PRIORITIZED, bits & libc::EPOLLPRI != 0);
    readiness.set(Readiness::ERROR, bits & libc::EPOLLERR != 0);
    readiness.set(Readiness::HANGUP, bits & libc::EPOLLHUP != 0);
    Event::Ready { key, readiness }
}
