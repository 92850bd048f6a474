//! The clock of a simulated process.
//!
//! It is a paused clock with four more rules:
//!
//! * While a loop awaits something outside of the process, time passes as the system's does. So it does after
//!   a [while](PATIENCE) in which the loops wait for requests on the pool, for each other, or for a thread that
//!   runs, because these may wait for a timer.
//! * Threads that [sleep](VirtualClock::sleep) count as a loop that waits for a timer.
//! * A loop that always has something to do does not wait. Time passes after many iterations.
//! * The program [reads](VirtualClock::read) the clock. One that waits in a loop for time to pass reads it very often,
//!   and time passes then.
//!
//! A forked child continues at the system's pace, without the loops and the threads of its parent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use mauve_sys::clock::{system_hrtime, system_sleep};
use mauve_sys::fork;
use mauve_sys::thread::{OtherThreads, other_threads};

use super::shared::{NANOS_PER_MILLI, Pace, Sleeper, State, VirtualClock};

/// How long nothing has to happen in the process before time passes as the system's does, in nanoseconds.
const PATIENCE: u64 = 100 * NANOS_PER_MILLI;

/// How often a loop checks whether other threads run, in nanoseconds.
const INTERVAL: u64 = 2 * NANOS_PER_MILLI;

/// How often a program reads the clock between two waits before time passes.
const READS: u64 = 100_000;

/// How often it then reads the clock in a millisecond.
const READS_PER_MILLI: u64 = 1000;

/// How many iterations loops have between two jumps before time passes.
const ITERATIONS: u64 = 1000;

/// How many they then have in a millisecond.
const ITERATIONS_PER_MILLI: u64 = 10;

/// How long the program does not wait in a way that this crate knows, in nanoseconds of the system, before time
/// passes when it reads the clock. It may poll descriptors until a time.
const WAITS: u64 = 3000 * NANOS_PER_MILLI;

/// The time that the program reads, on any thread and in signal handlers.
pub(super) struct Shown {
    now: AtomicU64,
    /// The system's time when it was set.
    set_at: AtomicU64,
    /// How often it was read since.
    reads: AtomicU64,
    /// The process. See [`fork::generation`].
    process: u64,
}

impl Shown {
    pub fn set(&self, now: u64) {
        self.set_at.store(system_hrtime(), Ordering::Relaxed);
        self.reads.store(0, Ordering::Relaxed);
        self.now.store(now, Ordering::Relaxed);
    }

    pub fn now(&self) -> u64 {
        let now = self.now.load(Ordering::Relaxed);
        if self.process == fork::generation() {
            return now;
        }
        now + system_hrtime().saturating_sub(self.set_at.load(Ordering::Relaxed))
    }
}

/// The loops cannot continue, and something else may let them.
pub(super) struct Stall {
    /// Since when time passes, in nanoseconds of the system. It may be in the future.
    since: u64,
    /// How much of it has passed.
    passed: u64,
}

impl VirtualClock {
    /// The clock of a simulated process.
    pub fn simulated() -> Self {
        let now = system_hrtime().next_multiple_of(NANOS_PER_MILLI);
        let shown = Shown {
            now: AtomicU64::new(now),
            set_at: AtomicU64::new(now),
            reads: AtomicU64::new(0),
            process: fork::generation(),
        };
        Self::with_origin(Instant::now(), now, Some(Arc::new(shown)))
    }

    /// Whether it is the clock of a simulated process.
    pub(crate) fn is_simulated(&self) -> bool {
        self.shown.is_some()
    }

