//! The driver contract: what the engine needs of an operating system.
//!
//! The engine is written against [`Driver`] alone, and tests replace it by a fake one. The driver of
//! a platform is made of four parts, and a new platform supplies these in files of its own:
//!
//! * a [`Selector`](crate::selector): watches descriptors, and waits for them;
//! * a [`Waker`](crate::waker): ends a wait from any thread;
//! * a [parker](crate::parker): where the loop sleeps when nothing is registered;
//! * a [clock].
//!
//! A driver only returns events. It never calls back, keeps no handle state, and does not know what
//! an event means to its receiver.

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

pub use crate::selector::{Event, Interest, Key, Readiness};

use crate::platform::{BATCH, Selector};
use crate::thread::cancellation_point;
use crate::waker::{Notify, Waker};
use crate::{Errno, Result, clock};

/// What the engine needs of an operating system.
pub trait Driver {
    /// Nanoseconds on a clock that never goes backwards.
    fn now(&self) -> u64;

    /// The object through which other threads end a [`wait`](Self::wait).
    fn waker(&self) -> Arc<dyn Notify>;

    /// Checks whether `fd` can be watched at all: `EBADF` for a bad one, `EPERM` for a regular file,
    /// `EEXIST` if it is watched already.
    fn probe(&mut self, fd: RawFd) -> Result<()>;

