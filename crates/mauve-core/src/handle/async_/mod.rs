//! Async handles: wake-ups from other threads.
//!
//! The protocol with the senders is in [`wakeups`](crate::wakeups); here is the loop's side of it.
//! Notified handles are called in the order of libuv's list of handles, which is mostly that of their
//! creation ([`place`]). A handle that is notified during a round is called in the same round if it comes
//! after the current one.

mod place;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::id::{HandleId, Token};
use crate::slab::Life;
use crate::sync::Arc;
use crate::wakeups::{AsyncSender, WakeupQueue};

/// The state of one async handle, beyond its node.
pub(crate) struct Async {
    /// Its place in the order of all async handles of the loop.
    place: u64,
    /// Closed while notified. The index is not reused until the node is taken off the queue.
    node_in_use: bool,
}

impl Async {
    /// The engine's own handle, by which the pool notifies it.
    pub fn of_pool() -> Self {
        Self { place: place::OF_POOL, node_in_use: false }
    }
}

/// The round over the notified handles.
#[derive(Default)]
pub(crate) struct Round {
    /// The handles to call, by place and index. The first one is on top.
    due: BinaryHeap<Reverse<(u64, u32)>>,
    /// Handles with a place before the last called one. They are called in the next round.
    late: Vec<u32>,
    /// The place of the handle that was called last.
    last: u64,
    /// The place behind which a handle is inserted that a callback of the round makes.
    behind: u64,
    /// The next place after it, if it is known. The greatest number if there is none.
    next: Option<u64>,
    /// The sequence number of the newest handle when the round began. Newer handles wait for the next
    /// round.
    newest: u64,
    /// Whether the current poll phase has begun a round. As in libuv, it has at most one: handles
    /// that are notified too late for the round wait for the next iteration.
    pub has_begun: bool,
}

impl Round {
    /// Whether handles are left for the next round.
    pub fn has_left(&self) -> bool {
        !self.late.is_empty() || !self.due.is_empty()
    }

    /// Notes that the handle with this place is being called.
    fn visit(&mut self, place: u64) {
        self.last = place;
        self.behind = place;
        self.next = None;
    }

    /// Begins a report of requests that were done without the pool. In libuv the pool's notification
    /// reports them.
    pub fn begin_inline_work(&mut self) {
        self.behind = place::OF_POOL;
        self.next = None;
    }
}

/// The loop's side of the wake-up queue.
pub(crate) struct Wakeups {
    pub queue: Arc<WakeupQueue>,
    pub round: Round,
    /// Whether the round is being reported.
    pub in_round: bool,
    /// Whether senders rely on the loop to check the queue before it sleeps.
    pub awake: bool,
    /// How many closed handles have a node that is still to be taken.
    closed_notified: usize,
    /// Whether the driver has reported a wake-up that no poll phase has handled.
    pub missed: bool,
    /// The greatest place.
    last_place: u64,
}

impl Wakeups {
    pub fn new(queue: Arc<WakeupQueue>) -> Self {
        Self {
            queue,
            round: Round::default(),
            in_round: false,
            awake: false,
            closed_notified: 0,
            missed: false,
            last_place: place::OF_POOL,
        }
    }

    pub fn is_pending(&self) -> bool {
        self.in_round
    }

    /// Drains the queue of a loop whose handles are all closed. No sender touches it afterwards.
    pub fn close(&mut self) {
        let due = self.round.due.drain().map(|Reverse((_, index))| index);
        for index in due.chain(self.round.late.drain(..)) {
            self.queue.clear(index);
            self.closed_notified = self.closed_notified.saturating_sub(1);
        }
        self.queue.drain(self.closed_notified);
        self.awake = false;
    }

    /// Takes the rest of the current round. Late handles stay, and the next round calls them, even if
    /// it belongs to another run.
    pub fn suspend(&mut self) -> (bool, Round) {
        let late = std::mem::take(&mut self.round.late);
        let round = std::mem::replace(&mut self.round, Round { late, ..Round::default() });
        (std::mem::take(&mut self.in_round), round)
    }

    /// Continues a round that was suspended. Handles that later rounds have left are added to it.
    pub fn resume(&mut self, (in_round, mut round): (bool, Round)) {
        round.late.append(&mut self.round.late);
        round.late.extend(self.round.due.drain().map(|Reverse((_, index))| index));
        self.round = round;
        self.in_round = in_round;
    }
}

/// The next handle of a round.
pub(crate) enum Notified {
    /// The engine's own handle: the pool has finished work.
    Pool,
    User(Token),
}

