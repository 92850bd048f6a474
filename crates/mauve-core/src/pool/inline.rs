//! Inline operations: a loop performs them itself, because they do not block.
//!
//! A loop may only perform what a thread would start next: a [new operation](Outbox::start_inline) if
//! nothing is queued, or its own [reads](Outbox::start_reads) at the head of the queue. Meanwhile it
//! counts as a busy thread. An operation that would block returns to its position in the queue, where
//! a thread takes it next.
//!
//! Reads are queued [without waking a thread](Outbox::queue_read), because the loop soon starts them
//! as a batch. A thread that becomes free earlier takes them as any other job.

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

/// Reads that a loop performs inline.
#[derive(Default)]
pub(crate) struct ReadBatch {
    pub reads: VecDeque<FileRead>,
    tickets: Vec<Ticket>,
    /// Free threads at the start. After this number of blocking reads, no thread could have started a
    /// later one.
    free_threads: usize,
}

/// Receives the jobs that have finished before an inline operation, and so are reported before it.
pub(crate) struct InlineFinished<'a> {
    /// Whether the loop runs. Otherwise the jobs stay in the outbox.
    pub running: bool,
    pub finished: &'a mut Vec<Finished>,
    pub carried: &'a mut Carried,
}

impl Outbox {
    /// Starts an inline operation, if a thread would start it at once. Moves finished jobs to
    /// `inline`, because they are reported before it.
    pub fn start_inline(&self, inline: InlineFinished<'_>) -> Option<Ticket> {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        if state.busy == shared.size || state.queue.has_work() {
            return None;
        }
        state.busy += 1;
        if inline.running {
            state.outboxes.take_inline(self.index(), inline.finished, inline.carried);
        }
        Some(state.queue.reserve())
    }

    /// Ends an inline operation that is done.
    pub fn end_inline(&self) {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        state.busy -= 1;
        wake_for_work(shared, state);
    }

    /// Ends an inline operation that would block, and queues it for a thread.
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
        state.outboxes.add_awaited(self.index());
        if let Err(error) = start_threads(shared, &mut state, 1) {
            state.queue.cancel(ticket);
            state.outboxes.remove_awaited(self.index(), 1);
            return Err(error);
        }
        wake_for_work(shared, state);
        Ok(())
    }

    /// Queues a read. No thread is woken before [`start_reads`](Self::start_reads).
    #[inline]
    pub fn queue_read(&self, read: FileRead, request: RequestId) -> Ticket {
        let mut state = lock(&self.pool().shared.state);
        state.outboxes.add_awaited(self.index());
        state.outboxes.list(self.index()).reads.push_back(read);
        state.queue.push(Lane::Normal, Job { action: Action::Read, request, outbox: self.index() })
    }

    /// Removes a read that was not started.
    pub fn cancel_read(&self, ticket: Ticket, request: RequestId) -> Option<FileRead> {
        let mut state = lock(&self.pool().shared.state);
        state.queue.cancel(ticket)?;
        state.outboxes.remove_awaited(self.index(), 1);
        let reads = &mut state.outboxes.list(self.index()).reads;
        let index = reads.iter().position(|read| read.tag == request.to_bits())?;
        reads.remove(index)
    }

    /// Starts the reads at the head of the queue inline, and leaves the others to threads. The caller
    /// calls [`end_reads`](Self::end_reads) unless the batch is empty.
    ///
    /// Fails if some are left and the system cannot start a thread.
    pub fn start_reads(
        &self,
        batch: &mut ReadBatch,
        inline: InlineFinished<'_>,
    ) -> Result<(), Errno> {
        debug_assert!(batch.reads.is_empty() && batch.tickets.is_empty());
        let shared = &self.pool().shared;
        let mut guard = lock(&shared.state);
        let state = &mut *guard;
        batch.free_threads = shared.size - state.busy;
        if batch.free_threads > 0 {
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
            if inline.running {
                state.outboxes.take_inline(self.index(), inline.finished, inline.carried);
            }
        }
        if left == 0 {
            return Ok(());
        }
        start_threads(shared, state, left)?;
        wake_for_work(shared, guard);
        Ok(())
    }

    /// Ends inline reads that were attempted. Those that are done stay in the batch. Those that would
    /// block are queued for threads and passed to `blocked`, as are those that could not have
    /// started.
    ///
    /// Fails if the system cannot start a thread; all reads stay in the batch then.
    pub fn end_reads(
        &self,
        batch: &mut ReadBatch,
        blocked: impl FnMut(RequestId),
    ) -> Result<(), Errno> {
        let shared = &self.pool().shared;
        if batch.reads.iter().any(|read| read.result().is_none()) {
            return self.put_back(batch, blocked);
        }
        let mut state = lock(&shared.state);
        state.busy -= 1;
        state.outboxes.remove_awaited(self.index(), batch.tickets.len());
        batch.tickets.clear();
        wake_for_work(shared, state);
        Ok(())
    }

    #[cold]
    fn put_back(
        &self,
        batch: &mut ReadBatch,
        mut blocked: impl FnMut(RequestId),
    ) -> Result<(), Errno> {
        let shared = &self.pool().shared;
        let mut guard = lock(&shared.state);
        let state = &mut *guard;
        state.busy -= 1;
        if let Err(error) = start_threads(shared, state, batch.reads.len()) {
            state.outboxes.remove_awaited(self.index(), batch.tickets.len());
            batch.tickets.clear();
            return Err(error);
        }
        let (mut free, mut jobs, mut later) = (batch.free_threads, Vec::new(), VecDeque::new());
        let mut done = VecDeque::new();
        for (mut read, ticket) in batch.reads.drain(..).zip(batch.tickets.drain(..)) {
            let (request, outbox) = (RequestId::from_bits(read.tag), self.index());
            let action = if free == 0 {
                read.reset();
                later.push_back(read);
                Action::Read
            } else if read.result().is_none() {
                free -= 1;
                blocked(request);
                Action::Task(Task::Carry(Box::new(read)))
            } else {
                done.push_back(read);
                continue;
            };
            jobs.push((ticket, Job { action, request, outbox }));
        }
        state.outboxes.remove_awaited(self.index(), done.len());
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

/// Starts a thread per job, up to the size of the pool. Fails if the pool has none.
fn start_threads(shared: &Arc<Shared>, state: &mut State, jobs: usize) -> Result<(), Errno> {
    for _ in 0..jobs.min(shared.size.saturating_sub(state.normal_threads())) {
        start_thread(shared, state)?;
    }
    Ok(())
}

/// Wakes a thread if there is a job to start.
fn wake_for_work(shared: &Shared, mut state: MutexGuard<'_, State>) {
    let waiter = if state.has_work(shared) { state.wake_one(shared) } else { None };
    drop(state);
    if let Some(waiter) = waiter {
        waiter.notify_one();
    }
}
