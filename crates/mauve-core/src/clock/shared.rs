//! A clock that jumps to the next timer when there is nothing else to wait for.
//!
//! Several loops can share one, on any threads. While it is paused, its time does not pass. It
//! advances when each loop that runs waits for nothing but a timer or an event of the system:
//!
//! 1. A loop polls without waiting. If there are no events, it is *idle*, and waits.
//! 2. The last loop to become idle checks whether all were idle when the last callback had run: what
//!    a loop has done meanwhile may have made a descriptor of another one ready. Each loop notes the
//!    *generation* in which it has polled, and a loop that stops waiting begins a new generation. Loops
//!    that have polled in an older one are notified, and poll again.
//! 3. If all have polled in the current generation, the time is set to the nearest timer, and the loops
//!    with a timer that is due are notified.
//!
//! What was sent to a socket may be on its way still, because the kernel delivers it when it finds the
//! time. So loops that have registered descriptors stay idle for a [moment](QUIET) before time passes.
//!
//! The clock of a [simulation](super::simulated) has some more rules.
//!
//! A loop whose requests run on the pool does not let the clock advance. Nor does a loop that runs a
//! callback, unless that callback runs another loop. A loop that is not running does not count.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use mauve_sys::clock::system_hrtime as hrtime;
use mauve_sys::driver::Timeout;
use mauve_sys::thread::{OtherThreads, other_threads};
use mauve_sys::waker::Notify;

use super::simulated::{Shown, Stall};
use crate::slots::Slots;

pub(super) const NANOS_PER_MILLI: u64 = 1_000_000;

/// How long loops with registered descriptors are idle before time passes, in nanoseconds of the system.
const QUIET: u64 = 5 * NANOS_PER_MILLI;

/// A clock for loops, in place of the system's.
pub struct VirtualClock {
    /// The same moment, as the standard library and the loops have it.
    origin: (Instant, u64),
    state: Mutex<State>,
    /// The time that programs read, if the clock belongs to a simulation.
    pub(super) shown: Option<Arc<Shown>>,
}

pub(super) struct State {
    pub(super) pace: Pace,
    loops: Slots<Option<Member>>,
    /// The threads that sleep until a time of this clock.
    pub(super) sleepers: Slots<Option<Sleeper>>,
    pub(super) stall: Option<Stall>,
    pub(super) shown: Option<Arc<Shown>>,
    /// Counts how often a loop has stopped waiting.
    generation: u64,
    quiet: Quiet,
    /// How many iterations the loops of a simulation have begun since time has last jumped.
    pub(super) iterations: u64,
}

/// Whether all loops were idle for [long enough](QUIET), although they await events.
#[derive(Clone, Copy)]
enum Quiet {
    No,
    /// In this generation, since this time of the system.
    Since(u64, u64),
    /// It was long enough before this generation began. A loop that has an event by then may not have run
    /// since. So all loops poll once more.
    Over(u64),
}

#[derive(Clone, Copy)]
pub(super) enum Pace {
    /// The time, in nanoseconds.
    Paused(u64),
    /// What is added to the system's time, modulo 2^64.
    Running(u64),
}

/// A thread that sleeps until a time of the clock.
pub(super) struct Sleeper {
    pub thread: ThreadId,
    pub until: u64,
}

/// A loop that uses the clock.
struct Member {
    waker: Arc<dyn Notify>,
    activity: Activity,
    /// The system's time when it last began a run that does not wait.
    host_waits: Option<u64>,
}

/// What a loop does.
#[derive(Clone, Copy)]
enum Activity {
    /// It is not running.
    Absent,
    /// It runs callbacks.
    Awake(ThreadId),
    /// It polls without waiting, and did not wait when this generation began.
    Polling(u64),
    Idle(Idle),
}

/// What an idle loop waits for.
#[derive(Clone, Copy)]
pub(super) struct Idle {
    /// When it has polled.
    generation: u64,
    /// Its next timer.
    pub(super) deadline: Option<u64>,
    awaits: Awaits,
    thread: ThreadId,
}

