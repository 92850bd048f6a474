//! The driver contract: what the engine needs from an operating system.
//!
//! The engine uses only the trait [`Driver`], which tests implement with a fake. The driver of a
//! platform has four parts. A new platform supplies them in files of its own:
//!
//! * a `Selector`, see [`Select`](crate::selector::Select): registers descriptors and waits for events;
//! * a [`Waker`](crate::waker): ends a wait from any thread;
//! * a [parker]: blocks the loop's thread when nothing is registered, if the system
//!   has a futex;
//! * a [clock].
//!
//! A driver only returns events. It never calls back and keeps no handle state.

use std::sync::Arc;
use std::time::Duration;

pub use crate::selector::{Event, Interest, Key, MAX_EVENTS, Readiness, Timeout};

use crate::descriptor::{AsDescriptor as _, BorrowedDescriptor, Descriptor, RawDescriptor};
use crate::parker;
#[allow(unused_imports)] // On Linux the selector is a trait object, except for its wait.
use crate::selector::Select as _;
use crate::selector::{Selector, WaitCall, WaitOptions};
use crate::signal::mask::{self, SignalMask};
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
    fn probe(&mut self, fd: RawDescriptor) -> Result<()>;

    /// Changes the interest in `fd` from `old` to `new`: registers, reregisters or deregisters it.
    /// An empty interest means that the descriptor is not registered.
    fn set_interest(
        &mut self,
        fd: RawDescriptor,
        key: Key,
        old: Interest,
        new: Interest,
    ) -> Result<()>;

    /// Deregisters and closes a descriptor that is not known to have duplicates.
    ///
    /// Closing the last duplicate ends a registration, so a driver may skip the explicit call. If
    /// there is another duplicate, events with a stale key follow. The engine then calls
    /// [`handle_stale_event`](Self::handle_stale_event).
    fn deregister_and_close(&mut self, fd: Descriptor, key: Key, old: Interest) -> Result<()> {
        self.set_interest(fd.raw_descriptor(), key, old, Interest::empty())
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

    /// Lets time pass without waiting for events.
    fn pause(&mut self, time: Duration) {
        std::thread::sleep(time);
    }

    /// A cancellation point for the calling thread, as every [`wait`](Self::wait) is one.
    fn cancellation_point(&self) {}

    /// Whether no descriptor is registered, so a [`wait`](Self::wait) can only return
    /// [`Event::Wake`].
    fn is_empty(&self) -> bool {
        false
    }

    /// A descriptor that is readable when [`poll`](Self::poll) would return events, for a program that
    /// embeds the loop in another event loop. From then on it does not change, and all events make it
    /// readable.
    #[doc(alias = "uv_backend_fd")]
    fn embed(&mut self) -> Option<RawDescriptor> {
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
    mask: Option<SignalMask>,
    /// Whether a wait is a cancellation point.
    cancellable: bool,
    /// Whether a parked wait has not returned, because its thread was cancelled.
    parked: bool,
    /// Whether a notification was taken without the selector, so that the waker's descriptor may still
    /// be readable.
    undrained: bool,
    /// Whether a notification was taken before the current wait.
    pending: bool,
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
        Ok(Self {
            selector,
            waker,
            registered: 0,
            mask: None,
            cancellable: true,
            parked: false,
            undrained: false,
            pending: false,
        })
    }

    /// From now on, a wait for descriptors may be no cancellation point, which costs less. For hosts
    /// whose threads are never cancelled: Rust code cannot be unwound by `pthread_cancel`.
    pub fn disable_cancellation(&mut self) {
        self.cancellable = false;
    }

    /// Blocks or unblocks `SIGPROF` during a wait.
    pub fn block_profiling_signal(&mut self, block: bool) {
        self.mask = if block { mask::profiling() } else { None };
    }

    /// The descriptor of the selector, if it has one.
    pub fn backend_fd(&self) -> Option<RawDescriptor> {
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

    /// Prepares a wait, which [`PlatformWait::run`] performs and [`end_wait`](Self::end_wait) ends.
    #[inline(always)]
    pub fn begin_wait(&mut self, timeout: Timeout) -> PlatformWait {
        // libfaketime and its like change the timeouts of epoll, and see no futex.
        if self.may_park() && !matches!(timeout, Timeout::Millis(_)) {
            self.parked = true;
            let waker = Arc::as_ptr(&self.waker);
            return PlatformWait(Wait::Park(waker, timeout.duration()));
        }
        PlatformWait(Wait::Select(self.begin_select(timeout)))
    }

    #[inline(always)]
    fn begin_select(&mut self, timeout: Timeout) -> WaitCall {
        self.pending = self.end_cancelled_park();
        let undrained = std::mem::take(&mut self.undrained) && self.registered == 0;
        if undrained && timeout != Timeout::Millis(0) {
            self.drain();
        }
        let timeout = if self.pending { Timeout::Millis(0) } else { timeout };
        let (mask, cancellable) = (self.mask.as_ref(), self.cancellable);
        self.selector.begin_wait(WaitOptions { timeout, mask, cancellable })
    }

    /// Appends the events of a wait. `count` is the result of [`PlatformWait::run`].
    #[inline(always)]
    pub fn end_wait(
        &mut self,
        wait: PlatformWait,
        count: Result<usize>,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        match wait.0 {
            Wait::Park(..) => {
                self.parked = false;
                if count? != 0 {
                    self.undrained = true;
                    events.push(Event::Wake);
                }
            }
            Wait::Select(_) => self.end_select(count?, events),
        }
        Ok(())
    }

    #[inline(always)]
    fn end_select(&mut self, count: usize, events: &mut Vec<Event>) {
        let woken = self.selector.end_wait(count, events);
        if woken || self.pending {
            self.reconcile_wake(woken, events);
        }
    }

    /// Makes the waker's descriptor unreadable, so that a notification that was taken does not end the
    /// wait that begins. A program would notice: the next wait of the loop is shorter by the time that
    /// callbacks have taken since the loop has read its clock. Nothing else is registered.
    #[cold]
    fn drain(&mut self) {
        let timeout = Timeout::Millis(0);
        let wait =
            self.selector.begin_wait(WaitOptions { timeout, mask: None, cancellable: false });
        // SAFETY: the driver is borrowed until the wait has ended.
        if let Ok(count) = unsafe { Selector::run(&wait) } {
            let woken = self.selector.end_wait(count, &mut Vec::new());
            self.pending |= woken && self.waker.take();
        }
    }

    #[inline(always)]
    fn select(&mut self, timeout: Timeout, events: &mut Vec<Event>) -> Result<()> {
        let call = self.begin_select(timeout);
        // SAFETY: the driver is borrowed until the wait has ended.
        let count = unsafe { Selector::run(&call) }?;
        self.end_select(count, events);
        Ok(())
    }

    /// A cancelled thread may have left the waker in the parked state. Leaves it, and returns
    /// whether there was a notification.
    #[inline(always)]
    fn end_cancelled_park(&mut self) -> bool {
        std::mem::take(&mut self.parked) && self.waker.end_park()
    }

    /// Makes `events` contain [`Event::Wake`] exactly if there is a notification. `woken` is whether
    /// the waker's descriptor was readable. Without a notification, that is stale.
    fn reconcile_wake(&self, woken: bool, events: &mut Vec<Event>) {
        let notified = woken && self.waker.take() || self.pending;
        if notified && !woken {
            events.push(Event::Wake);
        } else if woken && !notified {
            events.retain(|event| *event != Event::Wake);
        }
    }
}

/// A wait that a driver has prepared. It does not borrow the driver, so that other threads can register
/// descriptors during the wait.
#[derive(Clone, Copy)]
pub struct PlatformWait(Wait);

#[derive(Clone, Copy)]
enum Wait {
    /// For a notification of the waker.
    Park(*const Waker, Option<Duration>),
    /// For events of the selector.
    Select(WaitCall),
}

impl PlatformWait {
    /// Waits. Returns how many events there are; [`Platform::end_wait`] takes them.
    ///
    /// # Safety
    /// The driver exists until this returns, and has begun no other wait since.
    #[inline(always)]
    pub unsafe fn run(&self) -> Result<usize> {
        match &self.0 {
            // SAFETY: the driver owns a reference to the waker.
            Wait::Park(waker, timeout) => Ok(usize::from(unsafe { (**waker).park(*timeout) })),
            // SAFETY: the caller guarantees that the driver exists, and that its buffer is not used.
            Wait::Select(call) => unsafe { Selector::run(call) },
        }
    }
}

fn waker_fd(waker: &Waker) -> Result<BorrowedDescriptor<'_>> {
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

    fn probe(&mut self, fd: RawDescriptor) -> Result<()> {
        self.selector.probe(fd)
    }

    fn set_interest(
        &mut self,
        fd: RawDescriptor,
        key: Key,
        old: Interest,
        new: Interest,
    ) -> Result<()> {
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

    fn deregister_and_close(&mut self, fd: Descriptor, _: Key, old: Interest) -> Result<()> {
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

    #[inline(always)] // Called once per iteration, by one caller.
    fn wait(&mut self, timeout: Timeout, events: &mut Vec<Event>) -> Result<()> {
        if timeout == Timeout::Millis(0) && self.may_park() {
            cancellation_point();
            if self.waker.take() {
                self.undrained = true;
                events.push(Event::Wake);
            }
            return Ok(());
        }
        let wait = self.begin_wait(timeout);
        // SAFETY: the driver is borrowed until the wait has ended.
        let count = unsafe { wait.run() };
        self.end_wait(wait, count, events)
    }

    #[inline(always)] // As `wait`.
    fn poll(&mut self, events: &mut Vec<Event>) -> Result<()> {
        // Without registrations, only the waker's descriptor can be readable.
        if self.may_park() && !self.undrained && !self.parked && !self.waker.is_notified() {
            cancellation_point();
            return Ok(());
        }
        self.select(Timeout::Millis(0), events)
    }

    fn cancellation_point(&self) {
        cancellation_point();
    }

    fn is_empty(&self) -> bool {
        self.registered == 0
    }

    fn embed(&mut self) -> Option<RawDescriptor> {
        self.waker.embed();
        self.backend_fd()
    }

    fn reopen_after_fork(&mut self) -> Result<()> {
        // The descriptor table may be full: each descriptor of the parent makes room for the next one.
        self.waker.close_descriptor();
        self.selector.reopen()?;
        self.registered = 0;
        self.waker.open()?;
        self.selector.add_waker(waker_fd(&self.waker)?)?;
        self.parked = false;
        self.undrained = false;
        Ok(())
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        self.waker.close();
    }
}
