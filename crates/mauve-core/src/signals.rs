//! The queue of signalled async handles: from any thread to the loop.
//!
//! Every async handle has a *node*. Sending marks the node and pushes it on a stack; the loop
//! takes the whole stack at once. So a wake-up costs what was signalled, not what exists.
//!
//! # Protocol
//!
//! A node's word holds the generation of the handle that owns it, the bit [`MARKED`], and how
//! many sends were merged into the one that has set it.
//!
//! * A sender with the right generation turns `unmarked` into `marked`; whoever did so, and only
//!   he, pushes the node and, if the stack was empty, wakes the loop. A sender that finds the node
//!   marked counts itself: the callback is still to come. A sender with another generation is told
//!   that the handle is closed.
//! * When the count is full, a sender only looks. That is cheaper by far, and what such senders
//!   wrote before would not be sure to be visible to the callback; so the loop, which sees that
//!   the count is full, makes sure of it for all of them with a [heavy barrier](barrier::heavy).
//! * The loop unmarks a node immediately before the callback runs, so that a send during the
//!   callback causes another one.
//! * Closing a handle moves the node to the next generation and leaves the mark alone. A marked
//!   node of a closed handle is on the stack, or a sender is about to push it; its index must not
//!   be used again until the loop has taken it off the stack. Thus a node is never pushed twice.
//!
//! * A loop that has just taken the stack looks at it again before it sleeps. So it leaves the word
//!   [`AWAKE`] there instead of [`EMPTY`], and whoever pushes on that need not wake it. About to
//!   sleep, it turns `AWAKE` into `EMPTY`; if something stands there by then, it does not sleep.
//!
//! Nodes live in chunks that are never moved or freed while the queue exists, and senders touch
//! nothing but the queue: not the engine, not the handle. Sending is wait-free apart from the
//! contention on the stack's head, and safe in a signal handler.

use mauve_sys::waker::Wake;

use crate::id::HandleId;
use crate::sync::{Arc, AtomicU32, Ordering, barrier, yield_now};

mod nodes;

use nodes::Nodes;

const MARKED: u32 = 1;
/// One in the count of merged sends, and all of the count.
const MERGED: u32 = 1 << 1;
const FULL: u32 = (1 << GENERATION_SHIFT) - MERGED;
/// A heavy barrier costs as much as some hundred counted sends, so it pays by then. A model needs
/// no more than to come by there.
const GENERATION_SHIFT: u32 = if cfg!(loom) { 2 } else { 7 };
/// Nothing is on the stack. As the top: whoever pushes wakes the loop.
const EMPTY: u32 = u32::MAX;
/// The same, as the top: the loop is awake, and will look.
const AWAKE: u32 = u32::MAX - 1;

/// The queue of one loop.
pub struct Signals {
    nodes: Nodes,
    /// The top of the stack: an index, or [`EMPTY`], or [`AWAKE`].
    top: AtomicU32,
    /// Threads between marking a node and having woken the loop.
    sending: AtomicU32,
    waker: std::sync::Arc<dyn Wake>,
}

/// One node. See the protocol above. Stays where it is as long as its queue exists.
pub struct Node {
    word: AtomicU32,
    next: AtomicU32,
}

impl Node {
    fn new() -> Self {
        Self { word: AtomicU32::new(0), next: AtomicU32::new(EMPTY) }
    }

    /// Whether sending to the handle with this [`full_word`] would change nothing: its callback is
    /// to come, and the loop sees to it that it finds what this thread has written so far.
    #[inline(always)]
    pub fn is_full(&self, full_word: u32) -> bool {
        barrier::light();
        self.word.load(Ordering::Relaxed) == full_word
    }
}

/// What the word of a handle's node is when it is marked and the count of merged sends is full.
#[inline]
pub fn full_word(id: HandleId) -> u32 {
    word_of(id.generation()) | MARKED | FULL
}

/// The handle of a sender was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl std::fmt::Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the async handle is closed")
    }
}

impl std::error::Error for Closed {}

impl Signals {
    /// An empty queue whose senders wake the loop through `waker`.
    pub fn new(waker: std::sync::Arc<dyn Wake>) -> Self {
        Self { nodes: Nodes::new(), top: AtomicU32::new(EMPTY), sending: AtomicU32::new(0), waker }
    }

    /// Signals the handle. Sends before the callback begins are merged into one.
    ///
    /// May be called from any thread and from a signal handler, and after the handle was closed.
    pub fn send(&self, id: HandleId) -> Result<(), Closed> {
        let node = self.nodes.get(id.index()).ok_or(Closed)?;
        if node.is_full(full_word(id)) {
            return Ok(());
        }
        let mut word = node.word.load(Ordering::Relaxed);
        loop {
            if generation_of(word) != id.generation() {
                return Err(Closed);
            }
            if word & MARKED != 0 {
                match self.merge(node, word) {
                    Ok(_) => return Ok(()),
                    Err(now) => word = now,
                }
                continue;
            }
            self.sending.fetch_add(1, Ordering::Acquire);
            let marked = self.exchange(node, word, word | MARKED);
            if marked.is_ok() {
                self.push(node, id.index());
            }
            self.sending.fetch_sub(1, Ordering::Release);
            match marked {
                Ok(_) => return Ok(()),
                Err(now) => word = now,
            }
        }
    }