/// What can end the wait of a loop, besides a timer.
#[derive(Clone, Copy, Default)]
pub(crate) struct Awaits {
    /// Requests on the pool.
    pub work: bool,
    /// Registered descriptors.
    pub events: bool,
    /// A child, or another process or host. Of interest for simulations only.
    pub outside: bool,
}

impl VirtualClock {
    /// A paused clock. It shows the system's monotonic time, rounded up to a millisecond.
    pub fn paused() -> Self {
        let now = hrtime();
        // Read after the clock, so that no timer is early as an instant.
        let instant = Instant::now();
        let rounded = now.checked_next_multiple_of(NANOS_PER_MILLI).unwrap_or(now);
        Self::with_origin(instant + Duration::from_nanos(rounded - now), rounded, None)
    }

    /// A paused clock that shows `now`, in nanoseconds.
    pub fn paused_at(now: u64) -> Self {
        Self::with_origin(Instant::now(), now, None)
    }

    pub(super) fn with_origin(instant: Instant, now: u64, shown: Option<Arc<Shown>>) -> Self {
        let state = State {
            pace: Pace::Paused(now),
            loops: Slots::new(),
            sleepers: Slots::new(),
            stall: None,
            shown: shown.clone(),
            generation: 0,
            quiet: Quiet::No,
            iterations: 0,
        };
        Self { origin: (instant, now), state: Mutex::new(state), shown }
    }

    /// The time in nanoseconds.
    pub fn now(&self) -> u64 {
        match &self.shown {
            Some(shown) => shown.now(),
            None => self.lock().now(),
        }
    }

    /// The time as an instant. It differs from those of the system.
    pub fn instant(&self) -> Instant {
        let (instant, nanos) = self.origin;
        let passed = Duration::from_nanos(self.now().saturating_sub(nanos));
        instant.checked_add(passed).unwrap_or(instant)
    }

    /// Whether time passes only in jumps.
    pub fn is_paused(&self) -> bool {
        matches!(self.lock().pace, Pace::Paused(_))
    }

    /// Stops the clock, at the next full millisecond.
    pub fn pause(&self) {
        let mut state = self.lock();
        if let Pace::Running(_) = state.pace {
            let now = state.now();
            let rounded = now.checked_next_multiple_of(NANOS_PER_MILLI).unwrap_or(now);
            state.pace = Pace::Paused(rounded);
            state.notify(|_| true);
        }
    }

    /// Makes time pass at the system's pace.
    pub fn resume(&self) {
        if self.shown.is_some() {
            // The time of a simulated process stays virtual.
            return;
        }
        let mut state = self.lock();
        if let Pace::Paused(now) = state.pace {
            state.pace = Pace::Running(now.wrapping_sub(hrtime()));
            state.notify(|_| true);
        }
    }

    /// The time at an instant, in nanoseconds.
    pub fn nanos_at(&self, instant: Instant) -> u64 {
        let (origin, nanos) = self.origin;
        let since = |earlier: Instant, later: Instant| {
            let duration = later.saturating_duration_since(earlier);
            u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
        };
        nanos.saturating_add(since(origin, instant)).saturating_sub(since(instant, origin))
    }

    /// Advances a paused clock to `time`, in nanoseconds. The timers that are due then fire in the next
    /// iteration of their loops. A running clock does not change.
    pub fn advance_to(&self, time: u64) {
        let mut state = self.lock();
        if let Pace::Paused(now) = state.pace {
            state.set_paused(time.max(now));
            state.notify_due();
        }
    }

    /// The nearest timer of the loops that wait, in nanoseconds.
    pub fn next_deadline(&self) -> Option<u64> {
        self.lock().idle().filter_map(|idle| idle.deadline).min()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, State>> {
        self.state.try_lock().ok()
    }
}

impl State {
    /// Sets the time of a paused clock.
    pub(super) fn set_paused(&mut self, now: u64) {
        self.pace = Pace::Paused(now);
        if let Some(shown) = &self.shown {
            shown.set(now);
        }
    }

    pub(super) fn now(&self) -> u64 {
        match self.pace {
            Pace::Paused(now) => now,
            Pace::Running(ahead) => hrtime().wrapping_add(ahead),
        }
    }

