//! The clock of a loop, and virtual time for tests.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant as StdInstant};

use mauve_core::clock::VirtualClock as EngineClock;
use mauve_sys::clock::hrtime;

use super::Instant;
use crate::core::{Core, current, with_current};
use crate::task::yield_now;

const NANOS_PER_MILLI: u64 = 1_000_000;

/// Whether a loop of this process has ever had a virtual clock. Without one, the time is that of the
/// system, on any thread.
static VIRTUAL: AtomicBool = AtomicBool::new(false);

/// The time of the loop that runs on this thread.
#[inline]
pub(super) fn now() -> StdInstant {
    if VIRTUAL.load(Ordering::Relaxed) { virtual_now() } else { StdInstant::now() }
}

#[cold]
fn virtual_now() -> StdInstant {
    let instant = with_current(|core| Some(core.clock.get()?.0.instant()));
    instant.flatten().unwrap_or_else(StdInstant::now)
}

/// The time of a loop.
#[inline]
pub(super) fn now_of(core: &Core) -> Instant {
    let instant = match core.clock.get() {
        Some(clock) => clock.0.instant(),
        None => StdInstant::now(),
    };
    instant.into()
}

/// An instant, and the same time of the engine's clock in nanoseconds. The two clocks are read one after
/// the other, and the standard library does not say that they are the same.
#[derive(Clone, Copy)]
pub(crate) struct ClockPair {
    instant: StdInstant,
    nanos: u64,
}

/// How long a pair is used, in nanoseconds.
const PAIR_LIFETIME: u64 = 1_000_000_000;
/// Between the readings of a pair that is used again, in nanoseconds. A longer pause of the thread would
/// delay all sleeps.
const PAIR_PRECISION: u64 = 1_000;

impl ClockPair {
    fn read() -> (Self, bool) {
        let before = hrtime();
        let instant = StdInstant::now();
        // Read after the instant, so that no deadline is early.
        let nanos = hrtime();
        (Self { instant, nanos }, nanos - before <= PAIR_PRECISION)
    }

    /// The pair of a loop. Reading the clocks for each sleep would cost more than its timer.
    fn of(core: &Core, now: u64) -> Self {
        if let Some(pair) = core.clock_pair.get()
            && now.saturating_sub(pair.nanos) < PAIR_LIFETIME
        {
            return pair;
        }
        let (pair, is_precise) = Self::read();
        core.clock_pair.set(is_precise.then_some(pair));
        pair
    }

    /// The time of the engine's clock at an instant.
    fn nanos_at(self, instant: StdInstant) -> u64 {
        let nanos = |duration: Duration| {
            let seconds = duration.as_secs().saturating_mul(1_000 * NANOS_PER_MILLI);
            seconds.saturating_add(duration.subsec_nanos().into())
        };
        match instant.checked_duration_since(self.instant) {
            Some(after) => self.nanos.saturating_add(nanos(after)),
            None => self.nanos.saturating_sub(nanos(self.instant - instant)),
        }
    }
}

/// A deadline that is at least so far away is rounded up to a millisecond of the clock, so that many
/// sleeps share a wake-up.
const COARSE_FROM: u64 = 10 * NANOS_PER_MILLI;
/// So far away, it does not matter how long the loop has not read the clock.
const FAR: u64 = 1_000 * NANOS_PER_MILLI;

/// A deadline as a time of the engine's clock, in nanoseconds.
#[inline]
pub(super) fn engine_deadline(core: &Core, deadline: Instant, exact: bool) -> u64 {
    if let Some(clock) = core.clock.get() {
        return clock.0.nanos_at(deadline.into_std());
    }
    let cached = core.engine_nanos();
    let nanos = ClockPair::of(core, cached).nanos_at(deadline.into_std());
    let is_coarse = !exact
        && nanos.saturating_sub(cached) >= COARSE_FROM
        && (nanos.saturating_sub(cached) >= FAR || nanos.saturating_sub(hrtime()) >= COARSE_FROM);
    if is_coarse {
        nanos.checked_next_multiple_of(NANOS_PER_MILLI).unwrap_or(u64::MAX)
    } else {
        nanos
    }
}

/// A clock whose time jumps to the next timer when there is nothing else to wait for. Loops of one thread
/// or of several can share it: see [`LoopBuilder::clock`](crate::LoopBuilder::clock).
///
/// ```
/// use std::time::Duration;
/// use mauve::Loop;
/// use mauve::time::VirtualClock;
///
/// let clock = VirtualClock::paused();
/// let other = clock.clone();
/// let thread = std::thread::spawn(move || {
///     let lp: Loop = Loop::builder().clock(other).build()?;
///     lp.block_on(async { mauve::sleep(Duration::from_secs(3600)).await });
///     Ok::<(), mauve::Errno>(())
/// });
/// let lp: Loop = Loop::builder().clock(clock).build()?;
/// lp.block_on(async { mauve::sleep(Duration::from_secs(7200)).await });
/// thread.join().unwrap()?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[derive(Clone)]
pub struct VirtualClock(Arc<EngineClock>);

