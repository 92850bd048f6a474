//! Timers of sleeps that were dropped long before their deadline, for the next sleeps.
//!
//! A server has a time limit for each request, and nearly none is reached. Such a timer runs on when its
//! sleep is dropped, and the next sleep takes it over. If it fires before the new deadline, it is started
//! again. So a thousand requests per second start a timer every few seconds, not a thousand.
//!
//! Spare timers are unreferenced, so they do not keep the loop alive. At most a few wake it up in vain.
//! Loops with a virtual clock have none, because time would jump to them.

use std::cell::RefCell;
use std::time::Duration;

use mauve_core::{Engine, HandleId};
use mauve_sys::driver::Platform;

use super::Instant;
use crate::core::Core;

/// A timer of the engine that runs, and the future that it completes.
#[derive(Clone, Copy)]
pub(crate) struct SleepTimer {
    pub id: HandleId,
    pub key: usize,
    /// When it fires, in nanoseconds of the engine's clock.
    pub due: u64,
    /// The deadline for which it was started. That of a sleep which has taken it over is later.
    pub deadline: Instant,
    /// The last deadline of a sleep that may take it over, once it was spare.
    pub latest: Option<Instant>,
    /// Whether it keeps the loop alive. One that was spare does not while a task waits for it, because the
    /// task does.
    pub referenced: bool,
}

impl SleepTimer {
    /// Sets whether the timer keeps the loop alive.
    pub fn set_referenced(&mut self, core: &Core, referenced: bool) {
        if self.referenced != referenced {
            self.referenced = referenced;
            core.try_engine(|engine| engine.set_referenced(self.id, referenced));
        }
    }

    /// The time until it fires, in nanoseconds.
    fn left(&self, engine: &Engine<Platform>) -> u64 {
        self.due.saturating_sub(nanos(engine))
    }
}

/// The engine's time of the last iteration, in nanoseconds.
fn nanos(engine: &Engine<Platform>) -> u64 {
    engine.now().saturating_mul(1_000_000)
}

/// The spare timers of a loop.
#[derive(Default)]
pub(crate) struct SpareTimers(RefCell<Vec<SleepTimer>>);

const MAX_SPARE: usize = 8;
/// A timer that fires sooner is not used: it would soon have to be started again. In nanoseconds.
const MIN_LEFT: u64 = 1_000_000_000;

impl SpareTimers {
    /// Takes over a timer that fires at `deadline` or before, but not in the first half of the sleep.
    pub fn take(&self, core: &Core, deadline: Instant) -> Option<SleepTimer> {
        let is_before = |spare: &mut SleepTimer| spare.deadline <= deadline;
        let spare = self.0.borrow_mut().pop_if(is_before)?;
        let is_taken = spare.latest.is_some_and(|latest| deadline <= latest)
            && core.engine(|engine| spare.left(engine)) >= MIN_LEFT;
        if !is_taken {
            core.discard_timer(spare);
        }
        is_taken.then_some(spare)
    }

    /// Keeps the timer of a sleep that is dropped, or removes it.
    pub fn put(&self, core: &Core, mut timer: SleepTimer) {
        let has_room = core.clock.get().is_none() && self.0.borrow().len() < MAX_SPARE;
        let left = if has_room { core.try_engine(|engine| timer.left(engine)) } else { None };
        let Some(left) = left.filter(|left| *left >= MIN_LEFT) else {
            return core.discard_timer(timer);
        };
        timer.set_referenced(core, false);
        if timer.latest.is_none() {
            timer.latest = Some(timer.deadline.after(Duration::from_nanos(left / 2)));
        }
        // The waker is foreign code: it is dropped with no borrow held.
        drop(core.targets.forget_waiter(timer.key));
        self.0.borrow_mut().push(timer);
    }

    /// Removes all spare timers.
    pub fn clear(&self, core: &Core) {
        self.0.take().into_iter().for_each(|timer| core.discard_timer(timer));
    }
}

impl Core {
    /// The engine's time of the last iteration, in nanoseconds.
    pub(super) fn engine_nanos(&self) -> u64 {
        self.try_engine(|engine| nanos(engine)).unwrap_or(0)
    }

    fn discard_timer(&self, timer: SleepTimer) {
        self.try_engine(|engine| engine.discard_timer(timer.id));
        // It may own a waker, which is dropped with no borrow held.
        drop(self.targets.remove(timer.key));
    }
}
