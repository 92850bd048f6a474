//! The waker: ends the wait of a loop from any thread, by an eventfd or by the
//! [futex](crate::parker) that the loop is parked on.

use std::os::fd::{AsFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno as RawErrno;

use crate::Result;
use crate::parker::Parker;

/// Notifies a loop, so that its current or next wait returns.
///
/// Callable from any thread and from a signal handler: it neither allocates nor locks.
pub trait Notify: Send + Sync {
    /// Makes the loop's current or next wait return
    /// [`Event::Wake`](crate::selector::Event::Wake).
    fn notify(&self);
}

/// An eventfd, which can be closed and reopened in place, and a parker.
///
/// A `Waker` may outlive its loop, because a thread may still hold a sender of a closed loop. The
/// loop closes the descriptor when it is dropped; [`Notify::notify`] then does nothing. The engine
/// ensures that no thread is inside `notify` when the descriptor is closed.
#[derive(Debug)]
pub struct Waker {
    fd: AtomicI32,
    parker: Parker,
    /// The program has the selector's descriptor, so notifications must make it readable.
    embedded: AtomicBool,
}

const CLOSED: RawFd = -1;

impl Waker {
    /// A waker without a descriptor.
    pub const fn closed() -> Self {
        Self { fd: AtomicI32::new(CLOSED), parker: Parker::new(), embedded: AtomicBool::new(false) }
    }

    /// Opens a new eventfd. The previous one is closed: in a forked child it is shared with the
    /// parent.
    pub fn open(&self) -> Result<()> {
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        drop(self.replace(fd.into_raw_fd()));
        self.parker.end_park();
        Ok(())
    }

    /// Closes the descriptor.
    pub fn close(&self) {
        drop(self.replace(CLOSED));
        self.embedded.store(false, Ordering::Relaxed);
    }

    /// Called when the program gets the selector's descriptor. From now on the loop does not park;
    /// if it is parked, it moves to its selector. Callable from any thread.
    pub fn embed(&self) {
        self.embedded.store(true, Ordering::Relaxed);
        self.parker.interrupt();
    }

    /// Whether [`embed`](Self::embed) was called.
    #[inline]
    pub(crate) fn is_embedded(&self) -> bool {
        self.embedded.load(Ordering::Relaxed)
    }

    /// The eventfd, to register it with a selector.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self.fd.load(Ordering::Acquire) {
            CLOSED => None,
            // SAFETY: the number is that of an eventfd that `open` has opened, and that is not
            // closed yet. It is not -1.
            fd => Some(unsafe { BorrowedFd::borrow_raw(fd) }),
        }
    }

    /// See [`Parker::park`].
    pub(crate) fn park(&self, timeout: Option<u32>) -> bool {
        self.parker.park(timeout, &self.embedded)
    }

    /// See [`Parker::end_park`].
    pub(crate) fn end_park(&self) -> bool {
        self.parker.end_park()
    }

    /// Takes the notification, if there is one.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        self.parker.take()
    }

    /// The futex, which `mauve why` reads from another process.
    pub(crate) fn futex(&self) -> &AtomicU32 {
        self.parker.futex()
    }

    fn replace(&self, fd: RawFd) -> Option<OwnedFd> {
        match self.fd.swap(fd, Ordering::AcqRel) {
            CLOSED => None,
            // SAFETY: `open` has stored an owned descriptor, and the swap makes this call its only
            // owner.
            old => Some(unsafe { OwnedFd::from_raw_fd(old) }),
        }
    }
}

impl Notify for Waker {
    fn notify(&self) {
        if self.parker.unpark()
            && let Some(fd) = self.fd()
        {
            // EAGAIN means that the counter is full. The eventfd is readable then, anyway.
            while rustix::io::write(fd.as_fd(), &1u64.to_ne_bytes()) == Err(RawErrno::INTR) {}
        }
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.close();
    }
}
