//! The engine's part for the pool: its outbox, and finished work that is not reported yet.

use mauve_sys::fork;

use super::{Carried, Finished, Outbox, Work, discard};
use crate::request::read::Reads;

/// The connection to the pool, and the finished work of a loop.
pub(crate) struct PoolPort {
    pub outbox: Outbox,
    pub finished: FinishedWork,
    /// The work of some finished jobs, which returns to the submitter.
    pub carried: Carried,
    /// The work of the job that was reported last.
    pub carried_last: Option<Box<dyn Work>>,
    /// Requests that were performed inline, to be reported in the next poll phase.
    pub inline_done: Vec<Finished>,
    pub reads: Reads,
    /// The process that the outbox belongs to.
    process: u64,
}

/// The finished work that the current poll phase reports.
#[derive(Default)]
pub(crate) struct FinishedWork {
    /// Reported from the end.
    pub list: Vec<Finished>,
    /// Whether it was taken from the outbox, whose `end_report` is called after the last one.
    pub reporting: bool,
    /// Whether the phase began with work that was done without the pool. What the pool finishes
    /// meanwhile is reported by the next one.
    pub is_inline: bool,
    /// The number of the last callback that reported one.
    pub callback: u32,
}

impl PoolPort {
    pub fn new(outbox: Outbox) -> Self {
        Self {
            outbox,
            finished: FinishedWork::default(),
            carried: Carried::new(),
            carried_last: None,
            inline_done: Vec::new(),
            reads: Reads::default(),
            process: fork::generation(),
        }
    }

    /// Whether the process was forked since the outbox was opened.
    #[inline(always)]
    pub fn is_inherited(&self) -> bool {
        self.process != fork::generation()
    }

    /// In a forked child: connects to the child's own pool.
    pub fn reopen_after_fork(&mut self) {
        self.outbox = self.outbox.after_fork(&mut self.finished.list, &mut self.carried);
        self.reads.drop_reader();
        self.process = fork::generation();
    }

    /// Whether the next poll phase has something to report.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        !self.inline_done.is_empty() || self.reads.queued
    }

    /// Whether the current poll phase has something left to report.
    #[inline(always)]
    pub fn is_reporting(&self) -> bool {
        !self.finished.list.is_empty() || self.finished.reporting
    }
}

impl Drop for PoolPort {
    fn drop(&mut self) {
        let carried = std::mem::take(&mut self.carried).into_iter().map(|(_, work)| work);
        carried.chain(self.carried_last.take()).for_each(discard);
    }
}
