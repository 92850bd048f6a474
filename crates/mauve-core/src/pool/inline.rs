//! Operations that a loop performs in place of a thread, since they do not block.
//!
//! A loop may only do what a thread would start next: an operation that is [made
//! now](Outbox::start_inline), if nothing is queued, or [reads](Outbox::start_reads) of its own that
//! are the first in the queue. Meanwhile it counts as a thread. What turns out to block returns to
//! its place in the queue, where a thread takes it next.
//!
//! Reads are queued [without waking a thread](Outbox::queue_read): the loop starts them soon, many at
//! a time. A thread that comes by earlier takes them as any other job.

use std::collections::VecDeque;

use mauve_sys::Errno;
use mauve_sys::fs::read_batch::FileRead;

use super::{
    Action, Carried, Finished, Job, Lane, Outbox, Shared, State, Task, Ticket, Work, start_thread,
};
use crate::id::RequestId;
use crate::sync::{Arc, MutexGuard, lock};

impl Work for FileRead {
    fn run(&mut self) {
        self.finish();
    }
}

/// Reads that a loop performs in place of a thread.
#[derive(Default)]
pub(crate) struct Batch {
    pub reads: VecDeque<FileRead>,
    tickets: Vec<Ticket>,
    /// How many reads may block before no other could have started.
    slots: usize,
}

/// Where jobs go that have finished before an operation of the loop itself, and are reported before
/// it.
pub(crate) struct Early<'a> {
    /// Whether the loop runs. Else it reports nothing early, and they stay in the outbox.
    pub running: bool,
    pub finished: &'a mut Vec<Finished>,
    pub carried: &'a mut Carried,
}

