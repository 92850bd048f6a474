//! The driver contract: what the engine needs from an operating system.
//!
//! The engine uses only the trait [`Driver`], which tests implement with a fake. The driver of a
//! platform has four parts. A new platform supplies them in files of its own:
//!
//! * a `Selector`, see [`Select`](crate::selector::Select): registers descriptors and waits for events;
//! * a [`Waker`](crate::waker): ends a wait from any thread;
//! * a [parker](crate::parker): blocks the loop's thread when nothing is registered, if the system
//!   has a futex;
//! * a [clock].
//!
//! A driver only returns events. It never calls back and keeps no handle state.

use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

pub use crate::selector::{Event, Interest, Key, Readiness, Timeout};

use crate::parker;
#[allow(unused_imports)] // On Linux the selector is a trait object, except for its wait.
use crate::selector::Select as _;
use crate::selector::{Selector, WaitOptions};
use crate::signal::mask;
use crate::thread::cancellation_point;
use crate::waker::{Notify, Waker};
use crate::{Errno, Result, clock};

/// What the engine needs from an operating system.
pub trait Driver {
    /// Nanoseconds of a monotonic clock.
    fn now(&self) -> u64;

    /// The waker, with which other threads end a [`wait`](Self::wait).
    fn waker(&self) -> Arc<dyn Notify>;

    /// Checks whether `fd` can be registered: `EBADF` if it is not open, `EPERM` for a regular file,
    /// `EEXIST` if it is already registered.
    fn probe(&mut self, fd: RawFd) -> Result<()>;

    /// Changes the interest in `fd` from `old` to `new`: registers, reregisters or deregisters it.
    /// An empty interest means that the descriptor is not registered.
    fn set_interest(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()>;

    /// Deregisters and closes a descriptor that is not known to have duplicates.
    ///
    /// Closing the last duplicate ends a registration, so a driver may skip the explicit call. If
    /// there is another duplicate, events with a stale key follow. The engine then calls
    /// [`handle_stale_event`](Self::handle_stale_event).
    fn deregister_and_close(&mut self, fd: OwnedFd, key: Key, old: Interest) -> Result<()> {
        self.set_interest(fd.as_raw_fd(), key, old, Interest::empty())
    }

    /// Called after an event with a stale key. If a registration can have outlived its descriptor,
    /// the driver drops all registrations and returns true: the engine registers them again.
    fn handle_stale_event(&mut self) -> Result<bool> {
        Ok(false)
    }

    /// Waits for events and appends them to `events`. Does not block if the timeout is zero. An
    /// interrupted wait returns no events.
    fn wait(&mut self, timeout: Timeout, events: &mut Vec<Event>) -> Result<()>;

    /// Appends pending events to `events` without blocking. Unlike [`wait`](Self::wait), it always
    /// leaves the [backend descriptor](Self::embed) unreadable when no event is left.
    fn poll(&mut self, events: &mut Vec<Event>) -> Result<()> {
        self.wait(Timeout::Millis(0), events)
    }

    /// A cancellation point for the calling thread, as every [`wait`](Self::wait) is one.
    fn cancellation_point(&self) {}

    /// Whether no descriptor is registered, so a [`wait`](Self::wait) can only return
    /// [`Event::Wake`].
    fn is_empty(&self) -> bool {
        false
    }

    /// How many events one [`wait`](Self::wait) returns at most. If it returns as many, more events
    /// may be pending.
    fn max_events(&self) -> usize;

    /// A descriptor that is readable when [`poll`](Self::poll) would return events, for a program that
    /// embeds the loop in another event loop. From then on it does not change, and all events make it
    /// readable.
    #[doc(alias = "uv_backend_fd")]
    fn embed(&mut self) -> Option<RawFd> {
        None
    }

    /// The descriptor of the [`waker`](Self::waker), if it has one. Writing to it ends a wait.
    fn waker_fd(&self) -> Option<RawFd> {
        None
    }

    /// The [futex](crate::parker) of the [`waker`](Self::waker), if it has one.
    fn waker_futex(&self) -> Option<&AtomicU32> {
        None
    }

    /// Called in a forked child: reopens the descriptors that are shared with the parent. All
    /// registrations are dropped; the engine registers them again.
    fn reopen_after_fork(&mut self) -> Result<()>;
}

/// Rounds up to whole milliseconds. A longer timeout than fits is shortened; the engine waits again.
pub(crate) fn ceil_millis(timeout: Duration) -> u32 {
    u32::try_from(timeout.as_nanos().div_ceil(1_000_000)).unwrap_or(u32::MAX)
}

/// The driver of this platform.
pub struct Platform {
    selector: Selector,
    waker: Arc<Waker>,
    /// The number of registered descriptors.
    registered: usize,
    /// The signals to block during a wait, if any.
    mask: Option<libc::sigset_t>,
    /// Whether a wait is a cancellation point.
    cancellable: bool,
    /// Whether a parked wait has not returned, because its thread was cancelled.
    parked: bool,
}

impl Platform {
    /// Opens a driver with a waker of its own.
    pub fn new() -> Result<Self> {
        Self::with_waker(Arc::new(Waker::closed()))
    }

