//! Async handles: wake-ups from other threads.
//!
//! The protocol with the senders is in [`wakeups`](crate::wakeups); here is the loop's side of it.
//! Notified handles are called in the order of libuv's list of handles, which is mostly that of their
//! creation ([`position`]). A handle that is notified during a batch is called in the same batch if it comes
//! after the current one.

mod position;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::id::{HandleId, Token};
use crate::pool::PoolPort;
use crate::slab::{Life, Slab};
use crate::sync::Arc;
use crate::table::Table;
use crate::wakeups::WakeupQueue;

/// The state of one async handle, beyond its node.
pub(crate) struct Async {
    /// Its position in the order of all async handles of the loop.
    position: u64,
    /// Closed while notified. The index is not reused until the node is taken off the queue.
    node_in_use: bool,
}

impl Async {
    /// A handle at a position of [`Wakeups::position_of_new`].
    pub fn new(position: u64) -> Self {
        Self { position, node_in_use: false }
    }

    /// The engine's own handle, by which the pool notifies it.
    pub fn of_pool() -> Self {
        Self::new(position::OF_POOL)
    }
}

/// The batch of notified handles.
#[derive(Default)]
pub(crate) struct AsyncBatch {
    /// The handles to call, by position and index. The first one is on top.
    due: BinaryHeap<Reverse<(u64, u32)>>,
    /// Handles with a position before the last called one. They are called in the next batch.
    late: Vec<u32>,
    /// The position of the handle that was called last.
    last: u64,
    /// The position after which handles are inserted that are created during this batch.
    after: u64,
    /// The next position after it, if it is known. The greatest number if there is none.
    next: Option<u64>,
    /// The sequence number of the newest handle when the batch began. Newer handles wait for the next
    /// batch.
    newest: u64,
    /// Whether the current poll phase has begun a batch. As in libuv, it has at most one: handles
    /// that are notified too late for the batch wait for the next iteration.
    has_begun: bool,
}

impl AsyncBatch {
    /// Whether handles are left for the next batch.
    fn has_left(&self) -> bool {
        !self.late.is_empty() || !self.due.is_empty()
    }

    /// Notes that the handle with this position is being called.
    fn visit(&mut self, position: u64) {
        self.last = position;
        self.after = position;
        self.next = None;
    }
}

/// The loop's side of the wake-up queue.
pub(crate) struct Wakeups {
    queue: Arc<WakeupQueue>,
    batch: AsyncBatch,
    /// Whether the batch is being reported.
    in_batch: bool,
    /// Whether senders rely on the loop to check the queue before it sleeps.
    awake: bool,
    /// How many closed handles have a node that is still to be taken.
    closed_notified: usize,
    /// Whether the driver has reported a wake-up that no poll phase has handled.
    missed: bool,
    /// Whether the driver reports a wake-up of finished jobs that were taken without it.
    stale_wake: bool,
    /// The greatest position.
    last_position: u64,
}

impl Wakeups {
    pub fn new(queue: Arc<WakeupQueue>) -> Self {
        Self {
            queue,
            batch: AsyncBatch::default(),
            in_batch: false,
            awake: false,
            closed_notified: 0,
            missed: false,
            stale_wake: false,
            last_position: position::OF_POOL,
        }
    }

    /// The queue through which other threads reach the loop.
    #[inline(always)]
    pub fn queue(&self) -> &Arc<WakeupQueue> {
        &self.queue
    }

