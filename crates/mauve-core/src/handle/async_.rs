//! Async handles: wake-ups from other threads.
//!
//! The protocol with the senders is in [`wakeups`](crate::wakeups); here is the loop's side of it.
//! Notified handles are called in the order of their creation, as libuv does. A handle that is
//! notified during a round is called in the same round if its turn is still to come.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mauve_sys::driver::Driver;

use crate::Engine;
use crate::id::{HandleId, Token};
use crate::slab::Life;
use crate::sync::Arc;
use crate::wakeups::{AsyncSender, WakeupQueue};

/// The state of one async handle, beyond its node.
#[derive(Default)]
pub(crate) struct Async {
    /// Closed while notified: the index is not used again until its node was taken.
    node_in_use: bool,
}

/// The round over the notified handles.
#[derive(Default)]
pub(crate) struct Round {
    /// The handles to call, the oldest on top: order of creation and index.
    due: BinaryHeap<Reverse<(u64, u32)>>,
    /// Notified after their turn: they are called in the next round.
    late: Vec<u32>,
    /// The order of creation of the handle that was called last.
    last: u64,
    /// The birth of the newest handle when the round began. Newer ones wait for the next round.
    newest: u64,
    /// Whether the current poll phase has begun a round. It has one at most, as with libuv: what is
    /// notified after its turn waits for the next iteration.
    pub has_begun: bool,
}

impl Round {
    /// Whether something is left to the next round.
    pub fn has_left(&self) -> bool {
        !self.late.is_empty() || !self.due.is_empty()
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
        }
    }

    pub fn is_pending(&self) -> bool {
        self.in_round
    }

    /// The loop is closed, and so are all handles: leaves an empty queue that no sender touches.
    pub fn close(&mut self) {
        let due = self.round.due.drain().map(|Reverse((_, index))| index);
        for index in due.chain(self.round.late.drain(..)) {
            self.queue.clear(index);
            self.closed_notified = self.closed_notified.saturating_sub(1);
        }
        self.queue.drain(self.closed_notified);
        self.awake = false;
    }

    /// Takes what the current round has left. Handles that were notified after their turn stay:
    /// the next round calls them, whichever run it belongs to.
    pub fn suspend(&mut self) -> (bool, Round) {
        let late = std::mem::take(&mut self.round.late);
        let round = std::mem::replace(&mut self.round, Round { late, ..Round::default() });
        (std::mem::take(&mut self.in_round), round)
    }

    /// Continues a round that was suspended. What the rounds since then have left is added to it.
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
        let born = self.table.birth();
        let queue = &self.wakeups.queue;
        let id = self
            .table
            .asyncs
            .insert_with(token, born, Async::default(), |index| queue.generation_at(index));
        self.table.asyncs[id.index()].head.activate(&mut self.active);
        self.wakeups.queue.open(id);
        id
    }

    /// What other threads send with.
    pub fn sender(&self, id: HandleId) -> AsyncSender {
        AsyncSender::new(self.wakeups.queue.clone(), id)
    }

    /// Begins a round over the notified handles.
    pub(crate) fn begin_round(&mut self) {
        self.wakeups.round.has_begun = true;
        self.wakeups.round.last = 0;
        self.wakeups.round.newest = self.table.last_birth();
        while let Some(index) = self.wakeups.round.late.pop() {
            let born = self.table.asyncs.born(index);
            self.wakeups.round.due.push(Reverse((born, index)));
        }
    }

    /// The next handle of the round; its node is open for sends again.
    pub(crate) fn next_notified(&mut self) -> Option<Notified> {
        self.take_notified();
        while let Some(Reverse((born, index))) = self.wakeups.round.due.pop() {
            let is_pool = index == self.pool.outbox.notified_handle().index();
            if is_pool && self.pool.finished.early {
                self.wakeups.round.late.push(index);
                continue;
            }
            self.wakeups.queue.clear(index);
            let head = &self.table.asyncs[index].head;
            if head.life() != Life::Active {
                self.node_taken(index);
                continue;
            }
            self.wakeups.round.last = born;
            return Some(if is_pool { Notified::Pool } else { Notified::User(head.token) });
        }
        None
    }

    fn take_notified(&mut self) {
        // The first time in any case: senders to the handles of this round learn that the loop is
        // awake.
        if self.wakeups.awake && self.wakeups.queue.is_empty() {
            return;
        }
        self.wakeups.awake = true;
        let Self { wakeups, table, .. } = self;
        let is_going_on = wakeups.round.last > 0;
        wakeups.queue.take(|index| {
            let born = table.asyncs.born(index);
            if born > wakeups.round.last && born <= wakeups.round.newest {
                wakeups.round.due.push(Reverse((born, index)));
                // With libuv the descriptor that the sender has written to is still readable after
                // the round, and the next wait ends at once.
                wakeups.missed |= is_going_on;
            } else {
                wakeups.round.late.push(index);
            }
        });
    }

    /// In a forked child: notifies the handles again that were notified. The threads that sent are
    /// gone, and so is the descriptor that they wrote to.
    pub(crate) fn mend_wakeups(&mut self) {
        self.wakeups.awake = false;
        self.wakeups.round.due.clear();
        self.wakeups.round.late.clear();
        self.wakeups.queue.mend_after_fork(self.table.asyncs.len());
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

    /// The node of a closed handle was taken off the queue.
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