    fn member(&mut self, index: usize) -> &mut Member {
        self.loops[index].as_mut().expect("a loop that uses the clock")
    }

    fn members(&self) -> impl Iterator<Item = &Member> {
        self.loops.iter().flatten()
    }

    pub(super) fn idle(&self) -> impl Iterator<Item = Idle> {
        self.members().filter_map(|member| match member.activity {
            Activity::Idle(idle) => Some(idle),
            _ => None,
        })
    }

    /// The threads on which loops run callbacks.
    pub(super) fn awake(&self) -> impl Iterator<Item = ThreadId> {
        self.members().filter_map(|member| match member.activity {
            Activity::Awake(thread) => Some(thread),
            _ => None,
        })
    }

    /// Ends the wait of the loops that wait for something that `is_wanted` says.
    pub(super) fn notify(&mut self, is_wanted: impl Fn(&Idle) -> bool) {
        for index in 0..self.loops.len() {
            if let Some(member) = &mut self.loops[index]
                && let Activity::Idle(idle) = &member.activity
                && is_wanted(idle)
            {
                member.waker.notify();
            }
        }
    }

    pub(super) fn notify_due(&mut self) {
        let now = self.now();
        self.notify(|idle| idle.deadline.is_some_and(|deadline| deadline <= now));
    }

    /// Whether each loop that runs is idle, and none awaits work.
    pub(super) fn is_idle(&self) -> bool {
        // A job may be what sleeps.
        let sleeps = !self.sleepers.is_empty();
        let waits_on = |thread| {
            self.idle().any(|idle| idle.thread == thread)
                || self.sleepers.iter().flatten().any(|sleeper| sleeper.thread == thread)
        };
        self.members().all(|member| match member.activity {
            Activity::Absent => true,
            // Its callback runs a loop that waits, or sleeps.
            Activity::Awake(thread) => waits_on(thread),
            Activity::Polling(_) => false,
            Activity::Idle(idle) => sleeps || !idle.awaits.work,
        })
    }

    /// Whether a loop that waits could be continued by something outside of this process.
    pub(super) fn awaits_outside(&self) -> bool {
        self.idle().any(|idle| idle.awaits.outside)
    }

    /// The nearest timer of the loops that wait, or end of a sleep.
    pub(super) fn next(&self) -> Option<u64> {
        let timers = self.idle().filter_map(|idle| idle.deadline);
        timers.chain(self.sleepers.iter().flatten().map(|sleeper| sleeper.until)).min()
    }

    /// Begins a new generation: a thread that has waited may do anything now.
    pub(super) fn begin_generation(&mut self) {
        self.end_stall();
        self.generation += 1;
    }

    /// Advances a paused clock to the nearest timer, if all loops are idle. Notifies those that have to
    /// poll first. Returns how long a loop has to wait before it tries again.
    pub(super) fn advance_if_idle(&mut self) -> Option<u64> {
        let Pace::Paused(now) = self.pace else { return None };
        if self.shown.is_some() {
            if let Some(wait) = self.stall(now) {
                return wait;
            }
        } else if !self.is_idle() {
            return None;
        }
        let generation = self.generation;
        if self.idle().any(|idle| idle.generation != generation) {
            self.notify(|idle| idle.generation != generation);
            return None;
        }
        // A loop whose timer is due is about to stop waiting.
        let next = self.next()?;
        if next <= now {
            return None;
        }
        let has_threads = || self.shown.is_some() && other_threads() != OtherThreads::None;
        if self.idle().any(|idle| idle.awaits.events) || has_threads() {
            let since = match self.quiet {
                Quiet::Since(of, since) if of == generation => Some(since),
                Quiet::Over(of) if of == generation => None,
                _ => Some(hrtime()),
            };
            if let Some(since) = since {
                let left = (since + QUIET).saturating_sub(hrtime());
                if left > 0 {
                    self.quiet = Quiet::Since(generation, since);
                    return Some(left);
                }
                self.generation += 1;
                self.quiet = Quiet::Over(self.generation);
                self.notify(|_| true);
                return None;
            }
        }
        self.set_paused(next);
        self.iterations = 0;
        self.quiet = Quiet::No;
        self.notify_due();
        None
    }

