//! Async handles: wake-ups from other threads.
//!
//! The traffic is in [`signals`](crate::signals); here is the loop's side of it. Signalled
//! handles are called in the order of their creation, as libuv does, and one that is signalled
//! while the round is on is still called in it if its turn is to come.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mauve_sys::poller::Driver;

use crate::Engine;
use crate::id::{HandleId, Token};
use crate::signals::{Sender, Signals};
use crate::slab::Life;
use crate::sync::Arc;

/// The state of one async handle, beyond its node.
#[derive(Default)]
pub(crate) struct Async {
    /// Closed with a signal under way: the index rests until the signal has arrived.
    awaits_signal: bool,
}

/// The round over the signalled handles.
#[derive(Default)]
pub(crate) struct Round {
    /// The handles to call, the oldest on top: order of creation and index.
    due: BinaryHeap<Reverse<(u64, u32)>>,
    /// Signalled after their turn: they wait for the next round.
    late: Vec<u32>,
    /// Who was called last.
    last: u64,
}

impl Round {
    /// Whether it has left something to the next one.
    pub fn has_left(&self) -> bool {
        !self.late.is_empty() || !self.due.is_empty()
    }
}

/// The loop's side of the wake-up queue.
pub(crate) struct Wakeups {
    pub queue: Arc<Signals>,
    pub round: Round,
    /// Whether the round is being reported.
    pub in_round: bool,
    /// Whether senders rely on the loop to check the queue before it sleeps.
    pub awake: bool,
    /// Whether the driver has reported a wake-up that no poll phase has handled.
    pub missed: bool,
}

impl Wakeups {
    pub fn new(queue: Arc<Signals>) -> Self {
        Self { queue, round: Round::default(), in_round: false, awake: false, missed: false }
    }

    pub fn is_pending(&self) -> bool {
        self.in_round
    }

    /// Takes the current round.
    pub fn suspend(&mut self) -> (bool, Round) {
        (std::mem::take(&mut self.in_round), std::mem::take(&mut self.round))
    }

    /// Continues a round that was suspended. What the rounds since then have left is added to it.
    pub fn resume(&mut self, (in_round, mut round): (bool, Round)) {
        round.late.append(&mut self.round.late);
        round.late.extend(self.round.due.drain().map(|Reverse((_, index))| index));
        self.round = round;
        self.in_round = in_round;
    }
}

/// Who is next in the round.
pub(crate) enum Rung {
    /// The engine's own handle: jobs of the pool have ended.
    Bell,
    User(Token),
}

impl<D: Driver> Engine<D> {
    /// Makes an async handle. It is active at once, and until it is closed.
    #[doc(alias = "uv_async_init")]
    pub fn open_async(&mut self, token: Token) -> HandleId {
        let born = self.table.birth();
        let signals = &self.wakeups.queue;
        let id = self
            .table
            .asyncs
            .insert_with(token, born, Async::default(), |index| signals.generation_at(index));
        self.table.asyncs[id.index()].head.activate(&mut self.active);
        self.wakeups.queue.open(id);
        id
    }

    /// What other threads send with.
    pub fn sender(&self, id: HandleId) -> Sender {
        Sender::new(self.wakeups.queue.clone(), id)
    }

    /// Begins a round over what has been signalled.
    pub(crate) fn begin_round(&mut self) {
        self.wakeups.round.last = 0;
        while let Some(index) = self.wakeups.round.late.pop() {
            self.enlist(index);
        }
    }

    /// The next handle of the round; its node is open for sends again.
    pub(crate) fn next_rung(&mut self) -> Option<Rung> {
        self.take_signalled();
        while let Some(Reverse((born, index))) = self.wakeups.round.due.pop() {
            self.wakeups.queue.unmark(index);
            let head = &self.table.asyncs[index].head;
            if head.life() != Life::Active {
                self.signal_arrived(index);
                continue;
            }
            self.wakeups.round.last = born;
            let is_bell = index == self.pool.outbox.bell().index();
            return Some(if is_bell { Rung::Bell } else { Rung::User(head.token) });
        }
        None
    }

    fn take_signalled(&mut self) {
        // Asked once in any case: what is left of an earlier round was not signalled in this one, and
        // those who send to this one's handles are to know that the loop is awake.
        if self.wakeups.awake && self.wakeups.queue.is_empty() {
            return;
        }
        self.wakeups.awake = true;
        let Self { wakeups, table, .. } = self;
        wakeups.queue.take(|index| {
            let born = table.asyncs.born(index);
            if born > wakeups.round.last {
                wakeups.round.due.push(Reverse((born, index)));
            } else {
                wakeups.round.late.push(index);
            }
        });
    }

    fn enlist(&mut self, index: u32) {
        self.wakeups.round.due.push(Reverse((self.table.asyncs.born(index), index)));
    }

    /// In a forked child: signals on their way are sent again. The threads that were sending them
    /// are gone, and the bell they rang was the parent's.
    pub(crate) fn mend_signals(&mut self) {
        self.wakeups.awake = false;
        self.wakeups.round.due.clear();
        self.wakeups.round.late.clear();
        self.wakeups.queue.mend_after_fork(self.table.asyncs.len());
    }

    /// Closes the node of a handle that is about to close.
    pub(crate) fn silence_async(&mut self, id: HandleId) {
        self.table.asyncs[id.index()].body.awaits_signal = self.wakeups.queue.close(id);
    }

    pub(crate) fn end_async(&mut self, index: u32) {
        self.table.asyncs.remove(index);
        if !self.table.asyncs[index].body.awaits_signal {
            self.table.asyncs.recycle(index);
        }
    }

    /// A signal of a closed handle was taken off the queue.
    fn signal_arrived(&mut self, index: u32) {
        let entry = &mut self.table.asyncs[index];
        entry.body.awaits_signal = false;
        if entry.head.is_vacant() {
            self.table.asyncs.recycle(index);
        }
    }
}
