//! The loop's side of the pool: what was submitted, and what has come back.

use mauve_sys::fork;

use super::{Carried, Finished, Outbox, Work};
use crate::request::read::Reads;

/// What a loop has at the pool, and what it has still to report.
pub(crate) struct PoolPort {
    pub outbox: Outbox,
    pub finished: FinishedWork,
    /// What came back with some of the finished work.
    pub carried: Carried,
    /// What came back with the work that was reported last.
    pub carried_last: Option<Box<dyn Work>>,
    /// Work that was done without the pool, to be reported in the next poll phase.
    pub done_early: Vec<Finished>,
    pub reads: Reads,
    /// The process that the outbox belongs to.
    process: u64,
}

/// The finished work that the current poll phase reports.
#[derive(Default)]
pub(crate) struct FinishedWork {
    /// Reported from the end.
    pub list: Vec<Finished>,
    /// Whether it came out of the outbox, which is notified when all of it is reported.
    pub reporting: bool,
    /// Whether the phase began with work that was done without the pool. What the pool finishes
    /// meanwhile is reported by the next one.
    pub early: bool,
}

impl PoolPort {
    pub fn new(outbox: Outbox) -> Self {
        Self {
            outbox,
            finished: FinishedWork::default(),
            carried: Carried::new(),
            carried_last: None,
            done_early: Vec::new(),
            reads: Reads::default(),
            process: fork::generation(),
        }
    }

    /// Whether the process was forked since the outbox was opened.
    #[inline(always)]
    pub fn is_inherited(&self) -> bool {
        self.process != fork::generation()
    }

    /// In a forked child: goes on with the child's own pool.
    pub fn reopen_after_fork(&mut self) {
        self.outbox = self.outbox.after_fork(&mut self.finished.list, &mut self.carried);
        self.reads.forget_reader();
        self.process = fork::generation();
    }

    /// Whether the next poll phase has something to report.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        !self.done_early.is_empty() || self.reads.queued
    }

    /// Whether the current poll phase has something left to report.
    #[inline(always)]
    pub fn is_reporting(&self) -> bool {
        !self.finished.list.is_empty() || self.finished.reporting
    }
}
