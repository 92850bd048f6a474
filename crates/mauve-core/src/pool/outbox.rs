//! Finished jobs, by loop.
//!
//! The lists of all loops are behind the lock of the pool, so that a thread stores a finished job and
//! takes the next one under one lock. The first job in an empty list requires a notification of the
//! loop; the loop then takes the whole list.

use std::collections::VecDeque;

use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::{Result, fork};

use super::{Pool, Task, Ticket, Work, discard};
use crate::id::{HandleId, RequestId};
use crate::sync::{Arc, lock};
use crate::wakeups::WakeupQueue;

/// From this number on, finished jobs are expected to lead to a burst of submissions. The report of
/// fewer takes less time than a brief wait of a thread.
pub(super) const BURST: usize = 64;

/// A job that has ended, or was cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// The request it was submitted under.
    pub request: RequestId,
    /// `Ok`, or `ECANCELED`.
    pub result: Result<()>,
}

/// Notifies a loop of finished jobs, by the engine's own async handle.
pub(crate) struct LoopNotifier {
    wakeups: Arc<WakeupQueue>,
    handle: HandleId,
}

impl LoopNotifier {
    /// The number of the loop in traces.
    pub fn loop_number(&self) -> u16 {
        self.wakeups.loop_number()
    }

    #[inline]
    pub(super) fn notify(&self) {
        // Fails if the handle is closed. It is closed with the loop, which then has no requests.
        let _ = self.wakeups.send(self.handle);
    }
}

/// The connection of a loop to a pool: submits jobs, and takes them when they have finished.
pub(crate) struct Outbox {
    pool: Pool,
    index: u32,
    notifier: Arc<LoopNotifier>,
}

/// The work of finished jobs that returns to the submitter, with their requests. It is taken from the
/// end, in the order in which the jobs have finished.
pub(crate) type Carried = Vec<(RequestId, Box<dyn Work>)>;