impl Outbox {
    /// Takes the place of a thread for one operation, if a thread would start it at once. Jobs that
    /// have finished are moved to `early`: they are reported first.
    pub fn start_inline(&self, early: Early<'_>) -> Option<Ticket> {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        if state.busy == shared.size || state.queue.has_work() {
            return None;
        }
        state.busy += 1;
        if early.running {
            state.outboxes.take_early(self.index(), early.finished, early.carried);
        }
        Some(state.queue.reserve())
    }

    /// Returns the place of a thread: the operation is done.
    pub fn end_inline(&self) {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        state.busy -= 1;
        wake_for_work(shared, state);
    }

    /// As [`end_inline`](Self::end_inline): the operation would block, and is left to a thread.
    pub fn submit_started(
        &self,
        ticket: Ticket,
        task: Task,
        request: RequestId,
    ) -> Result<(), Errno> {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        state.busy -= 1;
        let action = Action::Task(task);
        state.queue.put_back(ticket, Job { action, request, outbox: self.index() });
        state.outboxes.expect(self.index());
        if let Err(error) = start_threads(shared, &mut state, 1) {
            state.queue.cancel(ticket);
            state.outboxes.dismiss(self.index());
            return Err(error);
        }
        wake_for_work(shared, state);
        Ok(())
    }

    /// Queues a read. No thread is woken before [`start_reads`](Self::start_reads).
    #[inline]
    pub fn queue_read(&self, read: FileRead, request: RequestId) -> Ticket {
        let mut state = lock(&self.pool().shared.state);
        state.outboxes.expect(self.index());
        state.outboxes.list(self.index()).reads.push_back(read);
        state.queue.push(Lane::Normal, Job { action: Action::Read, request, outbox: self.index() })
    }

    /// Takes a read back that was not started.
    pub fn cancel_read(&self, ticket: Ticket, request: RequestId) -> Option<FileRead> {
        let mut state = lock(&self.pool().shared.state);
        state.queue.cancel(ticket)?;
        state.outboxes.dismiss(self.index());
        let reads = &mut state.outboxes.list(self.index()).reads;
        let index = reads.iter().position(|read| read.tag == request.to_bits())?;
        reads.remove(index)
    }

    /// Starts the reads that are next in the queue in place of a thread, and leaves the others to
    /// the threads. [`end_reads`](Self::end_reads) follows unless the batch is empty.
    ///
    /// Fails if some are left and the system has no thread for them.
    pub fn start_reads(&self, batch: &mut Batch, early: Early<'_>) -> Result<(), Errno> {
        debug_assert!(batch.reads.is_empty() && batch.tickets.is_empty());
        let shared = &self.pool().shared;
        let mut guard = lock(&shared.state);
        let state = &mut *guard;
        batch.slots = shared.size - state.busy;
        if batch.slots > 0 {
            let is_own =
                |job: &Job| job.outbox == self.index() && matches!(job.action, Action::Read);
            while let Some((ticket, _)) = state.queue.pop_if(is_own) {
                batch.tickets.push(ticket);
            }
        }
        let list = state.outboxes.list(self.index());
        if batch.tickets.len() == list.reads.len() {
            std::mem::swap(&mut batch.reads, &mut list.reads);
        } else {
            batch.reads.extend(list.reads.drain(..batch.tickets.len()));
        }
        let left = list.reads.len();
        if !batch.tickets.is_empty() {
            state.busy += 1;
            if early.running {
                state.outboxes.take_early(self.index(), early.finished, early.carried);
            }
        }
        if left == 0 {
            return Ok(());
        }
        start_threads(shared, state, left)?;
        wake_for_work(shared, guard);
        Ok(())
    }

    /// Returns the place of a thread after the reads were attempted. Those that are done stay in
    /// the batch. Threads get those that would block (`blocked`), and those behind them that could
    /// not have started.
    ///
    /// Fails if the system has no thread; all reads stay in the batch then.
    pub fn end_reads(
        &self,
        batch: &mut Batch,
        blocked: impl FnMut(RequestId),
    ) -> Result<(), Errno> {
        let shared = &self.pool().shared;
        if batch.reads.iter().any(|read| read.result().is_none()) {
            return self.put_back(batch, blocked);
        }
        let mut state = lock(&shared.state);
        state.busy -= 1;
        state.outboxes.dismiss_all(self.index(), batch.tickets.len());
        batch.tickets.clear();
        wake_for_work(shared, state);
        Ok(())
    }

    #[cold]
    fn put_back(&self, batch: &mut Batch, mut blocked: impl FnMut(RequestId)) -> Result<(), Errno> {
        let shared = &self.pool().shared;
        let mut guard = lock(&shared.state);
        let state = &mut *guard;
        state.busy -= 1;
        if let Err(error) = start_threads(shared, state, batch.reads.len()) {
            state.outboxes.dismiss_all(self.index(), batch.tickets.len());
            batch.tickets.clear();
            return Err(error);
        }
        let (mut slots, mut jobs, mut later) = (batch.slots, Vec::new(), VecDeque::new());
        let mut done = VecDeque::new();
        for (mut read, ticket) in batch.reads.drain(..).zip(batch.tickets.drain(..)) {
            let (request, outbox) = (RequestId::from_bits(read.tag), self.index());
            let action = if slots == 0 {
                read.reset();
                later.push_back(read);
                Action::Read
            } else if read.result().is_none() {
                slots -= 1;
                blocked(request);
                Action::Task(Task::Carry(Box::new(read)))
            } else {
                done.push_back(read);
                continue;
            };
            jobs.push((ticket, Job { action, request, outbox }));
        }
        state.outboxes.dismiss_all(self.index(), done.len());
        let reads = &mut state.outboxes.list(self.index()).reads;
        while let Some(read) = later.pop_back() {
            reads.push_front(read);
        }
        while let Some((ticket, job)) = jobs.pop() {
            state.queue.put_back(ticket, job);
        }
        batch.reads = done;
        wake_for_work(shared, guard);
        Ok(())
    }
}

/// Starts threads for so many jobs, up to the size of the pool. Fails if there is none at all.
fn start_threads(shared: &Arc<Shared>, state: &mut State, jobs: usize) -> Result<(), Errno> {
    for _ in 0..jobs.min(shared.size - state.threads.len()) {
        start_thread(shared, state)?;
    }
    Ok(())
}

/// Wakes a thread if there is something for it to start.
fn wake_for_work(shared: &Shared, mut state: MutexGuard<'_, State>) {
    let sleeper = if state.has_work(shared) { state.send_for_one(shared) } else { None };
    drop(state);
    if let Some(sleeper) = sleeper {
        sleeper.notify_one();
    }
}
