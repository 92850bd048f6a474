//! The engine's part for the pool: its outbox, and finished work that is not reported yet.

use std::collections::HashMap;

use mauve_sys::fork;

use super::outbox::BURST;
use super::{Carried, Finished, InlineFinished, Outbox, Work, discard};
use crate::id::RequestId;
use crate::request::read::Reads;
use crate::sort::sort_by_number;

/// The connection to the pool, and the finished work of a loop.
pub(crate) struct PoolPort {
    outbox: Outbox,
    finished: FinishedWork,
    /// The work of some finished jobs, which returns to the submitter.
    carried: Carried,
    /// The work of the job that was reported last.
    carried_last: Option<Box<dyn Work>>,
    /// Requests that were performed inline, to be reported in the next poll phase.
    inline_done: Vec<Finished>,
    reads: Reads,
    /// The process that the outbox belongs to.
    process: u64,
}

/// The finished work that the current poll phase reports.
#[derive(Default)]
pub(crate) struct FinishedWork {
    /// Reported from the end.
    list: Vec<Finished>,
    /// Whether it was taken from the outbox. [`PoolPort::end_report`] is called after the last one.
    reporting: bool,
    /// Whether the outbox expects its `end_report`.
    is_burst: bool,
    /// Whether the phase began with work that was done without the pool. What the pool finishes
    /// meanwhile is reported by the next one.
    is_inline: bool,
    /// The number of the last callback that reported one.
    callback: u32,
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

    #[inline(always)]
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
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
        !self.inline_done.is_empty() || self.reads.has_kept()
    }

    /// Whether the current poll phase has something left to report.
    #[inline(always)]
    pub fn is_reporting(&self) -> bool {
        self.has_finished() || self.finished.reporting
    }

    /// Whether the current poll phase has finished work left to report.
    #[inline(always)]
    pub fn has_finished(&self) -> bool {
        !self.finished.list.is_empty()
    }

    /// Whether all finished work is reported, and the outbox does not know it.
    #[inline(always)]
    pub fn has_reported(&self) -> bool {
        !self.has_finished() && self.finished.reporting
    }

    /// Called when all finished work that was taken from the outbox is reported.
    pub fn end_report(&mut self) {
        self.finished.reporting = false;
        if std::mem::take(&mut self.finished.is_burst) {
            self.outbox.end_report();
        }
    }

    /// Takes the finished work of a phase that is suspended.
    pub fn suspend(&mut self) -> FinishedWork {
        std::mem::take(&mut self.finished)
    }

    /// Continues with the finished work of a phase that was suspended.
    pub fn resume(&mut self, finished: FinishedWork) {
        self.finished = finished;
    }

    /// Whether reads were kept since the last attempt.
    #[inline(always)]
    pub fn has_kept_reads(&self) -> bool {
        self.reads.has_kept()
    }

    /// The reads, and what an inline operation needs. `running` is whether the loop runs.
    #[inline(always)]
    pub fn inline(&mut self, running: bool) -> (&Outbox, &mut Reads, InlineFinished<'_>) {
        let Self { outbox, inline_done: finished, carried, reads, .. } = self;
        (outbox, reads, InlineFinished { running, finished, carried })
    }

    /// The reads.
    #[inline(always)]
    pub fn reads(&mut self) -> &mut Reads {
        &mut self.reads
    }

    /// Queues a request that was performed inline, to be reported in the next poll phase.
    #[inline]
    pub fn report_inline(&mut self, running: bool, finished: Finished) {
        if running {
            self.inline_done.push(finished);
        } else {
            // The host may wait for the loop's descriptor, which this makes readable.
            self.outbox.put(finished, None);
        }
    }

    /// Begins a poll phase. Returns whether it reports requests that were done without the pool.
    #[inline(always)]
    pub fn begin_phase(&mut self) -> bool {
        self.finished.is_inline = !self.inline_done.is_empty();
        self.finished.is_inline
    }

    /// Whether the phase began with requests that were done without the pool.
    #[inline(always)]
    pub fn began_inline(&self) -> bool {
        self.finished.is_inline
    }

    /// Reports the requests that were done without the pool, and with `all` those that its threads
    /// have finished by now. Returns their number.
    pub fn take_inline(&mut self, all: bool) -> usize {
        if all {
            self.outbox.take_inline(&mut self.inline_done, &mut self.carried);
        }
        let count = self.inline_done.len();
        // The list is reported from its end, so these come after what an abandoned run has left.
        self.finished.list.splice(0..0, self.inline_done.drain(..).rev());
        count
    }

    /// Takes the requests that the threads have finished. Returns how many are reported now: those
    /// that have finished after requests in `inline_done` are reported after them, in the next phase.
    pub fn take_finished(&mut self) -> usize {
        if !self.inline_done.is_empty() {
            self.outbox.take_inline(&mut self.inline_done, &mut self.carried);
            return 0;
        }
        let list = &mut self.finished.list;
        self.finished.is_burst = self.outbox.take(list, &mut self.carried, BURST);
        // Reported from the end, in the order in which they have finished.
        list.reverse();
        self.finished.reporting = !list.is_empty();
        list.len()
    }

    /// Takes the finished requests before the loop is notified. Returns whether a thread has notified it,
    /// or is about to.
    pub fn take_notified(&mut self) -> bool {
        self.outbox.take_notified(&mut self.inline_done, &mut self.carried)
    }

    /// Takes the requests that the current phase has still to report, from the last to the first.
    pub fn take_unreported(&mut self) -> Vec<Finished> {
        std::mem::take(&mut self.finished.list)
    }

    /// Reports `order` in the current phase, and `later` in the next one.
    pub fn put_back(&mut self, mut order: Vec<Finished>, later: Vec<Finished>) {
        order.reverse();
        self.finished.list = order;
        self.inline_done.splice(0..0, later);
    }

    /// Puts the work that returns to its submitters in the order of the requests.
    pub fn sort_carried(&mut self, order: &[Finished]) {
        let positions = order.iter().map(|finished| finished.request).zip(0_u64..);
        let positions: HashMap<_, _> = positions.collect();
        let position = |id: &RequestId| positions.get(id).copied();
        // It is taken from the end.
        sort_by_number(&mut self.carried, |(id, _)| position(id).map_or(0, |at| !at));
    }

    /// The next finished request.
    #[inline(always)]
    pub fn next_finished(&mut self) -> Option<Finished> {
        self.finished.list.pop()
    }

    /// Notes the number of a callback that reports a finished request.
    #[inline(always)]
    pub fn note_callback(&mut self, callback: u32) {
        self.finished.callback = callback;
    }

    /// Whether the callback with this number reports a finished request.
    pub fn is_reported_by(&self, callback: u32) -> bool {
        self.finished.callback == callback
    }

    /// Keeps the work of a finished request for its owner, if it has returned.
    #[inline(always)]
    pub fn keep_carried(&mut self, request: RequestId) {
        if let Some((of, _)) = self.carried.last()
            && *of == request
        {
            self.carried_last = self.carried.pop().map(|(_, work)| work);
        }
    }

    /// Takes the work of the request that was reported last.
    #[inline(always)]
    pub fn take_carried(&mut self) -> Option<Box<dyn Work>> {
        self.carried_last.take()
    }
}

impl Drop for PoolPort {
    fn drop(&mut self) {
        let carried = std::mem::take(&mut self.carried).into_iter().map(|(_, work)| work);
        carried.chain(self.carried_last.take()).for_each(discard);
    }
}
