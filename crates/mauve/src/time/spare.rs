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
}

impl SleepTimer {
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
        let early = deadline.saturating_duration_since(spare.deadline);
        let is_taken = core.engine(|engine| {
            let left = spare.left(engine);
            let is_taken = left >= MIN_LEFT && early <= Duration::from_nanos(left);
            if is_taken {
                engine.set_referenced(spare.id, true);
            }
            is_taken
        });
        if !is_taken {
            core.discard_timer(spare);
        }
        is_taken.then_some(spare)
    }

    /// Keeps the timer of a sleep that is dropped, or removes it.
    pub fn put(&self, core: &Core, timer: SleepTimer) {
        let has_room = core.clock.get().is_none() && self.0.borrow().len() < MAX_SPARE;
        let is_kept = has_room
            && core.try_engine(|engine| {
                let is_long = timer.left(engine) >= MIN_LEFT;
                if is_long {
                    engine.set_referenced(timer.id, false);
                }
                is_long
            }) == Some(true);
        if !is_kept {
            return core.discard_timer(timer);
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