    /// Whether the current batch has handles left to report.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        self.in_batch
    }

    /// Whether a handle is notified that the current batch has not taken.
    pub fn has_notified(&self) -> bool {
        !self.queue.is_empty() || self.batch.has_left()
    }

    /// Begins a poll phase. Returns whether it must not wait: a wake-up was missed, or a handle was
    /// notified while the loop was awake, so that its sender has not notified the loop.
    #[inline(always)]
    pub fn begin_phase(&mut self) -> bool {
        self.batch.has_begun = false;
        self.awake = self.awake && (self.batch.has_left() || !self.queue.park());
        std::mem::take(&mut self.missed) || self.awake
    }

    /// Whether the current poll phase has begun a batch.
    #[inline(always)]
    pub fn has_begun_batch(&self) -> bool {
        self.batch.has_begun
    }

    /// Begins a batch of notified handles.
    pub fn begin_batch(&mut self, table: &Table) {
        self.in_batch = true;
        self.batch.has_begun = true;
        self.batch.last = 0;
        self.batch.newest = table.last_sequence();
        while let Some(index) = self.batch.late.pop() {
            let position = table.asyncs[index].body.position;
            self.batch.due.push(Reverse((position, index)));
        }
    }

    /// Begins a report of requests that were done without the pool. In libuv the pool's notification
    /// reports them.
    pub fn begin_inline_work(&mut self) {
        self.batch.after = position::OF_POOL;
        self.batch.next = None;
    }

    /// Leaves the rest of the batch of an abandoned run to the next batch.
    pub fn abandon_batch(&mut self) {
        self.in_batch = false;
    }

    /// Notes a wake-up that no poll phase has handled: the next one does not wait.
    pub fn note_missed(&mut self) {
        self.missed = true;
    }

    /// Whether a wake-up was missed. Clears the note.
    pub fn take_missed(&mut self) -> bool {
        std::mem::take(&mut self.missed)
    }

    /// Called at the end of a run: from now on senders notify the loop.
    #[inline(always)]
    pub fn leave_run(&mut self) {
        if std::mem::take(&mut self.awake) {
            self.queue.leave(self.batch.has_left());
        }
    }

    /// The next handle of the batch; its node is open for sends again. The batch ends with `None`.
    #[inline(always)] // Called in one function.
    pub fn next(&mut self, asyncs: &mut Slab<Async>, pool: &PoolPort) -> Option<Notified> {
        self.take_notified(asyncs);
        while let Some(Reverse((position, index))) = self.batch.due.pop() {
            let is_pool = index == pool.outbox().notified_handle().index();
            if is_pool && pool.began_inline() {
                self.keep_pool_wakeup(index, pool);
                continue;
            }
            self.queue.clear(index);
            let head = &asyncs[index].head;
            if head.life() != Life::Active {
                self.node_taken(asyncs, index);
                continue;
            }
            let token = head.token;
            self.batch.visit(position);
            return Some(if is_pool { Notified::Pool } else { Notified::User(token) });
        }
        self.in_batch = false;
        None
    }

    /// Handles the pool's notification in a phase that has taken the finished work already. It is
    /// kept for the next batch if more work has finished. Otherwise it is stale, and the next
    /// iteration may wait.
    #[cold]
    fn keep_pool_wakeup(&mut self, index: u32, pool: &PoolPort) {
        if pool.outbox().has_finished() {
            self.batch.late.push(index);
        } else {
            self.clear_pool_wakeup(index, pool);
        }
    }

    /// Opens the pool's node for notifications again.
    fn clear_pool_wakeup(&self, index: u32, pool: &PoolPort) {
        self.queue.clear(index);
        // Work that has finished in between has found the handle notified.
        if pool.outbox().has_finished() {
            pool.outbox().notify();
        }
    }

    #[inline(always)] // As `next`.
    fn take_notified(&mut self, asyncs: &Slab<Async>) {
        // If the loop is not marked as awake yet, `take` marks it, even in an empty queue. Senders
        // then need not wake it.
        if self.awake && self.queue.is_empty() {
            return;
        }
        self.awake = true;
        let Self { queue, batch, missed, .. } = self;
        let in_progress = batch.last > 0;
        queue.take(|index| {
            let (sequence, position) = (asyncs.sequence(index), asyncs[index].body.position);
            if position > batch.last && sequence <= batch.newest {
                batch.due.push(Reverse((position, index)));
                // With libuv the descriptor that the sender has written to is still readable after
                // the batch, and the next wait ends at once.
                *missed |= in_progress;
            } else {
                batch.late.push(index);
            }
        });
    }

    /// Drops the notification of finished jobs that were taken without it: when it comes depends on threads.
    /// Returns whether handles of the program were notified.
    pub fn drop_pool_wakeup(&mut self, pool: &PoolPort) -> bool {
        let index = pool.outbox().notified_handle().index();
        // Senders notify the driver if they find the loop parked.
        let is_reported = !self.awake;
        let late = &mut self.batch.late;
        self.queue.take(|index| late.push(index));
        self.awake = true;
        if let Some(at) = late.iter().position(|late| *late == index)
            && !pool.outbox().has_finished()
        {
            late.swap_remove(at);
            self.stale_wake |= is_reported;
            self.clear_pool_wakeup(index, pool);
        }
        if !self.batch.has_left() && self.queue.park() {
            self.awake = false;
            return false;
        }
        true
    }

    /// Called with a wake-up that the driver has reported. Returns whether it is kept: not if it is that of finished
    /// jobs which were taken without it. Without a notified handle it may be that of a batch which has merged two.
    pub fn keeps_wake(&mut self, pool: &PoolPort) -> bool {
        let is_pending = self.drop_pool_wakeup(pool);
        !std::mem::take(&mut self.stale_wake) || is_pending
    }

    /// In a forked child: queues the notified handles again. The sending threads do not exist in the
    /// child, and it has a new wake-up descriptor.
    pub fn requeue_after_fork(&mut self, asyncs: &Slab<Async>) {
        self.awake = false;
        self.batch.due.clear();
        self.batch.late.clear();
        self.queue.requeue_after_fork(asyncs.len());
    }

    /// Closes the node of a handle that is about to close. Waits for its senders, as libuv does. Programs can
    /// tell: a thread that takes a lock after a notification has it before what the loop does next.
    pub fn close_node(&mut self, asyncs: &mut Slab<Async>, id: HandleId) {
        self.queue.await_notifiers();
        let in_use = self.queue.close(id);
        asyncs[id.index()].body.node_in_use = in_use;
        self.closed_notified += usize::from(in_use);
    }

    /// Called when the node of a closed handle was taken off the queue.
    fn node_taken(&mut self, asyncs: &mut Slab<Async>, index: u32) {
        let entry = &mut asyncs[index];
        if std::mem::take(&mut entry.body.node_in_use) {
            self.closed_notified -= 1;
        }
        if entry.head.is_vacant() {
            asyncs.recycle(index);
        }
    }

    /// Drains the queue of a loop whose handles are all closed. No sender touches it afterwards.
    pub fn close(&mut self) {
        let due = self.batch.due.drain().map(|Reverse((_, index))| index);
        for index in due.chain(self.batch.late.drain(..)) {
            self.queue.clear(index);
            self.closed_notified = self.closed_notified.saturating_sub(1);
        }
        self.queue.drain(self.closed_notified);
        self.awake = false;
    }

    /// Takes the rest of the current batch. Late handles stay, and the next batch calls them, even if
    /// it belongs to another run.
    pub fn suspend(&mut self) -> (bool, AsyncBatch) {
        let late = std::mem::take(&mut self.batch.late);
        let batch =
            std::mem::replace(&mut self.batch, AsyncBatch { late, ..AsyncBatch::default() });
        (std::mem::take(&mut self.in_batch), batch)
    }

    /// Continues a batch that was suspended. Handles that later batches have left are added to it.
    pub fn resume(&mut self, (in_batch, mut batch): (bool, AsyncBatch)) {
        batch.late.append(&mut self.batch.late);
        batch.late.extend(self.batch.due.drain().map(|Reverse((_, index))| index));
        self.batch = batch;
        self.in_batch = in_batch;
    }
}

/// The next handle of a batch.
pub(crate) enum Notified {
    /// The engine's own handle: the pool has finished work.
    Pool,
    User(Token),
}

/// Removes a closed handle. Its index is not reused while its node is in the queue.
pub(crate) fn remove(asyncs: &mut Slab<Async>, index: u32) {
    asyncs.remove(index);
    if !asyncs[index].body.node_in_use {
        asyncs.recycle(index);
    }
}
