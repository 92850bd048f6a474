//! The waker: ends the wait of a loop from any thread, by a descriptor or by the
//! [futex](crate::parker) that the loop is parked on.
//!
//! The descriptor depends on the platform: an eventfd, the kqueue, event port or completion port of the
//! selector itself, or a pipe.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use crate::descriptor::{
    AsDescriptor as _, AtomicDescriptor, BorrowedDescriptor, CLOSED, Descriptor, RawDescriptor,
    from_raw, into_raw,
};
use crate::parker::{Parker, UnparkAction};
use crate::{Result, fork};

cfg_if::cfg_if! {
    if #[cfg(windows)] {
        mod completion_port;
        use completion_port as system;
        pub(crate) use completion_port::WAKER_KEY;
    } else if #[cfg(any(
            mauve_kqueue,
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "dragonfly",
            target_os = "netbsd",
            target_os = "openbsd",
        ))] {
        mod kqueue;
        use kqueue as system;
    } else if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod eventfd;
        use eventfd as system;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod event_port;
        use event_port as system;
        pub(crate) use event_port::open_port;
    } else {
        mod pipe;
        use pipe as system;
    }
}

#[cfg(all(test, any(target_os = "linux", target_os = "android")))]
mod pipe;
#[cfg(test)]
#[allow(unused_imports)] // The tests of some selectors use them.
pub(crate) use system::{notify, open};

/// Notifies a loop, so that its current or next wait returns.
///
/// Callable from any thread and from a signal handler: it neither allocates nor locks.
pub trait Notify: Send + Sync {
    /// Makes the loop's current or next wait return
    /// [`Event::Wake`](crate::driver::Event::Wake).
    fn notify(&self);

    /// The descriptor of the waker, if it has one. Writing to it ends a wait.
    fn raw_fd(&self) -> Option<RawDescriptor> {
        None
    }

    /// The [futex](crate::parker) of the waker, if it has one.
    fn raw_futex(&self) -> Option<&AtomicU32> {
        None
    }
}

/// A descriptor, which can be closed and reopened in place, and a parker.
///
/// A `Waker` may outlive its loop, because a thread may still hold a sender of a closed loop. The
/// loop closes the descriptor when it is dropped; [`Notify::notify`] then does nothing. Closing waits
/// for the threads that write to the descriptor.
#[derive(Debug)]
pub struct Waker {
    /// The descriptor that a notification is written to.
    fd: AtomicDescriptor,
    /// The other end of a pipe. Used only by the owner of the loop.
    read_end: AtomicDescriptor,
    writers: Writers,
    parker: Parker,
    /// The program has the selector's descriptor, so notifications must make it readable.
    embedded: AtomicBool,
}

impl Waker {
    /// A waker without a descriptor.
    pub const fn closed() -> Self {
        Self {
            fd: AtomicDescriptor::new(CLOSED),
            read_end: AtomicDescriptor::new(CLOSED),
            writers: Writers(AtomicU64::new(0)),
            parker: Parker::new(),
            embedded: AtomicBool::new(false),
        }
    }

    /// Opens a new descriptor. The previous one is closed: in a forked child it is shared with the
    /// parent.
    pub(crate) fn open(&self) -> Result<()> {
        fork::generation();
        let WakerFds { fd, read_end } = system::open()?;
        drop(self.replace(into_raw(fd)));
        drop(take(&self.read_end, read_end.map_or(CLOSED, into_raw)));
        self.parker.end_park();
        Ok(())
    }

    /// Closes the descriptor, until [`open`](Self::open) opens another one.
    pub(crate) fn close_descriptor(&self) {
        // The program may have closed them.
        for fd in self.replace(CLOSED).into_iter().chain(take(&self.read_end, CLOSED)) {
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

    /// The descriptor to register with a selector. Only for the owner of the loop, which opens and
    /// closes it.
    pub(crate) fn fd(&self) -> Option<BorrowedDescriptor<'_>> {
        // SAFETY: `open` has opened the descriptor, and only the caller closes it.
        unsafe { borrow(&self.read_end) }.or_else(|| self.write_end())
    }

    /// The descriptor to write to. Only for the owner of the loop, and for threads that are counted as
    /// [`Writers`].
    fn write_end(&self) -> Option<BorrowedDescriptor<'_>> {
        // SAFETY: `open` has opened the descriptor. It is closed by the caller, or when all threads
        // have left.
        unsafe { borrow(&self.fd) }
    }

