//! Inline operations: a loop performs them itself, because they do not block.
//!
//! A loop may only perform what a thread would start at once: a thread is free, and nothing is queued.
//! Meanwhile it counts as a busy thread. An operation that would block goes to the head of the queue,
//! where a thread takes it next.
//!
//! A loop [keeps](Outbox::keep_read) its reads outside of the queue, because it soon
//! [starts](Outbox::start_reads) them as a batch. The submission of another loop queues them first.

use std::collections::VecDeque;

use mauve_sys::Errno;
use mauve_sys::fs::read_batch::FileRead;

use super::{Carried, Finished, Job, Lane, Outbox, Shared, State, Task, Ticket, Work};
use crate::id::RequestId;
use crate::sync::{MutexGuard, lock};

impl Work for FileRead {
    fn run(&mut self) {
        self.finish();
    }
}

/// Reads that a loop performs inline.
#[derive(Default)]
pub(crate) struct ReadBatch {
    pub reads: VecDeque<FileRead>,
    /// The ticket of the first read.
    first: Option<Ticket>,
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
        let mut state = self.pool().enter().ok()?;
        if state.busy == state.size || state.queue.has_work() || state.outboxes.has_unsent_reads() {
            return None;
        }
        state.busy += 1;
        if inline.running {
            state.outboxes.take_inline(self.index(), inline.finished, inline.carried);
        }
        Some(state.queue.reserve(1))
    }

    /// Ends an inline operation that is done.
    pub fn end_inline(&self) {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        state.busy -= 1;
        wake_for_work(shared, state);
    }

    /// Ends an inline operation that would block, and queues it for a thread.
    pub fn submit_started(&self, ticket: Ticket, task: Task, request: RequestId) {
        let shared = &self.pool().shared;
        let mut state = lock(&shared.state);
        state.busy -= 1;
        state.queue.put_back(ticket, Job { task, request, outbox: self.index() });
        state.outboxes.add_awaited(self.index(), 1);
        wake_for_work(shared, state);
    }

    /// Keeps a read until [`start_reads`](Self::start_reads).
    #[inline]
    pub fn keep_read(&self, read: FileRead) -> Result<(), Errno> {
        self.pool().enter()?.outboxes.keep_read(self.index(), read);
        Ok(())
    }

    /// Removes a read that was kept, and not started since.
    #[cold]
    pub fn cancel_read(&self, request: RequestId) -> Option<Task> {
        let mut state = lock(&self.pool().shared.state);
        if let Some(read) = state.outboxes.remove_read(self.index(), request) {
            return Some(Task::Carry(Box::new(read)));
        }
        let is_it = |job: &Job| job.outbox == self.index() && job.request == request;
        let job = state.queue.cancel_first(is_it)?;
        state.outboxes.remove_awaited(self.index(), 1);
        Some(job.task)
    }

    /// Starts the reads of the batch, or the kept ones if it is empty, inline if a thread would start them
    /// at once. The caller then performs them and calls [`end_reads`](Self::end_reads). Otherwise they
    /// are queued for threads and passed to `queued`, and the batch is empty.
    ///
    /// Fails only if the pool has no thread and the system cannot start one.
    pub fn start_reads(
        &self,
        batch: &mut ReadBatch,
        inline: InlineFinished<'_>,
        mut queued: impl FnMut(RequestId, Option<Ticket>),
    ) -> Result<(), Errno> {
        let shared = &self.pool().shared;
        let mut state = self.pool().enter()?;
        if batch.reads.is_empty() {
            state.outboxes.take_reads(self.index(), &mut batch.reads);
        }
        if batch.reads.is_empty() {
            return Ok(());
        }
        if state.busy == state.size || state.queue.has_work() {
            for read in batch.reads.drain(..) {
                let request = RequestId::from_bits(read.tag);
                queued(request, Some(state.send_read(read, self.index())));
            }
            wake_for_work(shared, state);
            return Ok(());
        }
        batch.free_threads = state.size - state.busy;
        batch.first = Some(state.queue.reserve(batch.reads.len()));
        state.busy += 1;
        if inline.running {
            state.outboxes.take_inline(self.index(), inline.finished, inline.carried);
        }
        Ok(())
    }

    /// Ends inline reads that were attempted. Those that are done stay in the batch. Those that would
    /// block are queued for threads and passed to `queued`, as are those that could not have started.
    /// The latter can be cancelled, and have a ticket.
    pub fn end_reads(&self, batch: &mut ReadBatch, queued: impl FnMut(RequestId, Option<Ticket>)) {
        let shared = &self.pool().shared;
        let blocked = batch.reads.iter().any(|read| read.result().is_none());
        let mut state = lock(&shared.state);
        state.busy -= 1;
        if blocked {
            self.put_back(&mut state, batch, queued);
        }
        wake_for_work(shared, state);
    }

    #[cold]
    fn put_back(
        &self,
        state: &mut State,
        batch: &mut ReadBatch,
        mut queued: impl FnMut(RequestId, Option<Ticket>),
    ) {
        let Some(first) = batch.first else { return };
        let (mut free, outbox) = (batch.free_threads, self.index());
        let (mut jobs, mut done) = (Vec::new(), VecDeque::new());
        for (mut read, number) in batch.reads.drain(..).zip(0..) {
            let (request, ticket) = (RequestId::from_bits(read.tag), first.later(number));
            if free == 0 {
                read.reset();
                queued(request, Some(ticket));
            } else if read.result().is_none() {
                free -= 1;
                queued(request, None);
            } else {
                done.push_back(read);
                continue;
            }
            let task = Task::Carry(Box::new(read));
            jobs.push((ticket, Job { task, request, outbox }));
        }
        state.outboxes.add_awaited(outbox, jobs.len());
        while let Some((ticket, job)) = jobs.pop() {
            state.queue.put_back(ticket, job);
        }
        batch.reads = done;
    }
}

impl State {
    /// Queues the reads that loops have kept, because a job is submitted after them.
    #[cold]
    pub(super) fn send_reads(&mut self) {
        let mut reads = VecDeque::new();
        while let Some(outbox) = self.outboxes.take_any_reads(&mut reads) {
            for read in reads.drain(..) {
                self.send_read(read, outbox);
            }
        }
    }

    fn send_read(&mut self, read: FileRead, outbox: u32) -> Ticket {
        let request = RequestId::from_bits(read.tag);
        self.outboxes.add_awaited(outbox, 1);
        self.queue.push(Lane::Normal, Job { task: Task::Carry(Box::new(read)), request, outbox })
    }
}

/// Wakes a thread if there is a job to start.
fn wake_for_work(shared: &Shared, mut state: MutexGuard<'_, State>) {
    let waiter = if state.has_work(shared) { state.wake_one(shared) } else { None };
    drop(state);
    if let Some(waiter) = waiter {
        waiter.notify_one();
    }
}
