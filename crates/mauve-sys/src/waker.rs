//! The waker: ends the wait of a loop from any thread, by an eventfd or by the
//! [futex](crate::parker) that the loop is parked on.

use std::os::fd::{AsFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::Errno as RawErrno;

use crate::parker::Parker;
use crate::{Result, fork};

/// Notifies a loop, so that its current or next wait returns.
///
/// Callable from any thread and from a signal handler: it neither allocates nor locks.
pub trait Notify: Send + Sync {
    /// Makes the loop's current or next wait return
    /// [`Event::Wake`](crate::driver::Event::Wake).
    fn notify(&self);
}

/// An eventfd, which can be closed and reopened in place, and a parker.
///
/// A `Waker` may outlive its loop, because a thread may still hold a sender of a closed loop. The
/// loop closes the descriptor when it is dropped; [`Notify::notify`] then does nothing. Closing waits
/// for the threads that write to the descriptor.
#[derive(Debug)]
pub struct Waker {
    fd: AtomicI32,
    writers: Writers,
    parker: Parker,
    /// The program has the selector's descriptor, so notifications must make it readable.
    embedded: AtomicBool,
}

const CLOSED: RawFd = -1;

impl Waker {
    /// A waker without a descriptor.
    pub const fn closed() -> Self {
        Self {
            fd: AtomicI32::new(CLOSED),
            writers: Writers(AtomicU64::new(0)),
            parker: Parker::new(),
            embedded: AtomicBool::new(false),
        }
    }

    /// Opens a new eventfd. The previous one is closed: in a forked child it is shared with the
    /// parent.
    pub(crate) fn open(&self) -> Result<()> {
        fork::generation();
        let fd = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        drop(self.replace(fd.into_raw_fd()));
        self.parker.end_park();
        Ok(())
    }

    /// Closes the descriptor, until [`open`](Self::open) opens another one.
    pub(crate) fn close_descriptor(&self) {
        // The program may have closed it.
        if let Some(fd) = self.replace(CLOSED) {
            crate::fd::close(fd);
        }
    }

    /// Closes the waker of a loop that is dropped.
    pub(crate) fn close(&self) {
        self.close_descriptor();
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

    /// The eventfd, to register it with a selector. Only for the owner of the loop, which opens and
    /// closes it, and for threads that are counted as [`Writers`].
    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self.fd.load(Ordering::SeqCst) {
            CLOSED => None,
            // SAFETY: the number is that of an eventfd that `open` has opened, and that is not
            // closed yet. It is not -1.
            fd => Some(unsafe { BorrowedFd::borrow_raw(fd) }),
        }
    }

    /// See [`Parker::park`].
    pub(crate) fn park(&self, timeout: Option<Duration>) -> bool {
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
        match self.fd.swap(fd, Ordering::SeqCst) {
            CLOSED => None,
            old => {
                self.writers.wait();
                // SAFETY: `open` has stored an owned descriptor, and the swap makes this call its
                // only owner. Threads that have loaded it before the swap have written.
                Some(unsafe { OwnedFd::from_raw_fd(old) })
            }
        }
    }

    /// Writes to the descriptor, if there is one.
    fn write(&self) {
        // The first `open` registers the fork handlers. `enter` would do so before, which is not
        // allowed in a signal handler.
        if self.fd.load(Ordering::Relaxed) == CLOSED {
            return;
        }
        let generation = self.writers.enter();
        if let Some(fd) = self.fd() {
            // EAGAIN means that the counter is full. The eventfd is readable then, anyway.
            while rustix::io::write(fd.as_fd(), &1u64.to_ne_bytes()) == Err(RawErrno::INTR) {}
        }
        self.writers.leave(generation);
    }
}

/// The number of threads that use the descriptor, in the low half. The high half is the fork
/// [generation](fork::generation): a count of the parent does not apply in a forked child.
#[derive(Debug)]
struct Writers(AtomicU64);

impl Writers {
    const COUNT: u64 = u32::MAX as u64;

    fn of_generation(generation: u64) -> u64 {
        generation << 32
    }

    /// Counts this thread. A descriptor that it loads afterwards is not closed until it leaves.
    fn enter(&self) -> u64 {
        let none = Self::of_generation(fork::generation());
        let add = |writers| Some(if writers & !Self::COUNT == none { writers } else { none } + 1);
        // The closure never refuses.
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::Relaxed, add);
        none
    }

    /// Reverts [`enter`](Self::enter), unless the process has been forked since.
    fn leave(&self, none: u64) {
        let subtract = |writers| (writers & !Self::COUNT == none).then(|| writers - 1);
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::Relaxed, subtract);
    }

    /// Waits until no thread uses the descriptor that was just replaced.
    fn wait(&self) {
        let none = Self::of_generation(fork::generation());
        let is_busy = |writers| writers & !Self::COUNT == none && writers != none;
        while is_busy(self.0.load(Ordering::SeqCst)) {
            std::thread::yield_now();
        }
    }
}

impl Notify for Waker {
    fn notify(&self) {
        if self.parker.unpark() {
            self.write();
        }
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of a closed descriptor is reused by the next `open`, so a late write would go there.
    #[test]
    fn no_notification_is_written_to_a_closed_descriptor() {
        let waker = Waker::closed();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        waker.take();
                        waker.notify();
                    }
                });
            }
            let mut stray = 0;
            for _ in 0..20_000 {
                waker.open().unwrap();
                waker.close();
                let other = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).unwrap();
                std::thread::yield_now();
                let read = rustix::io::read(&other, &mut [0u8; 8]);
                stray += u32::from(read != Err(RawErrno::AGAIN));
            }
            done.store(true, Ordering::Relaxed);
            assert_eq!(stray, 0, "notifications were written to another descriptor");
        });
    }
}