impl Outbox {
    /// Connects a loop to `pool`. The async handle `handle` is notified of finished jobs.
    pub fn new(pool: Pool, wakeups: Arc<WakeupQueue>, handle: HandleId) -> Self {
        let notifier = Arc::new(LoopNotifier { wakeups, handle });
        let index = lock(&pool.shared.state).outboxes.open(notifier.clone());
        Self { pool, index, notifier }
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    pub(super) fn index(&self) -> u32 {
        self.index
    }

    /// The async handle that is notified of finished jobs.
    pub fn notified_handle(&self) -> HandleId {
        self.notifier.handle
    }

    /// Adds a finished request that no job was queued for.
    pub fn put(&self, finished: Finished, carried: Option<Box<dyn Work>>) {
        let first = lock(&self.pool.shared.state).outboxes.add(self.index, finished, carried);
        if first {
            self.notifier.notify();
        }
    }

    /// Swaps the finished jobs with the empty list `taken`, and inserts their work before the
    /// contents of `carried`. Returns whether there are at least `burst`: then the caller calls
    /// [`end_report`](Self::end_report) when it has reported them.
    pub fn take(&self, taken: &mut Vec<Finished>, carried: &mut Carried, burst: usize) -> bool {
        debug_assert!(taken.is_empty());
        lock(&self.pool.shared.state).outboxes.take(self.index, taken, carried, burst)
    }

    /// Moves the finished jobs to the end of `inline`, and their work as [`take`](Self::take) does.
    pub fn take_inline(&self, inline: &mut Vec<Finished>, carried: &mut Carried) {
        lock(&self.pool.shared.state).outboxes.take_inline(self.index, inline, carried);
    }

    /// As [`take_inline`](Self::take_inline). Returns whether a thread has notified the loop of the jobs, or is
    /// about to.
    pub fn take_notified(&self, inline: &mut Vec<Finished>, carried: &mut Carried) -> bool {
        let outboxes = &mut lock(&self.pool.shared.state).outboxes;
        let finished = !outboxes.list(self.index).finished.is_empty();
        let notified = finished && !outboxes.unnotified.contains(&self.index);
        outboxes.take_inline(self.index, inline, carried);
        notified
    }

    /// Whether jobs have finished that were not taken.
    pub fn has_finished(&self) -> bool {
        !lock(&self.pool.shared.state).outboxes.list(self.index).finished.is_empty()
    }

    /// How many jobs of the loop have not finished.
    pub fn unfinished(&self) -> usize {
        lock(&self.pool.shared.state).outboxes.list(self.index).awaited
    }

    /// Notifies the own loop of finished jobs.
    pub fn notify(&self) {
        self.notifier.notify();
    }

    /// The outbox of a forked child, with a pool of its own. Jobs that had finished before the fork go
    /// to `finished`. They are lost if a thread of the parent held the lock at the fork.
    pub fn after_fork(&self, finished: &mut Vec<Finished>, carried: &mut Carried) -> Self {
        if let Ok(mut state) = self.pool.shared.state.try_lock() {
            let mut list = Vec::new();
            state.outboxes.take(self.index, &mut list, carried, BURST);
            // They are taken from the end.
            finished.splice(0..0, list.into_iter().rev());
        }
        let pool = self.pool.of_this_process();
        Self::new(pool, self.notifier.wakeups.clone(), self.notifier.handle)
    }

    /// In a forked child, before [`after_fork`](Self::after_fork): removes a job that was still queued
    /// in the parent. Returns whether there was one without work that returns to the submitter.
    pub fn was_queued(&self, ticket: Ticket) -> bool {
        let Ok(mut state) = self.pool.shared.state.try_lock() else { return false };
        let job = state.queue.cancel(ticket);
        job.is_some_and(|job| !matches!(job.task, Task::Carry(_)))
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        // In a forked child, a thread of the parent may have held the lock at the fork.
        if self.pool.shared.process == fork::generation() {
            let (unclaimed, _reads) = lock(&self.pool.shared.state).outboxes.close(self.index);
            unclaimed.into_iter().for_each(|(_, work)| discard(work));
        }
    }
}

/// The lists of all loops that share a pool.
#[derive(Default)]
pub(super) struct Outboxes {
    lists: Vec<FinishedList>,
    /// Indices of lists that have finished jobs of which the loop is not notified yet.
    unnotified: Vec<u32>,
    /// The number of lists with reads that are not in the queue yet.
    unsent: usize,
}

/// The finished jobs of one loop.
pub(super) struct FinishedList {
    notifier: Arc<LoopNotifier>,
    finished: Vec<Finished>,
    /// The work of some of them, which returns to the submitter.
    carried: Carried,
    /// Reads that are not in the queue yet.
    reads: VecDeque<FileRead>,
    /// Jobs that were submitted and have not finished.
    awaited: usize,
    /// The loop was dropped, and takes nothing any more.
    closed: bool,
    /// Whether the loop has taken a burst of finished jobs and still runs their callbacks, which
    /// often submit others.
    reporting: bool,
}

impl FinishedList {
    /// Moves the work of finished jobs to the loop, after what it has not reported yet.
    fn give_carried(&mut self, carried: &mut Carried) {
        if self.carried.is_empty() {
            return;
        }
        if carried.is_empty() {
            std::mem::swap(&mut self.carried, carried);
            carried.reverse();
        } else {
            carried.splice(0..0, self.carried.drain(..).rev());
        }
    }
}

impl Outboxes {
    /// Opens a list for a loop. Reuses the list of a closed loop, if there is one.
    fn open(&mut self, notifier: Arc<LoopNotifier>) -> u32 {
        let (finished, carried, reads) = (Vec::new(), Vec::new(), VecDeque::new());
        let (awaited, closed, reporting) = (0, false, false);
        let list = FinishedList { notifier, finished, carried, reads, awaited, closed, reporting };
        let unused =
            |list: &FinishedList| list.awaited == 0 && Arc::strong_count(&list.notifier) == 1;
        match self.lists.iter().position(unused) {
            Some(index) => {
                self.unnotified.retain(|unnotified| *unnotified != index as u32);
                self.lists[index] = list;
                index as u32
            }
            None => {
                self.lists.push(list);
                self.lists.len() as u32 - 1
            }
        }
    }

    /// Counts jobs that were submitted.
    #[inline]
    pub fn add_awaited(&mut self, index: u32, count: usize) {
        self.lists[index as usize].awaited += count;
    }

    /// Counts jobs that have finished or were cancelled.
    #[inline]
    pub fn remove_awaited(&mut self, index: u32, count: usize) {
        self.lists[index as usize].awaited -= count;
    }

    /// The list of a loop.
    #[inline]
    fn list(&mut self, index: u32) -> &mut FinishedList {
        &mut self.lists[index as usize]
    }

    /// The number of the loop in traces.
    pub fn loop_number(&self, index: u32) -> u16 {
        self.lists[index as usize].notifier.loop_number()
    }

