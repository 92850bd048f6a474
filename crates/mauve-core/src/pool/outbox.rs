//! Where finished jobs wait for their loops.
//!
//! The lists of all loops stand behind the pool's own lock: a thread hands in what it has finished
//! and takes what is next in one go. The first job in an empty list makes somebody ring the loop's
//! bell; the loop then takes the whole list.

use std::collections::VecDeque;

use mauve_sys::Result;
use mauve_sys::fs::read_batch::FileRead;

use super::{Action, Pool, Task, Ticket, Work};
use crate::id::{HandleId, RequestId};
use crate::sync::{Arc, lock};
use crate::wakeups::WakeupQueue;

/// So many finished jobs at once announce a burst of submissions. Fewer are told sooner than a
/// thread has fallen into a doze and been stirred. A model has to make do with few.
const MANY: usize = if cfg!(loom) { 1 } else { 64 };

/// A job that has ended, or was cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Finished {
    /// The request it was submitted under.
    pub request: RequestId,
    /// `Ok`, or `ECANCELED`.
    pub result: Result<()>,
}

/// What wakes a loop: its own async handle.
pub(crate) struct Bell {
    signals: Arc<WakeupQueue>,
    handle: HandleId,
}

impl Bell {
    pub(super) fn ring(&self) {
        // The handle is closed only with the loop, and then nobody waits for anything.
        let _ = self.signals.send(self.handle);
    }
}

/// A loop's place at a pool: what it submits comes back here.
pub(crate) struct Outbox {
    pool: Pool,
    index: u32,
    bell: Arc<Bell>,
}

/// What has come back with the finished jobs that carry something, and their requests. It is taken
/// from the end, in the order in which they have finished.
pub(crate) type Carried = Vec<(RequestId, Box<dyn Work>)>;

impl Outbox {
    /// Gives a loop a place at `pool`; its async handle `handle` rings when something has finished.
    pub fn new(pool: Pool, signals: Arc<WakeupQueue>, handle: HandleId) -> Self {
        let bell = Arc::new(Bell { signals, handle });
        let index = lock(&pool.shared.state).outboxes.open(bell.clone());
        Self { pool, index, bell }
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    pub(super) fn index(&self) -> u32 {
        self.index
    }

    /// The handle that rings when something has finished.
    pub fn bell(&self) -> HandleId {
        self.bell.handle
    }

    /// Puts something in that did not come from the pool.
    pub fn put(&self, finished: Finished, carried: Option<Box<dyn Work>>) {
        let first = lock(&self.pool.shared.state).outboxes.add(self.index, finished, carried);
        if first {
            self.bell.ring();
        }
    }

    /// Swaps the finished jobs for the empty list `taken`, and puts what came with them before
    /// what is in `carried`.
    pub fn take(&self, taken: &mut Vec<Finished>, carried: &mut Carried) {
        debug_assert!(taken.is_empty());
        lock(&self.pool.shared.state).outboxes.take(self.index, taken, carried);
    }

    /// Moves the finished jobs to the end of `early`, and what came with them as [`take`](Self::take)
    /// does.
    pub fn take_early(&self, early: &mut Vec<Finished>, carried: &mut Carried) {
        lock(&self.pool.shared.state).outboxes.take_early(self.index, early, carried);
    }

    /// The outbox of a forked child, at a pool of its own. What had finished before goes to
    /// `finished`. If a thread of the parent held the lock at the fork, it is lost.
    pub fn after_fork(&self, finished: &mut Vec<Finished>, carried: &mut Carried) -> Self {
        if let Ok(mut state) = self.pool.shared.state.try_lock() {
            let mut list = Vec::new();
            state.outboxes.take(self.index, &mut list, carried);
            // They are taken from the end.
            finished.splice(0..0, list.into_iter().rev());
        }
        let pool = self.pool.of_this_process();
        Self::new(pool, self.bell.signals.clone(), self.bell.handle)
    }

    /// In a forked child, before [`after_fork`](Self::after_fork): whether a job was waiting for a
    /// thread of the parent, and brings nothing back. It can be cancelled.
    pub fn was_queued(&self, ticket: Ticket) -> bool {
        let Ok(mut state) = self.pool.shared.state.try_lock() else { return false };
        let job = state.queue.cancel(ticket);
        job.is_some_and(|job| !matches!(job.action, Action::Task(Task::Carry(_))))
    }
}

/// The lists of all loops that share a pool.
#[derive(Default)]
pub(super) struct Outboxes {
    lists: Vec<List>,
    /// Lists that were empty, are not any more, and whose loop has not heard of it.
    unrung: Vec<u32>,
}

pub(super) struct List {
    bell: Arc<Bell>,
    finished: Vec<Finished>,
    /// What comes back with some of them.
    carried: Carried,
    /// Reads that no thread has started, in the order of their jobs in the queue.
    pub reads: VecDeque<FileRead>,
    /// Jobs that have been submitted and not come back.
    awaited: usize,
    /// Whether the loop has taken a long list and not told of all that was in it: its callbacks
    /// are running, and submit more.
    telling: bool,
}

impl List {
    /// Moves what came back with finished jobs to the loop, behind what that has not reported yet.
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
    /// A place for a loop: that of one which is gone, if there is any. Loops do not say good-bye,
    /// for they may be closed in a forked child, where the pool's lock must not be waited for.
    fn open(&mut self, bell: Arc<Bell>) -> u32 {
        let (finished, carried, reads) = (Vec::new(), Vec::new(), VecDeque::new());
        let list = List { bell, finished, carried, reads, awaited: 0, telling: false };
        let unused = |list: &List| list.awaited == 0 && Arc::strong_count(&list.bell) == 1;
        match self.lists.iter().position(unused) {
            Some(index) => {
                self.unrung.retain(|unrung| *unrung != index as u32);
                self.lists[index] = list;
                index as u32
            }
            None => {
                self.lists.push(list);
                self.lists.len() as u32 - 1
            }
        }
    }

