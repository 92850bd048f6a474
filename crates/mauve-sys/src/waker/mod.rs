//! How other threads interrupt a waiting poller: through a descriptor, or a [word].

use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno as RawErrno;
use rustix::thread::futex;
use rustix::time::Timespec;

use crate::Result;

pub mod word;

use word::Word;

/// Interrupts a poller, now or the next time it waits.
///
/// Must be callable from any thread and from a signal handler: no allocation, no lock.
pub trait Wake: Send + Sync {
    /// Makes the poller's current or next wait return with [`Event::Wake`].
    ///
    /// [`Event::Wake`]: crate::poller::Event::Wake
    fn wake(&self);
}

/// An eventfd that is opened, closed and opened again in place, and a word.
///
/// The memory of a `Waker` may outlive the loop it belonged to (a thread may still hold a sender
/// of a closed loop), while its descriptor must not. Therefore the descriptor can be closed alone;
/// [`Wake::wake`] on a closed waker does nothing. The one rule: whoever closes it makes sure that
/// no thread is inside `wake` at that moment.
#[derive(Debug)]
pub struct Waker {
    fd: AtomicI32,
    word: Word<AtomicU32>,
}

const CLOSED: RawFd = -1;

impl Waker {
    /// A waker without a descriptor.
    pub const fn closed() -> Self {
        Self { fd: AtomicI32::new(CLOSED), word: Word::new() }
    }

    /// Gives the waker a fresh descriptor. One that it still had is closed, which is what a
    /// forked child needs: the inherited eventfd is shared with the parent.
    pub fn open(&self) -> Result<()> {
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        drop(self.replace(fd.into_raw_fd()));
        self.word.move_away();
        Ok(())
    }

    /// Closes the descriptor.
    pub fn close(&self) {
        drop(self.replace(CLOSED));
    }

    /// The descriptor, for registering it with a poller.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self.fd.load(Ordering::Acquire) {
            CLOSED => None,
            // SAFETY: the number is that of an eventfd opened by `open` and not closed yet; it is
            // not -1.
            fd => Some(unsafe { BorrowedFd::borrow_raw(fd) }),
        }
    }

    /// From now on the poller [rests](Self::rest). Returns whether somebody has tried to wake it
    /// that way; whether somebody has used the descriptor is to be seen after this.
    pub(crate) fn move_to_word(&self) -> bool {
        self.word.move_here()
    }

    /// From now on the poller waits for the descriptor. Returns whether somebody has tried to wake
    /// it otherwise.
    pub(crate) fn move_to_descriptor(&self) -> bool {
        self.word.move_away()
    }

    /// Waits until somebody wakes the poller, so many milliseconds at most, and for ever if it is
    /// `None`. Returns whether somebody did. A wait may end early.
    pub(crate) fn rest(&self, timeout: Option<u32>) -> bool {
        if self.word.take_rung() {
            return true;
        }
        if timeout == Some(0) {
            return false;
        }
        let timeout = timeout.map(|ms| Timespec {
            tv_sec: i64::from(ms / 1000),
            tv_nsec: i64::from(ms % 1000) * 1_000_000,
        });
        // However it ends, the word tells the rest.
        let word = self.word.as_atomic();
        let _ = futex::wait(word, futex::Flags::PRIVATE, word::AT_WORD, timeout.as_ref());
        self.word.take_rung()
    }

    /// The word, for somebody who looks into this process from outside.
    pub(crate) fn word(&self) -> &AtomicU32 {
        self.word.as_atomic()
    }

    fn tell_of_word(&self) {
        // Nobody may be waiting yet, or any more.
        let _ = futex::wake(self.word.as_atomic(), futex::Flags::PRIVATE, 1);
    }

    fn replace(&self, fd: RawFd) -> Option<OwnedFd> {
        use std::os::fd::FromRawFd;
        match self.fd.swap(fd, Ordering::AcqRel) {
            CLOSED => None,
            // SAFETY: `open` gave this number up to us, and the swap made us its only owner.
            old => Some(unsafe { OwnedFd::from_raw_fd(old) }),
        }
    }
}

impl Wake for Waker {
    fn wake(&self) {
        if self.word.ring() {
            return self.tell_of_word();
        }
        let Some(fd) = self.fd() else { return };
        // EAGAIN means that the counter is full, and then the poller is awake anyway.
        while rustix::io::write(fd.as_fd(), &1u64.to_ne_bytes()) == Err(RawErrno::INTR) {}
        if self.word.ring_after_writing() {
            self.tell_of_word();
        }
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.close();
    }
}
