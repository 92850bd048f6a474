//! Linux: epoll for readiness, an eventfd as the waker.
//!
//! Who watches nothing waits for the waker's word instead, and does not ask the system at all if it
//! does not want to wait.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno as RawErrno;

use super::{Driver, Event, Interest, Key, Readiness};
use crate::fd::borrow;
use crate::waker::{Wake, Waker};
use crate::{Errno, Result, clock};

/// The size of a set of signals, as the kernel has it.
const MASK_BYTES: usize = 8;

/// Events fetched by one system call.
const BATCH: usize = 1024;

/// The epoll driver.
pub struct Epoll {
    epoll: OwnedFd,
    waker: Arc<Waker>,
    buffer: Box<[MaybeUninit<libc::epoll_event>; BATCH]>,
    /// The mask for the duration of a wait, if one was asked for.
    mask: Option<libc::sigset_t>,
    closing: Closing,
    /// How many descriptors are watched, apart from the waker's.
    watched: usize,
    /// Somebody may watch the epoll descriptor: everything is to be seen there.
    nested: bool,
    /// The last wait was for the waker's word.
    at_word: bool,
}

/// What is known of watches that end because their descriptor is closed. A copy of the descriptor
/// in another process keeps its watch alive, and there is no way left to end it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// No watch was left to end that way.
    Untried,
    /// Some were, and nothing was heard of them since.
    Trusted,
    /// One did not end, or could not be mended if it did not: each is ended before its descriptor is
    /// closed.
    Distrusted,
}

impl Epoll {
    /// Opens a driver with a waker of its own.
    pub fn new() -> Result<Self> {
        Self::with_waker(Arc::new(Waker::closed()))
    }

    /// Opens a driver on `waker`, which gets a fresh descriptor.
    pub fn with_waker(waker: Arc<Waker>) -> Result<Self> {
        waker.open()?;
        let epoll = open(&waker)?;
        Ok(Self {
            epoll,
            waker,
            buffer: Box::new([MaybeUninit::uninit(); BATCH]),
            mask: None,
            closing: Closing::Untried,
            watched: 0,
            nested: false,
            at_word: false,
        })
    }

    /// Whether there is nothing to wait for but the waker, and no reason to use epoll for it.
    #[inline]
    fn may_rest(&self) -> bool {
        self.watched == 0 && !self.nested && self.mask.is_none()
    }

    /// A wait for the waker alone.
    fn rest(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<()> {
        if !std::mem::replace(&mut self.at_word, true) {
            let woken = self.waker.move_to_word();
            // What was written to its descriptor before is to be heard, too.
            self.wait_for_descriptors(0, events)?;
            note_woken(woken, events);
        }
        if events.is_empty() {
            note_woken(self.waker.rest(timeout), events);
        }
        Ok(())
    }

    /// Has the waker use its descriptor again. Returns whether it was used otherwise.
    #[cold]
    fn leave_word(&mut self) -> bool {
        self.at_word = false;
        self.waker.move_to_descriptor()
    }

    #[inline(always)]
    fn wait_for_descriptors(&mut self, timeout: i32, events: &mut Vec<Event>) -> Result<()> {
        let mask = self.mask.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // Not by the C library's function: in a program with threads, that one prepares to be
        // cancelled, and a wake-up feels that.
        // SAFETY: the buffer has room for BATCH events, and the mask is null or a valid set.
        let count = unsafe {
            let buffer = self.buffer.as_mut_ptr();
            let epoll = self.epoll.as_raw_fd();
            libc::syscall(libc::SYS_epoll_pwait, epoll, buffer, BATCH, timeout, mask, MASK_BYTES)
        };
        if count < 0 {
            let error = Errno::last();
            return if error == Errno::EINTR { Ok(()) } else { Err(error) };
        }
        if count == 0 {
            return Ok(());
        }
        events.extend(self.buffer[..count as usize].iter().map(|event| {
            // SAFETY: the kernel filled the first `count` events.
            event_from(unsafe { event.assume_init() })
        }));
        Ok(())
    }
}

/// An epoll descriptor that already watches the waker.
///
/// Edge-triggered: every write to the eventfd is one event, and its counter is never read, which
/// saves a system call per wake-up.
fn open(waker: &Waker) -> Result<OwnedFd> {
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let fd = waker.fd().ok_or(Errno::EBADF)?;
    let data = EventData::new_u64(Key::WAKER.0);
    epoll::add(&epoll, fd, data, EventFlags::IN | EventFlags::ET)?;
    Ok(epoll)
}

impl Driver for Epoll {
    #[inline]
    fn now(&self) -> u64 {
        clock::hrtime()
    }

