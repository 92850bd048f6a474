//! How other threads end the wait of a loop: through a descriptor, or the [futex](crate::parker) that
//! the loop sleeps on.

use std::os::fd::{AsFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno as RawErrno;

use crate::Result;
use crate::parker::Parker;

/// Notifies a loop: its current or next wait returns.
///
/// Callable from any thread and from a signal handler: no allocation, no lock.
pub trait Notify: Send + Sync {
    /// Has the loop's current or next wait return with [`Event::Wake`](crate::selector::Event::Wake).
    fn notify(&self);
}

/// An eventfd that is opened, closed and opened again in place, and a parker.
///
/// The memory of a `Waker` may outlive the loop it belonged to: a thread may still hold a sender of
/// a closed loop. Its descriptor must not, so it is closed alone; [`Notify::notify`] then does
/// nothing. The one rule: no thread is inside `notify` when the descriptor is closed.
#[derive(Debug)]
pub struct Waker {
    fd: AtomicI32,
    parker: Parker,
    /// The selector's descriptor was handed out: notifications have to be visible there.
    embedded: AtomicBool,
}

const CLOSED: RawFd = -1;

impl Waker {
    /// A waker without a descriptor.
    pub const fn closed() -> Self {
        Self { fd: AtomicI32::new(CLOSED), parker: Parker::new(), embedded: AtomicBool::new(false) }
    }

    /// Gives the waker a fresh descriptor. One that it still had is closed, which is what a
    /// forked child needs: the inherited eventfd is shared with the parent.
    pub fn open(&self) -> Result<()> {
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        drop(self.replace(fd.into_raw_fd()));
        self.parker.finish();
        Ok(())
    }

    /// Closes the descriptor.
    pub fn close(&self) {
        drop(self.replace(CLOSED));
        self.embedded.store(false, Ordering::Relaxed);
    }

    /// The selector's descriptor is handed out: the loop does not park from now on, and if it sleeps
    /// it goes over to its selector. Callable from any thread.
    pub fn embed(&self) {
        self.embedded.store(true, Ordering::Relaxed);
        self.parker.interrupt();
    }

    /// Whether [`embed`](Self::embed) was called.
    #[inline]
    pub(crate) fn is_embedded(&self) -> bool {
        self.embedded.load(Ordering::Relaxed)
    }

    /// The descriptor, for registering it with a selector.
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self.fd.load(Ordering::Acquire) {
            CLOSED => None,
            // SAFETY: the number is that of an eventfd opened by `open` and not closed yet; it is
            // not -1.
            fd => Some(unsafe { BorrowedFd::borrow_raw(fd) }),
        }
    }

    /// See [`Parker::park`].
    pub(crate) fn park(&self, timeout: Option<u32>) -> bool {
        self.parker.park(timeout, &self.embedded)
    }

    /// See [`Parker::finish`].
    pub(crate) fn unpark(&self) -> bool {
        self.parker.finish()
    }

    /// Takes the notification, if there is one.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        self.parker.take()
    }

    /// For inspection from another process.
    pub(crate) fn futex(&self) -> &AtomicU32 {
        self.parker.futex()
    }

    fn replace(&self, fd: RawFd) -> Option<OwnedFd> {
        match self.fd.swap(fd, Ordering::AcqRel) {
            CLOSED => None,
            // SAFETY: `open` gave this number up to us, and the swap made us its only owner.
            old => Some(unsafe { OwnedFd::from_raw_fd(old) }),
        }
    }
}

impl Notify for Waker {
    fn notify(&self) {
        if self.parker.notify()
            && let Some(fd) = self.fd()
        {
            // EAGAIN means that the counter is full, and then the selector reports it anyway.
            while rustix::io::write(fd.as_fd(), &1u64.to_ne_bytes()) == Err(RawErrno::INTR) {}
        }
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.close();
    }
}
