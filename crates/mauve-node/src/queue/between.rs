//! What runs between two callbacks: all ticks, then all microtasks, again until both are empty.

use std::collections::VecDeque;

/// The tick queue and the microtask queue, and the rule by which they are drained.
#[derive(Debug)]
pub struct Layer<T> {
    ticks: VecDeque<T>,
    microtasks: VecDeque<T>,
    stage: Stage,
}

/// How far the drain that is going on has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Ticks,
    Microtasks,
    /// Microtasks that live elsewhere have been run; did they leave anything here?
    Checked,
    /// Rejections have been looked at, which is the last thing.
    Told,
}

/// What is to run now.
#[derive(Debug, PartialEq, Eq)]
pub enum Between<T> {
    /// A callback of the tick queue.
    Tick(T),
    /// A callback of the microtask queue.
    Microtask(T),
    /// The queues here are empty: time to run the microtasks that a script engine keeps itself.
    Checkpoint,
    /// All queues are empty: time to tell of promises that were rejected and that nobody handles.
    Rejections,
    /// Nothing is left; the loop may go on.
    Done,
}

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Layer<T> {
    /// Makes one with empty queues.
    pub fn new() -> Self {
        Self { ticks: VecDeque::new(), microtasks: VecDeque::new(), stage: Stage::Ticks }
    }

    /// Adds to the tick queue (`process.nextTick`).
    pub fn tick(&mut self, callback: T) {
        self.ticks.push_back(callback);
    }

    /// Adds to the microtask queue (`queueMicrotask`, and what promises do).
    pub fn microtask(&mut self, callback: T) {
        self.microtasks.push_back(callback);
    }

    /// How many ticks wait.
    pub fn ticks(&self) -> usize {
        self.ticks.len()
    }

    /// What runs next. Ask until the answer is [`Between::Done`], after which the next question
    /// begins a new drain. Microtasks that add ticks are not interrupted by them: a tick waits
    /// until the microtasks are drained.
    pub fn between(&mut self) -> Between<T> {
        loop {
            match self.stage {
                Stage::Ticks => match self.ticks.pop_front() {
                    Some(tick) => return Between::Tick(tick),
                    None => self.stage = Stage::Microtasks,
                },
                Stage::Microtasks => {
                    return match self.microtasks.pop_front() {
                        Some(microtask) => Between::Microtask(microtask),
                        None => {
                            self.stage = Stage::Checked;
                            Between::Checkpoint
                        }
                    };
                }
                Stage::Checked if self.is_empty() => {
                    self.stage = Stage::Told;
                    return Between::Rejections;
                }
                Stage::Told if self.is_empty() => {
                    self.stage = Stage::Ticks;
                    return Between::Done;
                }
                // The microtasks that ran elsewhere are part of the same drain: what they left
                // for this queue comes before the ticks they left.
                Stage::Checked if !self.microtasks.is_empty() => self.stage = Stage::Microtasks,
                Stage::Checked | Stage::Told => self.stage = Stage::Ticks,
            }
        }
    }

    /// Has the next question begin a new drain: after an error that nobody caught, or when telling
    /// of rejections may have caused more of them.
    pub fn begin_again(&mut self) {
        self.stage = Stage::Ticks;
    }

    fn is_empty(&self) -> bool {
        self.ticks.is_empty() && self.microtasks.is_empty()
    }
}
