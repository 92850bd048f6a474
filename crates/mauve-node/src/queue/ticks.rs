//! The tick queue and the microtask queue, which are drained after every callback: all ticks, then
//! all microtasks, repeatedly until both are empty.

use std::collections::VecDeque;

/// The tick queue, the microtask queue and the state of their drain.
#[derive(Debug)]
pub struct TickQueue<T> {
    ticks: VecDeque<T>,
    microtasks: VecDeque<T>,
    stage: Stage,
}

/// The state of a drain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Ticks,
    Microtasks,
    /// The host has run the microtasks of the script engine. They may have added to the queues.
    AfterCheckpoint,
    /// The host has processed the rejections, which is the last step.
    AfterRejections,
}

/// What the host does next.
#[derive(Debug, PartialEq, Eq)]
pub enum DrainStep<T> {
    /// Run this callback of the tick queue.
    Tick(T),
    /// Run this callback of the microtask queue.
    Microtask(T),
    /// Run the microtasks of the script engine. The queues of this type are empty.
    Checkpoint,
    /// Process unhandled promise rejections. All queues are empty.
    Rejections,
    /// The drain is complete.
    Done,
}

impl<T> Default for TickQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> TickQueue<T> {
    /// Creates empty queues.
    pub fn new() -> Self {
        Self { ticks: VecDeque::new(), microtasks: VecDeque::new(), stage: Stage::Ticks }
    }

    /// Adds to the tick queue (`process.nextTick`).
    pub fn tick(&mut self, callback: T) {
        self.ticks.push_back(callback);
    }

    /// Adds to the microtask queue (`queueMicrotask`, promise reactions).
    pub fn microtask(&mut self, callback: T) {
        self.microtasks.push_back(callback);
    }

    /// The number of queued ticks.
    pub fn ticks(&self) -> usize {
        self.ticks.len()
    }

    /// Returns the next step. The host calls this until it returns [`DrainStep::Done`]; the call
    /// after that starts a new drain. A tick that a microtask adds runs after all microtasks.
    pub fn next_step(&mut self) -> DrainStep<T> {
        loop {
            match self.stage {
                Stage::Ticks => match self.ticks.pop_front() {
                    Some(tick) => return DrainStep::Tick(tick),
                    None => self.stage = Stage::Microtasks,
                },
                Stage::Microtasks => {
                    return match self.microtasks.pop_front() {
                        Some(microtask) => DrainStep::Microtask(microtask),
                        None => {
                            self.stage = Stage::AfterCheckpoint;
                            DrainStep::Checkpoint
                        }
                    };
                }
                Stage::AfterCheckpoint if self.is_empty() => {
                    self.stage = Stage::AfterRejections;
                    return DrainStep::Rejections;
                }
                Stage::AfterRejections if self.is_empty() => {
                    self.stage = Stage::Ticks;
                    return DrainStep::Done;
                }
                // The engine's microtasks are part of the same drain: microtasks that they added
                // run before ticks that they added.
                Stage::AfterCheckpoint if !self.microtasks.is_empty() => {
                    self.stage = Stage::Microtasks
                }
                Stage::AfterCheckpoint | Stage::AfterRejections => self.stage = Stage::Ticks,
            }
        }
    }

    /// Makes the next call start a new drain: after an uncaught exception, or when the handlers of
    /// rejections may have caused more rejections.
    pub fn restart_drain(&mut self) {
        self.stage = Stage::Ticks;
    }

    fn is_empty(&self) -> bool {
        self.ticks.is_empty() && self.microtasks.is_empty()
    }
}
