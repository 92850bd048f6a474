//! A driver with a simulated system: the test sets the clock and the readiness of descriptors.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mauve_core::wakeups::AsyncSender;
use mauve_sys::descriptor::{CLOSED, RawDescriptor};
use mauve_sys::driver::{Driver, Event, Interest, Key, Readiness, Timeout};
use mauve_sys::waker::Notify;
use mauve_sys::{Errno, Result};

/// The error of a wait without a timeout when no event is scheduled.
pub const NEVER_ENDS: Errno = Errno::ETIMEDOUT;

/// A wait of this many milliseconds or more counts as one without a timeout.
pub const FOREVER: u64 = 1 << 31;

/// An event from outside of the engine at a scheduled time.
pub enum ScheduledEvent {
    Send(AsyncSender),
    Ready(RawDescriptor, Readiness),
}

/// The simulated system: clock, descriptors and scheduled events. Shared by the driver and the test.
#[derive(Clone)]
pub struct FakeSystem {
    inner: Rc<RefCell<Inner>>,
    woken: Arc<Flag>,
}

struct Inner {
    /// Milliseconds.
    clock: u64,
    watched: BTreeMap<RawDescriptor, (Key, Interest)>,
    ready: BTreeMap<RawDescriptor, Readiness>,
    /// By time, and then in the order in which they were scheduled.
    scheduled: BTreeMap<u64, Vec<ScheduledEvent>>,
    waits: Vec<Option<u32>>,
    /// Functions that return the readiness of other descriptors.
    real: BTreeMap<RawDescriptor, Box<dyn Fn() -> Readiness>>,
    refuses: Option<Errno>,
    /// Whether the driver says that no descriptor is registered.
    is_empty: bool,
}

#[derive(Default)]
struct Flag(AtomicBool);