    fn waker(&self) -> Arc<dyn Wake> {
        self.waker.clone()
    }

    fn probe(&mut self, fd: RawFd) -> Result<()> {
        let fd = borrow(fd)?;
        match epoll::add(&self.epoll, fd, EventData::new_u64(Key::WAKER.0), EventFlags::empty()) {
            // A registration that has outlived its descriptor, because a duplicate keeps it alive.
            Ok(()) | Err(RawErrno::EXIST) => epoll::delete(&self.epoll, fd)?,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn watch(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()> {
        let fd = borrow(fd)?;
        let data = EventData::new_u64(key.0);
        if new.is_empty() {
            self.watched = self.watched.saturating_sub(usize::from(!old.is_empty()));
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
            self.watched += 1;
            Ok(())
        } else {
            match epoll::modify(&self.epoll, fd, data, flags) {
                // Closed and opened again behind our back.
                Err(RawErrno::NOENT) => Ok(epoll::add(&self.epoll, fd, data, flags)?),
                result => Ok(result?),
            }
        }
    }

    fn unwatch_and_close(&mut self, fd: OwnedFd, key: Key, old: Interest) -> Result<()> {
        if self.closing == Closing::Distrusted {
            let unwatched = self.watch(fd.as_raw_fd(), key, old, Interest::empty());
            crate::fd::close(fd);
            return unwatched;
        }
        self.closing = Closing::Trusted;
        self.watched = self.watched.saturating_sub(usize::from(!old.is_empty()));
        crate::fd::close(fd);
        Ok(())
    }

    fn renew(&mut self) -> Result<bool> {
        if self.closing != Closing::Trusted {
            return Ok(false);
        }
        // Under the old number, which others may have been told.
        let fresh = open(&self.waker)?;
        rustix::io::dup3(&fresh, &mut self.epoll, rustix::io::DupFlags::CLOEXEC)?;
        self.closing = Closing::Distrusted;
        self.watched = 0;
        Ok(true)
    }

    #[inline(always)] // Once per iteration, and in one place.
    fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<()> {
        if self.may_rest() {
            return self.rest(timeout, events);
        }
        // A longer wait than 24 days is cut short; the engine waits again.
        let timeout = timeout.map_or(-1, |ms| i32::try_from(ms).unwrap_or(i32::MAX));
        let woken = self.at_word && self.leave_word();
        self.wait_for_descriptors(if woken { 0 } else { timeout }, events)?;
        note_woken(woken, events);
        Ok(())
    }

    fn watches_nothing(&self) -> bool {
        self.watched == 0
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn block_profiling_signal(&mut self, block: bool) {
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

    fn descriptor(&self) -> Option<RawFd> {
        Some(self.epoll.as_raw_fd())
    }

    fn keep_descriptor(&mut self) {
        self.closing = Closing::Distrusted;
        self.nested = true;
        if self.at_word && self.leave_word() {
            self.waker.wake();
        }
    }

    fn wake_descriptor(&self) -> Option<RawFd> {
        self.waker.fd().map(|fd| fd.as_raw_fd())
    }

    fn wake_word(&self) -> Option<&AtomicU32> {
        Some(self.waker.word())
    }

    fn reopen_after_fork(&mut self) -> Result<()> {
        self.waker.open()?;
        self.epoll = open(&self.waker)?;
        self.watched = 0;
        self.at_word = false;
        if self.closing == Closing::Trusted {
            self.closing = Closing::Untried;
        }
        Ok(())
    }
}

impl Drop for Epoll {
    fn drop(&mut self) {
        self.waker.close();
    }
}

/// Tells that the waker was used, unless that is told already.
#[inline(always)]
fn note_woken(woken: bool, events: &mut Vec<Event>) {
    if woken && !events.contains(&Event::Wake) {
        events.push(Event::Wake);
    }
}

fn flags(interest: Interest) -> EventFlags {
    let mut flags = EventFlags::empty();
    flags.set(EventFlags::IN, interest.contains(Interest::READABLE));
    flags.set(EventFlags::OUT, interest.contains(Interest::WRITABLE));
    flags.set(EventFlags::RDHUP, interest.intersects(Interest::DISCONNECT | Interest::ONCE));
    flags.set(EventFlags::PRI, interest.intersects(Interest::PRIORITIZED | Interest::ONCE));
    flags.set(EventFlags::ET, interest.contains(Interest::ONCE));
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