impl VirtualClock {
    /// A paused clock.
    pub fn paused() -> Self {
        Self(Arc::new(EngineClock::paused()))
    }

    /// The clock that a loop has been created with.
    pub(crate) fn of_engine(clock: Arc<EngineClock>) -> Self {
        VIRTUAL.store(true, Ordering::Relaxed);
        Self(clock)
    }

    /// The clock of the loop that runs on this thread. `None` if that is the system's.
    pub fn current() -> Option<Self> {
        with_current(|core| core.clock.get().cloned()).flatten()
    }

    /// The time.
    pub fn now(&self) -> Instant {
        self.0.instant().into()
    }

    /// Whether time passes only in jumps.
    pub fn is_paused(&self) -> bool {
        self.0.is_paused()
    }
}

impl fmt::Debug for VirtualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VirtualClock").field("is_paused", &self.is_paused()).finish_non_exhaustive()
    }
}

impl Core {
    /// Gives the loop a virtual clock. It has none yet.
    pub fn set_clock(&self, clock: VirtualClock) {
        VIRTUAL.store(true, Ordering::Relaxed);
        self.spare_timers.clear(self);
        self.engine(|engine| engine.set_clock(clock.0.clone()));
        assert!(self.clock.set(clock).is_ok(), "a loop without a virtual clock");
    }
}

/// Pauses time for the loop that runs on this thread, and for those that share its clock.
///
/// Then time passes in jumps: to the next timer, when each task waits, no job of
/// [`spawn_blocking`](crate::spawn_blocking) and no operation on a file runs, and no event is ready. So a
/// test of a timeout of an hour takes no time, and the order of its timers is always the same.
/// [`Instant::now`], [`Loop`](crate::Loop)s that are created by this one's tasks, and workers have the same
/// clock. [`std::time::Instant`] and other processes do not. A task that waits for another process or host
/// does not keep time from passing: its timeout elapses. While sockets are open, each jump takes five
/// milliseconds, for what the kernel has not delivered yet.
///
/// A test begins with paused time if it says so: `#[mauve::test(start_paused = true)]`.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use std::time::Duration;
/// use mauve::time::{self, Instant};
///
/// time::pause();
/// let start = Instant::now();
/// mauve::sleep(Duration::from_secs(3600)).await;
/// assert_eq!(start.elapsed(), Duration::from_secs(3600));
/// time::resume();
/// # Ok(())
/// # }
/// ```
///
/// # Panics
/// Panics if time is paused already, or if no loop runs on this thread.
#[track_caller]
pub fn pause() {
    let core = current();
    match core.clock.get() {
        Some(clock) => {
            assert!(!clock.is_paused(), "time is already paused");
            clock.0.pause();
        }
        None => core.set_clock(VirtualClock::paused()),
    }
    core.engine(|engine| engine.update_time());
}

/// Lets time pass again, from where it was paused.
///
/// # Panics
/// Panics if time is not paused, or if no loop runs on this thread.
#[track_caller]
pub fn resume() {
    let core = current();
    paused_clock(&core).0.resume();
}

/// Advances the paused time by `duration`. Timers fire in their order, each at its own time, and the
/// tasks that they wake run up to their next wait.
///
/// Unlike a [`sleep`](super::sleep()), it does not wait for jobs and events.
///
/// ```
/// # #[mauve::main(start_paused = true)]
/// # async fn main() {
/// use std::time::Duration;
/// use mauve::time;
///
/// let task = mauve::spawn(async { mauve::sleep(Duration::from_secs(60)).await });
/// time::advance(Duration::from_secs(59)).await;
/// assert!(!task.is_finished());
/// time::advance(Duration::from_secs(1)).await;
/// assert!(task.is_finished());
/// # }
/// ```
///
/// # Cancel safety
/// If the future is dropped, time has advanced up to a timer in between, or not at all.
///
/// # Panics
/// Panics if time is not paused, or if no loop runs on this thread.
pub async fn advance(duration: Duration) {
    let core = current();
    let clock = paused_clock(&core);
    let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    let end = clock.0.now().saturating_add(nanos);
    loop {
        // New tasks start their timers, and those that are due fire, before this task continues.
        yield_now().await;
        let now = clock.0.now();
        if now >= end {
            return;
        }
        let own = core.engine(|engine| engine.next_deadline());
        let next = own.into_iter().chain(clock.0.next_deadline()).min();
        let next = match next {
            Some(next) if next > now => next,
            // A task that always sleeps for no time must not hide the other timers.
            Some(_) => now.saturating_add(NANOS_PER_MILLI),
            None => end,
        };
        clock.0.advance_to(next.min(end));
    }
}

#[track_caller]
fn paused_clock(core: &Core) -> VirtualClock {
    let clock = core.clock.get().filter(|clock| clock.is_paused());
    clock.expect("time is not paused: call `time::pause` first").clone()
}