    /// Whether a loop has reads that are not in the queue yet.
    #[inline]
    pub fn has_unsent_reads(&self) -> bool {
        self.unsent > 0
    }

    /// Adds a read that is not in the queue yet.
    #[inline]
    pub fn keep_read(&mut self, index: u32, read: FileRead) {
        let reads = &mut self.lists[index as usize].reads;
        self.unsent += usize::from(reads.is_empty());
        reads.push_back(read);
    }

    /// Swaps the loop's kept reads with the empty list `taken`.
    #[inline]
    pub fn take_reads(&mut self, index: u32, taken: &mut VecDeque<FileRead>) {
        debug_assert!(taken.is_empty());
        std::mem::swap(&mut self.lists[index as usize].reads, taken);
        self.unsent -= usize::from(!taken.is_empty());
    }

    /// As [`take_reads`](Self::take_reads), of the first loop that has some. Returns its index.
    pub fn take_any_reads(&mut self, taken: &mut VecDeque<FileRead>) -> Option<u32> {
        let index = self.lists.iter().position(|list| !list.reads.is_empty())? as u32;
        self.take_reads(index, taken);
        Some(index)
    }

    /// Removes a kept read.
    pub fn remove_read(&mut self, index: u32, request: RequestId) -> Option<FileRead> {
        let reads = &mut self.lists[index as usize].reads;
        let found = reads.iter().position(|read| read.tag == request.to_bits())?;
        let read = reads.remove(found);
        self.unsent -= usize::from(reads.is_empty());
        read
    }

    /// Takes the finished jobs before the loop is notified of them, because it is about to report an
    /// operation that ended later.
    pub fn take_inline(&mut self, index: u32, inline: &mut Vec<Finished>, carried: &mut Carried) {
        let list = &mut self.lists[index as usize];
        if !list.finished.is_empty() {
            inline.append(&mut list.finished);
            list.give_carried(carried);
            self.unnotified.retain(|unnotified| *unnotified != index);
        }
    }

    /// Stores a finished job. [`take_unnotified`](Self::take_unnotified) returns its loop if that has
    /// to be notified. Returns the work if its loop was dropped. The caller drops it without holding
    /// the lock.
    #[inline]
    pub fn complete(
        &mut self,
        index: u32,
        finished: Finished,
        carried: Option<Box<dyn Work>>,
    ) -> Option<Box<dyn Work>> {
        self.remove_awaited(index, 1);
        if self.list(index).closed {
            return carried;
        }
        if self.add(index, finished, carried) {
            self.unnotified.push(index);
        }
        None
    }

    /// Closes the list of a loop. Returns the work that the loop has not taken, and its kept reads. The
    /// caller drops them without holding the lock.
    fn close(&mut self, index: u32) -> (Carried, VecDeque<FileRead>) {
        let mut reads = VecDeque::new();
        self.take_reads(index, &mut reads);
        self.unnotified.retain(|unnotified| *unnotified != index);
        let list = self.list(index);
        list.closed = true;
        list.finished.clear();
        (std::mem::take(&mut list.carried), reads)
    }

    /// Returns whether the list was empty.
    #[inline]
    fn add(&mut self, index: u32, finished: Finished, carried: Option<Box<dyn Work>>) -> bool {
        let list = &mut self.lists[index as usize];
        list.finished.push(finished);
        if let Some(work) = carried {
            list.carried.push((finished.request, work));
        }
        list.finished.len() == 1
    }

    fn take(
        &mut self,
        index: u32,
        taken: &mut Vec<Finished>,
        carried: &mut Carried,
        burst: usize,
    ) -> bool {
        let list = &mut self.lists[index as usize];
        std::mem::swap(&mut list.finished, taken);
        list.give_carried(carried);
        list.reporting = taken.len() >= burst;
        self.unnotified.retain(|unnotified| *unnotified != index);
        taken.len() >= burst
    }

    /// Whether the loop reports a burst of finished jobs, and so is likely to submit others.
    #[inline]
    pub fn is_reporting(&self, index: u32) -> bool {
        self.lists.get(index as usize).is_some_and(|list| list.reporting)
    }

    pub fn end_report(&mut self, index: u32) {
        self.lists[index as usize].reporting = false;
    }

    /// Takes the loops that have to be notified. The caller does so without holding the lock.
    pub fn take_unnotified(&mut self, notifiers: &mut Vec<Arc<LoopNotifier>>) {
        for index in self.unnotified.drain(..) {
            notifiers.push(self.lists[index as usize].notifier.clone());
        }
    }
}
