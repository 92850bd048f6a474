//! The time of a loop: cached, and read from the driver or from a [`VirtualClock`].

mod shared;
mod simulated;

use std::sync::{Arc, OnceLock};

use mauve_sys::driver::{Driver, Event, Interest, Timeout};
use mauve_sys::net::{self, Peer};

use crate::Engine;
use crate::id::HandleKind;
pub use shared::VirtualClock;
use shared::{Awaits, ClockMember};

/// The time as of the last [`Engine::update_time`](crate::Engine::update_time).
#[derive(Default)]
pub(crate) struct Clock {
    /// Nanoseconds.
    nanos: u64,
    /// Milliseconds.
    now: u64,
    /// The number of the callback after which the driver's clock was last read.
    read_after: u32,
    /// Whether the loop has notified itself, so that its next wait ends without an event.
    owes_wake: bool,
    /// The virtual clock that replaces the driver's.
    member: Option<ClockMember>,
}

impl Clock {
    /// The time in nanoseconds.
    #[inline]
    pub fn nanos(&self) -> u64 {
        self.nanos
    }

    /// The time in milliseconds.
    #[inline]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The number of the callback after which the driver's clock was last read.
    #[inline]
    pub fn read_after(&self) -> u32 {
        self.read_after
    }

    /// Sets the time, which was read after callback number `callback`.
    #[inline]
    pub fn set(&mut self, nanos: u64, callback: u32) {
        (self.nanos, self.now, self.read_after) = (nanos, nanos / 1_000_000, callback);
    }

    /// Whether the loop has a virtual clock.
    #[inline(always)]
    pub fn is_virtual(&self) -> bool {
        self.member.is_some()
    }

    /// The time of the virtual clock. Zero without one.
    #[cold]
    pub fn virtual_nanos(&self) -> u64 {
        self.member.as_ref().map_or(0, |member| member.clock().now())
    }

    /// Called when the loop notifies itself.
    #[cold]
    pub fn owe_wake(&mut self) {
        self.owes_wake = true;
    }

    /// Whether the next wait ends without an event, because the loop has notified itself.
    pub fn owes_wake(&self) -> bool {
        self.owes_wake
    }

    /// Called when a run begins. The host of one that does not wait may wait itself.
    #[inline]
    pub fn begin_run(&self, host_waits: bool) {
        if let Some(member) = &self.member {
            member.host_waits(host_waits);
            member.begin_run();
        }
    }

    /// Called when a run has ended.
    #[inline]
    pub fn end_run(&self) {
        if let Some(member) = &self.member {
            member.end_run();
        }
    }
}

static OF_PROCESS: OnceLock<Arc<VirtualClock>> = OnceLock::new();

/// Sets the clock of all loops that this process creates from now on. The first call counts.
pub fn set_of_process(clock: Arc<VirtualClock>) {
    // A second one is dropped.
    let _ = OF_PROCESS.set(clock);
}

/// The clock of all loops of this process, if it is simulated.
pub fn of_process() -> Option<&'static Arc<VirtualClock>> {
    OF_PROCESS.get()
}

impl<D: Driver> Engine<D> {
    /// Replaces the clock of the driver by `clock`, which loops can share.
    pub fn set_clock(&mut self, clock: Arc<VirtualClock>) {
        let member = ClockMember::new(clock, self.driver.waker());
        if self.is_running() {
            member.begin_run();
        }
        self.clock.member = Some(member);
        self.update_time();
    }

    /// The virtual clock, if the loop has one.
    pub fn virtual_clock(&self) -> Option<&Arc<VirtualClock>> {
        self.clock.member.as_ref().map(ClockMember::clock)
    }

    /// [`begin_wait`](Self::begin_wait) of a loop with a virtual clock. If the clock can advance, the wait
    /// does not block.
    #[cold]
    pub(crate) fn begin_virtual_wait(&mut self) -> Timeout {
        let late = self.late_timer();
        let deadline = self.next_deadline().map(|deadline| deadline.saturating_add(late));
        let (work, events) = (!self.works.is_empty(), !self.driver.is_empty());
        let outside = events && self.awaits_outside();
        let Some(member) = &self.clock.member else { return Timeout::Never };
        member.begin_wait(deadline, Awaits { work, events, outside })
    }

    /// Whether the loop of a simulation awaits a child, another process or another host.
    fn awaits_outside(&mut self) -> bool {
        if !self.virtual_clock().is_some_and(|clock| clock.is_simulated()) {
            return false;
        }
        self.table.processes.iter().any(|(_, entry)| entry.body.is_awaited())
            || self.table.ids().into_iter().any(|id| match id.kind() {
                HandleKind::Tcp | HandleKind::Pipe | HandleKind::Udp | HandleKind::Poll => {
                    let source =
                        self.table.source(id).map(|(fd, interest)| (fd, interest.wanted()));
                    source.filter(|(_, wanted)| !wanted.is_empty()).is_some_and(|(fd, wanted)| {
                        match net::peer(fd) {
                            Peer::Own => false,
                            Peer::Foreign => true,
                            // It is connecting.
                            Peer::None => {
                                id.kind() == HandleKind::Tcp && wanted.contains(Interest::WRITABLE)
                            }
                        }
                    })
                }
                HandleKind::Tty => {
                    let source = self.table.source(id).map(|(_, interest)| interest.wanted());
                    source.is_some_and(|wanted| !wanted.is_empty())
                }
                _ => false,
            })
    }

    /// Called with the events of a wait of a loop with a virtual clock. Drops a wake-up without a notified handle, by
    /// which the clock has ended the wait.
    #[cold]
    pub(crate) fn end_virtual_wait(&mut self) {
        let events = self.poll.current_events();
        let is_wake = |event: &Event| *event == Event::Wake;
        let owed = events.iter().any(is_wake) && std::mem::take(&mut self.clock.owes_wake);
        // A seeded schedule has taken the handles that were notified.
        let is_empty = !self.wakeups.has_notified();
        if !owed && is_empty && events.iter().all(is_wake) {
            events.clear();
        }
        let is_due = self.poll_timeout() == Some(0);
        if let Some(member) = &self.clock.member
            && (is_due || !self.poll.current_events().is_empty())
        {
            member.begin_run();
        }
    }
}