    /// Whether it belongs to the process from which this one was forked.
    pub(super) fn is_inherited(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.process != fork::generation())
    }

    /// The time, for the program.
    pub fn read(&self) -> u64 {
        if let Some(shown) = &self.shown {
            let reads = shown.reads.fetch_add(1, Ordering::Relaxed);
            if reads >= READS && reads.is_multiple_of(READS_PER_MILLI) && !self.is_inherited() {
                self.let_pass(reads, NANOS_PER_MILLI);
            }
            let passed = system_hrtime().saturating_sub(shown.set_at.load(Ordering::Relaxed));
            if passed >= WAITS && !self.is_inherited() {
                self.let_pass(0, passed);
            }
        }
        self.now()
    }

    /// Called when a loop begins an iteration. Time passes for those that always have something to do.
    pub(crate) fn note_iteration(&self) {
        if self.shown.is_none() || self.is_inherited() {
            return;
        }
        let mut state = self.lock();
        state.iterations += 1;
        if let Pace::Paused(now) = state.pace
            && state.iterations >= ITERATIONS
            && state.iterations.is_multiple_of(ITERATIONS_PER_MILLI)
        {
            state.set_paused(now + NANOS_PER_MILLI);
            state.notify_due();
        }
    }

    /// Lets time pass, and goes on counting.
    #[cold]
    fn let_pass(&self, reads: u64, time: u64) {
        // A signal handler may have interrupted a call that holds the lock.
        if let Some(mut state) = self.try_lock()
            && let (Pace::Paused(now), Some(shown)) = (state.pace, self.shown.as_ref())
        {
            state.set_paused(now + time / NANOS_PER_MILLI * NANOS_PER_MILLI);
            shown.reads.store(reads + 1, Ordering::Relaxed);
            state.notify_due();
        }
    }

    /// Called when a thread has waited until this time for something else, in vain. Time passes if it is in a
    /// callback of a loop: no jump would end its wait. Those of other threads do not matter to loops.
    pub fn end_timed_wait(&self, time: u64) {
        if !self.is_inherited() && self.lock().runs_on(thread::current().id()) {
            self.advance_to(time);
        }
    }

    /// Whether a thread sleeps.
    pub(crate) fn has_sleepers(&self) -> bool {
        self.shown.is_some() && !self.is_inherited() && !self.lock().sleepers.is_empty()
    }

    /// Blocks the calling thread for this time of the clock.
    pub fn sleep(&self, time: Duration) {
        if self.is_inherited() {
            let end = system_hrtime().saturating_add(time.as_nanos() as u64);
            while let left @ 1.. = end.saturating_sub(system_hrtime()) {
                system_sleep(Duration::from_nanos(left));
            }
            return;
        }
        let mut state = self.lock();
        let until = state.now().saturating_add(time.as_nanos() as u64);
        let sleeper = state.sleepers.take(|_| None);
        state.sleepers[sleeper] = Some(Sleeper { thread: thread::current().id(), until });
        while state.now() < until {
            state.pass_stall();
            let wait = state.advance_if_idle().unwrap_or(INTERVAL).clamp(1, INTERVAL);
            if state.now() < until {
                drop(state);
                system_sleep(Duration::from_nanos(wait));
                state = self.lock();
            }
        }
        state.sleepers[sleeper] = None;
        state.sleepers.free(sleeper);
        state.begin_generation();
        state.notify(|_| true);
    }
}

impl State {
    /// Whether a loop runs callbacks on this thread.
    fn runs_on(&self, thread: ThreadId) -> bool {
        self.awake().any(|awake| awake == thread)
    }

    /// Whether time passes as the system's does, because something else than the clock may let the loops continue.
    /// Then returns how long a loop has to wait before it tries again, if it has to.
    pub(super) fn stall(&mut self, now: u64) -> Option<Option<u64>> {
        let real = system_hrtime();
        let (patience, interval) = if self.awaits_outside() {
            (0, u64::MAX)
        } else if !self.is_idle() && !self.is_blocked(real) {
            (PATIENCE, if self.sleepers.is_empty() { u64::MAX } else { INTERVAL })
        } else if other_threads() == OtherThreads::Running {
            (PATIENCE, INTERVAL)
        } else {
            self.end_stall();
            return None;
        };
        let stall = self.stall.get_or_insert(Stall { since: real + patience, passed: 0 });
        let left = stall.since.saturating_sub(real);
        let passed = real.saturating_sub(stall.since).saturating_sub(stall.passed);
        let next = self.next().filter(|next| *next > now);
        Some(
            next.map(|next| (next - now).saturating_sub(passed).saturating_add(left).min(interval)),
        )
    }

    /// Whether no thread has run for a while, and some sleep: the callback of a loop waits for one of them.
    fn is_blocked(&self, real: u64) -> bool {
        let is_long = self.stall.as_ref().is_some_and(|stall| stall.since <= real);
        is_long && !self.sleepers.is_empty() && other_threads() != OtherThreads::Running
    }

    /// Lets the time pass that the system's clock has shown in a stall, in milliseconds.
    pub(super) fn pass_stall(&mut self) {
        let (Some(stall), Pace::Paused(now)) = (&mut self.stall, self.pace) else { return };
        let passed = system_hrtime().saturating_sub(stall.since);
        let whole = (passed - stall.passed) / NANOS_PER_MILLI * NANOS_PER_MILLI;
        if whole > 0 {
            stall.passed += whole;
            self.set_paused(now + whole);
            self.notify_due();
        }
    }

    pub(super) fn end_stall(&mut self) {
        self.pass_stall();
        self.stall = None;
    }
}