    /// Changes what is watched on `fd` from `old` to `new`. An empty interest means none.
    ///
    /// The engine calls this when the two differ, or to have unread data reported again that is
    /// watched [edge-triggered](Interest::EDGE).
    fn watch(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()>;

    /// Withdraws all interest in a descriptor that is closed right after, and of which no copy is
    /// known. Closing the last copy ends a watch by itself, so a driver may leave it at that. If there
    /// is a copy after all, events with a stale key follow, which the engine reports by
    /// [`renew`](Self::renew).
    fn unwatch_and_close(&mut self, fd: OwnedFd, key: Key, old: Interest) -> Result<()> {
        self.watch(fd.as_raw_fd(), key, old, Interest::empty())
    }

    /// Reports an event with a stale key. If the cause is a watch that was left to end by itself, the
    /// driver forgets all interests and returns true: the engine declares them again.
    fn renew(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// Waits for events and appends them to `events`: for `timeout` milliseconds at most, for ever
    /// if it is `None`, not at all if it is zero. An interrupted wait is an empty one.
    fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<()>;

    /// Appends the events that are there to `events`, and leaves the [descriptor](Self::descriptor)
    /// unreadable if nothing follows them. [`wait`](Self::wait) need not do that.
    fn poll(&mut self, events: &mut Vec<Event>) -> Result<()> {
        self.wait(Some(0), events)
    }

    /// Ends the calling thread here if it was cancelled, as every [`wait`](Self::wait) does.
    fn cancellation_point(&self) {}

    /// Whether a [`wait`](Self::wait) can return nothing but [`Event::Wake`].
    fn watches_nothing(&self) -> bool {
        false
    }

    /// How many events one [`wait`](Self::wait) returns at most. A full batch is a hint that
    /// there are more.
    fn batch(&self) -> usize;

    /// Blocks or unblocks the profiling signal during [`wait`](Self::wait).
    fn block_profiling_signal(&mut self, block: bool);

    /// A descriptor that is readable when [`poll`](Self::poll) would return events, for embedding the
    /// loop in another one.
    fn descriptor(&self) -> Option<RawFd>;

    /// The [`descriptor`](Self::descriptor) is handed out: it must not change any more, and every
    /// event has to be visible there.
    fn embed(&mut self) {}

    /// The descriptor behind [`waker`](Self::waker), if it is one: writing to it ends a wait.
    fn wake_descriptor(&self) -> Option<RawFd> {
        None
    }

    /// The [futex](crate::parker) behind [`waker`](Self::waker), if there is one.
    fn wake_futex(&self) -> Option<&AtomicU32> {
        None
    }

    /// Called in a forked child: makes anew what is shared with the parent. All interests are
    /// forgotten; the engine declares them again.
    fn reopen_after_fork(&mut self) -> Result<()>;
}

/// The driver of this platform.
pub struct Platform {
    selector: Selector,
    waker: Arc<Waker>,
    /// Whether the last wait was parked and has not returned: its thread was cancelled.
    parked: bool,
}

impl Platform {
    /// Opens a driver with a waker of its own.
    pub fn new() -> Result<Self> {
        Self::with_waker(Arc::new(Waker::closed()))
    }

    /// Opens a driver on `waker`, which gets a fresh descriptor.
    pub fn with_waker(waker: Arc<Waker>) -> Result<Self> {
        waker.open()?;
        let selector = Selector::new(waker_fd(&waker)?)?;
        Ok(Self { selector, waker, parked: false })
    }

    /// Whether only the waker can end a wait, and the selector is of no use to it.
    #[inline]
    fn may_park(&self) -> bool {
        self.selector.is_empty() && !self.selector.has_mask() && !self.waker.is_embedded()
    }

    /// A wait for the waker alone.
    #[inline]
    fn park(&mut self, timeout: Option<u32>) -> bool {
        if timeout == Some(0) {
            cancellation_point();
            return self.waker.take();
        }
        self.parked = true;
        let notified = self.waker.park(timeout);
        self.parked = false;
        notified
    }

    #[inline(always)]
    fn select(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<()> {
        let left = std::mem::take(&mut self.parked) && self.waker.unpark();
        let woken = self.selector.wait(if left { Some(0) } else { timeout }, events)?;
        if woken || left {
            self.settle_wake(woken, left, events);
        }
        Ok(())
    }

    /// Reports a wake-up exactly if there is a notification. An event of the waker's descriptor
    /// without one is stale: the notification was taken before.
    fn settle_wake(&self, woken: bool, left: bool, events: &mut Vec<Event>) {
        let notified = woken && self.waker.take() || left;
        if notified && !woken {
            events.push(Event::Wake);
        } else if woken && !notified {
            events.retain(|event| *event != Event::Wake);
        }
    }
}

fn waker_fd(waker: &Waker) -> Result<BorrowedFd<'_>> {
    waker.fd().ok_or(Errno::EBADF)
}

impl Driver for Platform {
    #[inline]
    fn now(&self) -> u64 {
        clock::hrtime()
    }

    fn waker(&self) -> Arc<dyn Notify> {
        self.waker.clone()
    }

    fn probe(&mut self, fd: RawFd) -> Result<()> {
        self.selector.probe(fd)
    }

    fn watch(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()> {
        self.selector.register(fd, key, old, new)
    }

    fn unwatch_and_close(&mut self, fd: OwnedFd, key: Key, old: Interest) -> Result<()> {
        self.selector.deregister_and_close(fd, key, old, self.waker.is_embedded())
    }

    fn renew(&mut self) -> Result<bool> {
        let waker = self.waker.clone();
        self.selector.renew(waker_fd(&waker)?)
    }

    #[inline(always)] // Once per iteration, and in one place.
    fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<()> {
        if !self.may_park() {
            return self.select(timeout, events);
        }
        if self.park(timeout) {
            events.push(Event::Wake);
        }
        Ok(())
    }

    fn poll(&mut self, events: &mut Vec<Event>) -> Result<()> {
        self.select(Some(0), events)
    }

    fn cancellation_point(&self) {
        cancellation_point();
    }

    fn watches_nothing(&self) -> bool {
        self.selector.is_empty()
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn block_profiling_signal(&mut self, block: bool) {
        self.selector.block_profiling_signal(block);
    }

    fn descriptor(&self) -> Option<RawFd> {
        Some(self.selector.descriptor())
    }

    fn embed(&mut self) {
        self.selector.distrust_closing();
        self.waker.embed();
    }

    fn wake_descriptor(&self) -> Option<RawFd> {
        self.waker.fd().map(|fd| fd.as_raw_fd())
    }

    fn wake_futex(&self) -> Option<&AtomicU32> {
        Some(self.waker.futex())
    }

    fn reopen_after_fork(&mut self) -> Result<()> {
        self.waker.open()?;
        self.selector.reopen(waker_fd(&self.waker)?)?;
        self.parked = false;
        Ok(())
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        self.waker.close();
    }
}