impl<D: Driver> Engine<D> {
    /// Makes an async handle. It is active at once, and until it is closed.
    #[doc(alias = "uv_async_init")]
    pub fn open_async(&mut self, token: Token) -> HandleId {
        let sequence = self.table.next_sequence();
        let body = Async { place: self.place_of_new(), node_in_use: false };
        let queue = &self.wakeups.queue;
        let first = |index| queue.generation_at(index);
        let id = self.table.asyncs.insert_with(token, sequence, body, first);
        self.table.asyncs[id.index()].head.activate(&mut self.active);
        self.wakeups.queue.open(id);
        self.trace_open(id, token);
        id
    }

    /// Returns a sender, with which other threads notify the handle.
    pub fn sender(&self, id: HandleId) -> AsyncSender {
        AsyncSender::new(self.wakeups.queue.clone(), id)
    }

    /// Begins a round over the notified handles.
    pub(crate) fn begin_round(&mut self) {
        self.wakeups.round.has_begun = true;
        self.wakeups.round.last = 0;
        self.wakeups.round.newest = self.table.last_sequence();
        while let Some(index) = self.wakeups.round.late.pop() {
            let place = self.table.asyncs[index].body.place;
            self.wakeups.round.due.push(Reverse((place, index)));
        }
    }

    /// The next handle of the round; its node is open for sends again.
    pub(crate) fn next_notified(&mut self) -> Option<Notified> {
        self.take_notified();
        while let Some(Reverse((place, index))) = self.wakeups.round.due.pop() {
            let is_pool = index == self.pool.outbox.notified_handle().index();
            if is_pool && self.pool.finished.is_inline {
                self.keep_pool_wakeup(index);
                continue;
            }
            self.wakeups.queue.clear(index);
            let head = &self.table.asyncs[index].head;
            if head.life() != Life::Active {
                self.node_taken(index);
                continue;
            }
            self.wakeups.round.visit(place);
            return Some(if is_pool { Notified::Pool } else { Notified::User(head.token) });
        }
        None
    }

    /// Handles the pool's notification in a phase that has taken the finished work already. It is
    /// kept for the next round if more work has finished. Otherwise it is stale, and the next
    /// iteration may wait.
    #[cold]
    fn keep_pool_wakeup(&mut self, index: u32) {
        if self.pool.outbox.has_finished() {
            self.wakeups.round.late.push(index);
            return;
        }
        self.wakeups.queue.clear(index);
        // Work that has finished in between has found the handle notified.
        if self.pool.outbox.has_finished() {
            self.pool.outbox.notify();
        }
    }

    fn take_notified(&mut self) {
        // If the loop is not marked as awake yet, `take` marks it, even in an empty queue. Senders
        // then need not wake it.
        if self.wakeups.awake && self.wakeups.queue.is_empty() {
            return;
        }
        self.wakeups.awake = true;
        let Self { wakeups, table, .. } = self;
        let is_going_on = wakeups.round.last > 0;
        wakeups.queue.take(|index| {
            let (sequence, place) = (table.asyncs.sequence(index), table.asyncs[index].body.place);
            if place > wakeups.round.last && sequence <= wakeups.round.newest {
                wakeups.round.due.push(Reverse((place, index)));
                // With libuv the descriptor that the sender has written to is still readable after
                // the round, and the next wait ends at once.
                wakeups.missed |= is_going_on;
            } else {
                wakeups.round.late.push(index);
            }
        });
    }

    /// In a forked child: queues the notified handles again. The sending threads do not exist in the
    /// child, and it has a new wake-up descriptor.
    pub(crate) fn requeue_wakeups(&mut self) {
        self.wakeups.awake = false;
        self.wakeups.round.due.clear();
        self.wakeups.round.late.clear();
        self.wakeups.queue.requeue_after_fork(self.table.asyncs.len());
    }

    /// Closes the node of a handle that is about to close.
    pub(crate) fn close_node(&mut self, id: HandleId) {
        let in_use = self.wakeups.queue.close(id);
        self.table.asyncs[id.index()].body.node_in_use = in_use;
        self.wakeups.closed_notified += usize::from(in_use);
    }

    pub(crate) fn end_async(&mut self, index: u32) {
        self.table.asyncs.remove(index);
        if !self.table.asyncs[index].body.node_in_use {
            self.table.asyncs.recycle(index);
        }
    }

    /// Called when the node of a closed handle was taken off the queue.
    fn node_taken(&mut self, index: u32) {
        let entry = &mut self.table.asyncs[index];
        if std::mem::take(&mut entry.body.node_in_use) {
            self.wakeups.closed_notified -= 1;
        }
        if entry.head.is_vacant() {
            self.table.asyncs.recycle(index);
        }
    }
}
