//! The tick queue, which is drained together with the script engine's microtasks after every
//! callback: all ticks, then all microtasks, repeatedly until both are empty.

use std::collections::VecDeque;

/// The tick queue and the state of its drain.
#[derive(Debug)]
pub struct TickQueue<T> {
    ticks: VecDeque<T>,
    stage: Stage,
}

/// The state of a drain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Ticks,
    /// The host has run the microtasks. They may have added ticks.
    AfterMicrotasks,
    /// The host has processed the rejections, which is the last step.
    AfterRejections,
}

/// What the host does next.
#[derive(Debug, PartialEq, Eq)]
pub enum DrainStep<T> {
    /// Run this callback of the tick queue.
    Tick(T),
    /// Run all microtasks of the script engine.
    Microtasks,
    /// Process unhandled promise rejections. All queues are empty.
    Rejections,
    /// The drain is complete.
    Done,
}

impl<T> Default for TickQueue<T> {
    fn default() -> Self {
        Self { ticks: VecDeque::new(), stage: Stage::Ticks }
    }
}

impl<T> TickQueue<T> {
    /// Adds to the queue (`process.nextTick`).
    pub fn push(&mut self, callback: T) {
        self.ticks.push_back(callback);
    }

    /// The number of pending ticks.
    #[expect(clippy::len_without_is_empty, reason = "the host only counts")]
    pub fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Returns the next step. The host calls this until it returns [`DrainStep::Done`]; the call
    /// after that starts a new drain. A tick that a microtask adds runs after all microtasks.
    pub fn next_step(&mut self) -> DrainStep<T> {
        if self.stage == Stage::Ticks || !self.ticks.is_empty() {
            self.stage = Stage::Ticks;
            if let Some(tick) = self.ticks.pop_front() {
                return DrainStep::Tick(tick);
            }
        }
        let (next, step) = match self.stage {
            Stage::Ticks => (Stage::AfterMicrotasks, DrainStep::Microtasks),
            Stage::AfterMicrotasks => (Stage::AfterRejections, DrainStep::Rejections),
            Stage::AfterRejections => (Stage::Ticks, DrainStep::Done),
        };
        self.stage = next;
        step
    }

    /// Makes the next call start a new drain: after an uncaught exception, or when the handlers of
    /// rejections may have caused more rejections.
    pub fn restart_drain(&mut self) {
        self.stage = Stage::Ticks;
    }
}