    /// Opens a driver with `waker`, which gets a new descriptor.
    pub fn with_waker(waker: Arc<Waker>) -> Result<Self> {
        waker.open()?;
        let selector = Selector::new(waker_fd(&waker)?).inspect_err(|_| waker.close())?;
        Ok(Self { selector, waker, registered: 0, mask: None, cancellable: true, parked: false })
    }

    /// From now on, a wait for descriptors may be no cancellation point, which costs less. For hosts
    /// whose threads are never cancelled: Rust code cannot be unwound by `pthread_cancel`.
    pub fn disable_cancellation(&mut self) {
        self.cancellable = false;
    }

    /// Blocks or unblocks `SIGPROF` during a wait.
    pub fn block_profiling_signal(&mut self, block: bool) {
        self.mask = block.then(mask::profiling);
    }

    /// The descriptor of the selector, if it has one.
    pub fn backend_fd(&self) -> Option<RawFd> {
        self.selector.fd()
    }

    /// Whether a wait may park: only the waker can end it, and no descriptor has to show that.
    #[inline]
    fn may_park(&self) -> bool {
        parker::AVAILABLE
            && self.registered == 0
            && self.mask.is_none()
            && !self.waker.is_embedded()
    }

    /// Waits for a notification without the selector. Returns whether there was one.
    #[inline]
    fn park(&mut self, timeout: Option<Duration>) -> bool {
        if timeout == Some(Duration::ZERO) {
            cancellation_point();
            return self.waker.take();
        }
        self.parked = true;
        let notified = self.waker.park(timeout);
        self.parked = false;
        notified
    }

    #[inline(always)]
    fn select(&mut self, timeout: Timeout, events: &mut Vec<Event>) -> Result<()> {
        let pending = self.end_cancelled_park();
        let timeout = if pending { Timeout::Millis(0) } else { timeout };
        let (mask, cancellable) = (self.mask.as_ref(), self.cancellable);
        let woken = self.selector.wait(WaitOptions { timeout, mask, cancellable }, events)?;
        if woken || pending {
            self.reconcile_wake(woken, pending, events);
        }
        Ok(())
    }

    /// A cancelled thread may have left the waker in the parked state. Leaves it, and returns
    /// whether there was a notification.
    #[inline(always)]
    fn end_cancelled_park(&mut self) -> bool {
        std::mem::take(&mut self.parked) && self.waker.end_park()
    }

    /// Makes `events` contain [`Event::Wake`] exactly if there is a notification. `woken` is whether
    /// the waker's descriptor was readable, `pending` whether a notification was already taken. A
    /// readable descriptor without a notification is stale.
    fn reconcile_wake(&self, woken: bool, pending: bool, events: &mut Vec<Event>) {
        let notified = woken && self.waker.take() || pending;
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

    fn set_interest(&mut self, fd: RawFd, key: Key, old: Interest, new: Interest) -> Result<()> {
        match (old.is_empty(), new.is_empty()) {
            (was_empty, true) => {
                self.registered = self.registered.saturating_sub((!was_empty).into());
                self.selector.deregister(fd)
            }
            (true, false) => {
                self.selector.register(fd, key, new)?;
                self.registered += 1;
                Ok(())
            }
            (false, false) => self.selector.reregister(fd, key, new),
        }
    }

    fn deregister_and_close(&mut self, fd: OwnedFd, _: Key, old: Interest) -> Result<()> {
        self.registered = self.registered.saturating_sub((!old.is_empty()).into());
        self.selector.deregister_and_close(fd, self.waker.is_embedded())
    }

    fn handle_stale_event(&mut self) -> Result<bool> {
        // The descriptor that the program has got cannot be replaced.
        let rebuilt = !self.waker.is_embedded() && self.selector.rebuild(waker_fd(&self.waker)?)?;
        if rebuilt {
            self.registered = 0;
        }
        Ok(rebuilt)
    }

    #[inline(always)] // Called once per iteration, from one place.
    fn wait(&mut self, timeout: Timeout, events: &mut Vec<Event>) -> Result<()> {
        if !self.may_park() {
            return self.select(timeout, events);
        }
        if self.park(timeout.duration()) {
            events.push(Event::Wake);
        }
        Ok(())
    }

    fn poll(&mut self, events: &mut Vec<Event>) -> Result<()> {
        self.select(Timeout::Millis(0), events)
    }

    fn cancellation_point(&self) {
        cancellation_point();
    }

    fn is_empty(&self) -> bool {
        self.registered == 0
    }

    #[inline]
    fn max_events(&self) -> usize {
        self.selector.max_events()
    }

    fn embed(&mut self) -> Option<RawFd> {
        self.waker.embed();
        self.backend_fd()
    }

    fn waker_fd(&self) -> Option<RawFd> {
        self.waker.fd().map(|fd| fd.as_raw_fd())
    }

    fn waker_futex(&self) -> Option<&AtomicU32> {
        Some(self.waker.futex())
    }

    fn reopen_after_fork(&mut self) -> Result<()> {
        // The descriptor table may be full: each descriptor of the parent makes room for the next one.
        self.waker.close_descriptor();
        self.selector.reopen()?;
        self.registered = 0;
        self.waker.open()?;
        self.selector.add_waker(waker_fd(&self.waker)?)?;
        self.parked = false;
        Ok(())
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        self.waker.close();
    }
}