    /// Called when a loop ends, on a thread that does not wait.
    fn leave(&mut self) {
        if self.advance_if_idle().is_some() {
            // The others wait for the rest of the time.
            self.notify(|_| true);
        }
    }
}

/// The use of a clock by one loop.
pub(crate) struct ClockMember {
    clock: Arc<VirtualClock>,
    index: usize,
}

impl ClockMember {
    pub fn new(clock: Arc<VirtualClock>, waker: Arc<dyn Notify>) -> Self {
        if clock.is_inherited() {
            // A thread of the parent may have held the lock. No other function uses the index.
            return Self { clock, index: usize::MAX };
        }
        let mut state = clock.lock();
        let index = state.loops.take(|_| None);
        state.loops[index] = Some(Member { waker, activity: Activity::Absent, host_waits: None });
        drop(state);
        Self { clock, index }
    }

    pub fn clock(&self) -> &Arc<VirtualClock> {
        &self.clock
    }

    /// Called when a run begins. A host that waits in place of the loop lets the time of a simulation pass between
    /// two runs that do not.
    pub fn host_waits(&self, waits: bool) {
        if !self.clock.is_simulated() || self.clock.is_inherited() {
            return;
        }
        let mut state = self.clock.lock();
        let now = hrtime();
        let last =
            std::mem::replace(&mut state.member(self.index).host_waits, waits.then_some(now));
        if let (true, Some(last), Pace::Paused(shown)) = (waits, last, state.pace) {
            let whole = (now - last) / NANOS_PER_MILLI * NANOS_PER_MILLI;
            state.member(self.index).host_waits = Some(last + whole);
            state.set_paused(shown + whole);
            state.notify_due();
        }
    }

    /// Called when the loop begins to run callbacks.
    pub fn begin_run(&self) {
        if self.clock.is_inherited() {
            return;
        }
        let mut state = self.clock.lock();
        state.begin_generation();
        state.member(self.index).activity = Activity::Awake(thread::current().id());
    }

    /// Called when the loop does not run any more.
    pub fn end_run(&self) {
        if self.clock.is_inherited() {
            return;
        }
        let mut state = self.clock.lock();
        state.member(self.index).activity = Activity::Absent;
        state.leave();
    }

    /// Begins a wait until `deadline`. Returns how long it may block.
    pub fn begin_wait(&self, deadline: Option<u64>, awaits: Awaits) -> Timeout {
        const AT_ONCE: Timeout = Timeout::Millis(0);
        if self.clock.is_inherited() {
            return deadline.map_or(Timeout::Never, |deadline| {
                Timeout::Exact(Duration::from_nanos(deadline.saturating_sub(self.clock.now())))
            });
        }
        let mut state = self.clock.lock();
        state.pass_stall();
        let generation = state.generation;
        let polled = match state.member(self.index).activity {
            Activity::Polling(polled) => Some(polled),
            Activity::Idle(idle) if idle.generation == generation => Some(generation),
            _ => None,
        };
        let Some(polled) = polled else {
            state.member(self.index).activity = Activity::Polling(generation);
            return AT_ONCE;
        };
        let thread = thread::current().id();
        let idle = Idle { generation: polled, deadline, awaits, thread };
        state.member(self.index).activity = Activity::Idle(idle);
        let wait = state.advance_if_idle();
        match state.pace {
            Pace::Running(_) => deadline.map_or(Timeout::Never, |deadline| {
                Timeout::Exact(Duration::from_nanos(deadline.saturating_sub(state.now())))
            }),
            Pace::Paused(now) if deadline.is_some_and(|deadline| deadline <= now) => AT_ONCE,
            Pace::Paused(_) => {
                wait.map_or(Timeout::Never, |nanos| Timeout::Exact(Duration::from_nanos(nanos)))
            }
        }
    }
}

impl Drop for ClockMember {
    fn drop(&mut self) {
        if self.clock.is_inherited() {
            return;
        }
        let mut state = self.clock.lock();
        let member = state.loops[self.index].take();
        state.loops.free(self.index);
        state.leave();
        drop(state);
        drop(member);
    }
}