impl Notify for Flag {
    fn notify(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl FakeSystem {
    pub fn new() -> Self {
        let inner = Inner {
            clock: 1000,
            watched: BTreeMap::new(),
            ready: BTreeMap::new(),
            scheduled: BTreeMap::new(),
            waits: Vec::new(),
            real: BTreeMap::new(),
            refuses: None,
            is_empty: false,
        };
        Self { inner: Rc::new(RefCell::new(inner)), woken: Arc::default() }
    }

    pub fn driver(&self) -> FakeDriver {
        FakeDriver(self.clone())
    }

    pub fn clock(&self) -> u64 {
        self.inner.borrow().clock
    }

    /// Advances the clock, and performs the events that are scheduled until then.
    pub fn advance(&self, ms: u64) {
        let end = self.clock() + ms;
        loop {
            let mut inner = self.inner.borrow_mut();
            let Some(entry) = inner.scheduled.first_entry().filter(|entry| *entry.key() <= end)
            else {
                inner.clock = end;
                return;
            };
            let scheduled = entry.remove();
            drop(inner);
            for event in scheduled {
                match event {
                    // A send to a closed handle has no effect.
                    ScheduledEvent::Send(sender) => drop(sender.send()),
                    ScheduledEvent::Ready(fd, readiness) => self.set_ready(fd, readiness),
                }
            }
        }
    }

    /// Schedules an event in `ms` milliseconds.
    pub fn schedule(&self, ms: u64, event: ScheduledEvent) {
        let mut inner = self.inner.borrow_mut();
        let time = inner.clock + ms;
        inner.scheduled.entry(time).or_default().push(event);
    }

    /// Sets the readiness of a descriptor.
    pub fn set_ready(&self, fd: RawDescriptor, readiness: Readiness) {
        self.inner.borrow_mut().ready.insert(fd, readiness);
    }

    /// From now on, `readiness` returns that of a descriptor.
    #[allow(dead_code)] // Only the tests with Unix sockets use it.
    pub fn follow(&self, fd: RawDescriptor, readiness: impl Fn() -> Readiness + 'static) {
        self.inner.borrow_mut().real.insert(fd, Box::new(readiness));
    }

    /// Makes the driver refuse new interests with this error; `None` makes it accept them again.
    pub fn refuse(&self, error: Option<Errno>) {
        self.inner.borrow_mut().refuses = error;
    }

    /// Makes the driver say that no descriptor is registered.
    pub fn say_empty(&self) {
        self.inner.borrow_mut().is_empty = true;
    }

    /// The interest that is registered for a descriptor.
    pub fn watched(&self, fd: RawDescriptor) -> Interest {
        self.inner.borrow().watched.get(&fd).map_or(Interest::empty(), |(_, interest)| *interest)
    }

    /// The timeouts of all waits so far.
    pub fn waits(&self) -> Vec<Option<u32>> {
        self.inner.borrow().waits.clone()
    }

    fn collect(&self, events: &mut Vec<Event>) {
        if self.woken.0.swap(false, Ordering::SeqCst) {
            events.push(Event::Wake);
        }
        let inner = self.inner.borrow();
        for (fd, (key, interest)) in &inner.watched {
            let ready = match inner.real.get(fd) {
                Some(readiness) => readiness(),
                None => inner.ready.get(fd).copied().unwrap_or_default(),
            };
            let reported = reported_readiness(ready, *interest);
            if !reported.is_empty() {
                events.push(Event::Ready { key: *key, readiness: reported });
            }
        }
    }
}

/// The readiness that the kernel reports: the interest, and errors and hang-ups in any case.
pub fn reported_readiness(ready: Readiness, interest: Interest) -> Readiness {
    ready.wanted(interest) | ready & (Readiness::ERROR | Readiness::HANGUP)
}

/// The driver of a [`FakeSystem`].
pub struct FakeDriver(FakeSystem);

impl Driver for FakeDriver {
    fn now(&self) -> u64 {
        self.0.clock() * 1_000_000
    }

    fn waker(&self) -> Arc<dyn Notify> {
        self.0.woken.clone()
    }

    fn probe(&mut self, fd: RawDescriptor) -> Result<()> {
        if fd == CLOSED { Err(Errno::EBADF) } else { Ok(()) }
    }

    fn set_interest(
        &mut self,
        fd: RawDescriptor,
        key: Key,
        old: Interest,
        new: Interest,
    ) -> Result<()> {
        let mut inner = self.0.inner.borrow_mut();
        assert_ne!(old, new, "the engine registers an interest that has not changed");
        let known = inner.watched.get(&fd).map_or(Interest::empty(), |(_, interest)| *interest);
        assert_eq!(known, old, "engine and driver disagree about the registered interest");
        if new.is_empty() {
            inner.watched.remove(&fd);
        } else if let Some(error) = inner.refuses {
            return Err(error);
        } else {
            inner.watched.insert(fd, (key, new));
        }
        Ok(())
    }

    fn wait(&mut self, timeout: Timeout, events: &mut Vec<Event>) -> Result<()> {
        let (system, timeout) = (&self.0, timeout.whole_millis());
        system.inner.borrow_mut().waits.push(timeout);
        system.collect(events);
        if !events.is_empty() || timeout == Some(0) {
            return Ok(());
        }
        let next = system.inner.borrow().scheduled.first_key_value().map(|(time, _)| *time);
        let next = next.map(|time| time.saturating_sub(system.clock()));
        let timeout = timeout.map(u64::from).filter(|ms| *ms < FOREVER);
        let slept = match (next, timeout) {
            (Some(next), Some(timeout)) => next.min(timeout),
            (Some(ms), None) | (None, Some(ms)) => ms,
            (None, None) => return Err(NEVER_ENDS),
        };
        system.advance(slept);
        system.collect(events);
        Ok(())
    }

    fn pause(&mut self, time: std::time::Duration) {
        self.0.advance(time.as_millis() as u64);
    }

    fn is_empty(&self) -> bool {
        self.0.inner.borrow().is_empty
    }

    fn reopen_after_fork(&mut self) -> Result<()> {
        self.0.inner.borrow_mut().watched.clear();
        self.0.woken.0.store(false, Ordering::SeqCst);
        Ok(())
    }
}