    /// See [`Parker::park`].
    pub(crate) fn park(&self, timeout: Option<Duration>) -> bool {
        self.parker.park(timeout, &self.embedded)
    }

    /// See [`Parker::end_park`].
    pub(crate) fn end_park(&self) -> bool {
        self.parker.end_park()
    }

    /// Whether there is a notification.
    #[inline]
    pub(crate) fn is_notified(&self) -> bool {
        self.parker.is_notified()
    }

    /// Takes the notification, if there is one.
    #[inline]
    pub(crate) fn take(&self) -> bool {
        self.parker.take()
    }

    fn replace(&self, fd: RawDescriptor) -> Option<Descriptor> {
        // Threads that have loaded the old descriptor have written to it when this returns.
        take(&self.fd, fd).inspect(|_| self.writers.wait())
    }

    /// Ends the wait of the loop, or its next one, by the descriptor. Does nothing if there is none.
    fn write(&self) {
        // The first `open` registers the fork handlers. `enter` would do so before, which is not
        // allowed in a signal handler.
        if self.fd.load(Ordering::Relaxed) == CLOSED {
            return;
        }
        let generation = self.writers.enter();
        if let Some(fd) = self.write_end() {
            system::notify(fd);
        }
        self.writers.leave(generation);
    }
}

/// The descriptors of a new waker.
pub(crate) struct WakerFds {
    /// A notification is written to it.
    pub fd: Descriptor,
    /// The end of a pipe that the selector registers; `None` if it registers `fd`.
    pub read_end: Option<Descriptor>,
}

/// Borrows the descriptor, if there is one.
///
/// # Safety
/// It stays open as long as the result is used.
unsafe fn borrow(fd: &AtomicDescriptor) -> Option<BorrowedDescriptor<'_>> {
    match fd.load(Ordering::SeqCst) {
        CLOSED => None,
        // SAFETY: not `CLOSED`, and the caller promises that it stays open.
        fd => Some(unsafe { BorrowedDescriptor::borrow_raw(fd) }),
    }
}

/// Replaces the descriptor, and returns the previous one.
fn take(fd: &AtomicDescriptor, new: RawDescriptor) -> Option<Descriptor> {
    match fd.swap(new, Ordering::SeqCst) {
        CLOSED => None,
        // SAFETY: `open` has stored an owned descriptor, and the swap makes this call its only owner.
        old => Some(unsafe { from_raw(old) }),
    }
}

/// The number of threads that write to the descriptor, in the low half. The high half is the fork
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

    /// Waits until no thread uses the descriptor that was just replaced. Without a limit: a thread that has left
    /// the write by `longjmp` in a signal handler cannot be distinguished from one that is about to write, to a
    /// number that may belong to another file by then. libuv waits without a limit, too.
    fn wait(&self) {
        while self.are_busy() {
            std::thread::yield_now();
        }
    }

    fn are_busy(&self) -> bool {
        let none = Self::of_generation(fork::generation());
        let writers = self.0.load(Ordering::SeqCst);
        writers & !Self::COUNT == none && writers != none
    }
}

impl Notify for Waker {
    fn notify(&self) {
        match self.parker.unpark() {
            UnparkAction::Nothing => {}
            // Not counted: the futex is a part of the waker, and exists as long as the caller refers to it.
            UnparkAction::WakeFutex => self.parker.wake(),
            UnparkAction::WriteDescriptor => self.write(),
        }
    }

    fn raw_fd(&self) -> Option<RawDescriptor> {
        self.fd().map(|fd| fd.raw_descriptor())
    }

    fn raw_futex(&self) -> Option<&AtomicU32> {
        Some(self.parker.futex())
    }
}

impl Drop for Waker {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(all(test, unix))]
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
                let pair = crate::net::socket_pair(libc::SOCK_STREAM, 0, [true, true]).unwrap();
                std::thread::yield_now();
                for end in &pair {
                    let read = rustix::io::read(end, &mut [0u8; 8]);
                    stray += u32::from(read != Err(rustix::io::Errno::AGAIN));
                }
            }
            done.store(true, Ordering::Relaxed);
            assert_eq!(stray, 0, "notifications were written to another descriptor");
        });
    }
}