    /// Has a marked node's callback see what this thread wrote before sending.
    fn merge(&self, node: &Node, word: u32) -> Result<u32, u32> {
        // Not just a load: the exchange is what orders it. The last one says that others need not.
        let counted = word + if word & FULL == FULL { 0 } else { MERGED };
        let counts = counted & FULL != FULL || barrier::is_offered();
        self.exchange(node, word, if counts { counted } else { word })
    }

    /// The node of a handle.
    pub fn node_of(&self, id: HandleId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    fn exchange(&self, node: &Node, old: u32, new: u32) -> Result<u32, u32> {
        node.word.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)
    }

    fn push(&self, node: &Node, index: u32) {
        let mut top = self.top.load(Ordering::Relaxed);
        loop {
            node.next.store(if is_index(top) { top } else { EMPTY }, Ordering::Relaxed);
            match self.top.compare_exchange(top, index, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) if top == EMPTY => return self.waker.wake(),
                Ok(_) => return,
                Err(now) => top = now,
            }
        }
    }

    /// Whether something was signalled. Of use to the loop's thread only.
    pub(crate) fn is_empty(&self) -> bool {
        !is_index(self.top.load(Ordering::Relaxed))
    }

    /// Takes everything off the stack; the indices come in no particular order. Nobody wakes the
    /// loop from then on, until it [falls asleep](Self::fall_asleep).
    #[inline]
    pub(crate) fn take(&self, mut taken: impl FnMut(u32)) {
        let mut index = self.top.swap(AWAKE, Ordering::AcqRel);
        while is_index(index) {
            // Read first: once it is taken, it may be pushed again.
            let next = self.node(index).next.load(Ordering::Relaxed);
            taken(index);
            index = next;
        }
    }

    /// Has senders wake the loop again. Returns false if something was signalled meanwhile: then
    /// nobody does, and the loop must not sleep.
    pub(crate) fn fall_asleep(&self) -> bool {
        let top = self.top.compare_exchange(AWAKE, EMPTY, Ordering::AcqRel, Ordering::Relaxed);
        matches!(top, Ok(_) | Err(EMPTY))
    }

    /// As [`fall_asleep`](Self::fall_asleep), for a loop that will not look for a while: what was
    /// signalled meanwhile wakes it after all, and so does what it has `kept` of what it took.
    pub(crate) fn leave(&self, kept: bool) {
        if !self.fall_asleep() || kept {
            self.waker.wake();
        }
    }

    /// The generation of the next handle at `index`: more than that of any sender there ever was.
    pub(crate) fn generation_at(&self, index: u32) -> u32 {
        let word = self.nodes.get(index).map_or(0, |node| node.word.load(Ordering::Relaxed));
        generation_of(word)
    }

    /// Gives the node at `id`'s index to that handle.
    pub(crate) fn open(&self, id: HandleId) {
        self.nodes.grow_to(id.index());
        self.node(id.index()).word.store(word_of(id.generation()), Ordering::Release);
    }

    /// Allows further sends: the callback is about to run.
    pub(crate) fn unmark(&self, index: u32) {
        let word = self.node(index).word.fetch_and(!(MARKED | FULL), Ordering::AcqRel);
        if word & FULL == FULL {
            barrier::heavy();
        }
    }

    /// Closes the node for senders. Returns whether it is marked: then the index stays in use
    /// until [`take`](Self::take) has returned it and it was unmarked.
    pub(crate) fn close(&self, id: HandleId) -> bool {
        // Only the generation moves on; a sender may set the mark meanwhile.
        let step = word_of(1);
        self.node(id.index()).word.fetch_add(step, Ordering::AcqRel) & MARKED != 0
    }

    /// Waits until no thread is inside [`send`](Self::send) with a right to wake. Called when all
    /// handles are closed and the waker's descriptor is about to be.
    pub fn settle(&self) {
        while self.sending.load(Ordering::Acquire) != 0 {
            yield_now();
        }
    }

    /// In a forked child, where no other thread exists: puts every marked node of the first `count`
    /// on the stack, and nothing else. A sender of the parent may have been interrupted anywhere
    /// between marking its node and having woken the loop.
    pub(crate) fn mend_after_fork(&self, count: u32) {
        self.sending.store(0, Ordering::Release);
        self.top.store(EMPTY, Ordering::Release);
        for index in 0..count {
            let Some(node) = self.nodes.get(index) else { break };
            if node.word.load(Ordering::Acquire) & MARKED != 0 {
                self.push(node, index);
            }
        }
    }

    fn node(&self, index: u32) -> &Node {
        self.nodes.get(index).expect("the node of an opened handle")
    }
}

fn is_index(top: u32) -> bool {
    top < AWAKE
}

fn word_of(generation: u32) -> u32 {
    generation << GENERATION_SHIFT
}

fn generation_of(word: u32) -> u32 {
    word >> GENERATION_SHIFT
}

/// Signals one async handle from any thread. Outlives the handle, and the loop.
#[derive(Clone)]
pub struct Sender {
    signals: Arc<Signals>,
    id: HandleId,
}

impl Sender {
    pub(crate) fn new(signals: Arc<Signals>, id: HandleId) -> Self {
        Self { signals, id }
    }

    /// See [`Signals::send`].
    pub fn send(&self) -> Result<(), Closed> {
        self.signals.send(self.id)
    }
}

#[cfg(all(test, loom))]
mod model;
