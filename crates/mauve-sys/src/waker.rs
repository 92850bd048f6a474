//! The descriptor through which other threads interrupt a waiting poller.

use std::os::fd::{AsFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::event::{EventfdFlags, eventfd};

use crate::Result;

/// Interrupts a poller, now or the next time it waits.
///
/// Must be callable from any thread and from a signal handler: no allocation, no lock.
pub trait Wake: Send + Sync {
    /// Makes the poller's current or next wait return with [`Event::Wake`].
    ///
    /// [`Event::Wake`]: crate::poller::Event::Wake
    fn wake(&self);
}

/// An eventfd that is opened, closed and opened again in place.
///
/// The memory of a `Waker` may outlive the loop it belonged to (a thread may still hold a sender
/// of a closed loop), while its descriptor must not. Therefore the descriptor can be closed alone;
/// [`Wake::wake`] on a closed waker does nothing. The one rule: whoever closes it makes sure that
/// no thread is inside `wake` at that moment.
#[derive(Debug)]
pub struct Waker {
    fd: AtomicI32,
}

const CLOSED: RawFd = -1;

impl Waker {
    /// A waker without a descriptor.
    pub const fn closed() -> Self {
        Self { fd: AtomicI32::new(CLOSED) }
    }

    /// Gives the waker a fresh descriptor. One that it still had is closed, which is what a
    /// forked child needs: the inherited eventfd is shared with the parent.
    pub fn open(&self) -> Result<()> {
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        drop(self.replace(fd.into_raw_fd()));
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
        let Some(fd) = self.fd() else { return };
        loop {
            match rustix::io::write(fd.as_fd(), &1u64.to_ne_bytes()) {
                Err(rustix::io::Errno::INTR) => {}
                // EAGAIN means that the counter is full, and then the poller is awake anyway.
                _ => return,
            }
        }
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.close();
    }
}