    /// Counts a job that will come back, or one fewer that will.
    #[inline]
    pub fn expect(&mut self, index: u32) {
        self.lists[index as usize].awaited += 1;
    }

    #[inline]
    pub fn dismiss(&mut self, index: u32) {
        self.dismiss_all(index, 1);
    }

    #[inline]
    pub fn dismiss_all(&mut self, index: u32, count: usize) {
        self.lists[index as usize].awaited -= count;
    }

    /// The list of a loop.
    #[inline]
    pub fn list(&mut self, index: u32) -> &mut List {
        &mut self.lists[index as usize]
    }

    /// The read that belongs to the first job of the queue that stands for one of this loop.
    pub fn take_read(&mut self, index: u32) -> FileRead {
        self.list(index).reads.pop_front().expect("each has its job in the queue")
    }

    /// Takes the finished jobs out of the list before its loop is notified: it is about to report
    /// something that ends after them.
    pub fn take_early(&mut self, index: u32, early: &mut Vec<Finished>, carried: &mut Carried) {
        let list = &mut self.lists[index as usize];
        if !list.finished.is_empty() {
            early.append(&mut list.finished);
            list.give_carried(carried);
            self.unrung.retain(|unrung| *unrung != index);
        }
    }

    /// Takes in a job that comes back. Its loop is to be rung if it is in
    /// [`take_unrung`](Self::take_unrung).
    #[inline]
    pub fn hand_in(&mut self, index: u32, finished: Finished, carried: Option<Box<dyn Work>>) {
        self.dismiss(index);
        if self.add(index, finished, carried) {
            self.unrung.push(index);
        }
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

    fn take(&mut self, index: u32, taken: &mut Vec<Finished>, carried: &mut Carried) {
        let list = &mut self.lists[index as usize];
        std::mem::swap(&mut list.finished, taken);
        list.give_carried(carried);
        list.telling = taken.len() >= MANY;
        self.unrung.retain(|unrung| *unrung != index);
    }

    /// Whether the loop is telling of many finished jobs, and so likely to submit others.
    #[inline]
    pub fn is_telling(&self, index: u32) -> bool {
        self.lists.get(index as usize).is_some_and(|list| list.telling)
    }

    pub fn all_told(&mut self, index: u32) {
        self.lists[index as usize].telling = false;
    }

    /// The bells that the caller is to ring, without holding the lock.
    pub fn take_unrung(&mut self, bells: &mut Vec<Arc<Bell>>) {
        for index in self.unrung.drain(..) {
            bells.push(self.lists[index as usize].bell.clone());
        }
    }
}
