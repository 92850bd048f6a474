//! The queue of notified async handles: from any thread to the loop.
//!
//! Every async handle has a *node*. A send marks the node and pushes it on a stack; the loop takes
//! the whole stack at once. So the cost of a wake-up depends on the number of notified handles only.
//!
//! # Protocol
//!
//! A node's `state` holds the generation of the handle that owns it and the bit [`NOTIFIED`].
//!
//! * A sender with the right generation sets the bit. The sender that has set it, and no other,
//!   pushes the node and, if the loop may sleep, notifies the loop. A sender that finds the bit set
//!   does nothing: the callback is still to come. For a sender with another generation the
//!   handle is closed, and the send fails.
//! * The loop clears the bit immediately before the callback runs, so that a send during the
//!   callback causes another one.
//! * What a sender wrote before the send is visible to the callback that follows. A sender that sets
//!   the bit is ordered by its exchange. A sender that finds it set has only read, so there is a
//!   full fence before it reads, and another one after the loop has cleared the bit. Either the
//!   sender sees the cleared bit, or the callback sees what the sender wrote. The sender's fence
//!   touches no shared cache line: senders that are merged do not slow down the loop.
//! * Closing a handle moves the node to the next generation and leaves the bit alone. A notified node
//!   of a closed handle is on the stack, or a sender is about to push it. Its index must not be used
//!   again until the loop has taken it off the stack. Thus a node is never pushed twice.
//! * A loop that has just taken the stack checks it again before it sleeps. So it leaves [`AWAKE`] at
//!   the top instead of [`PARKED`], and a sender that pushes on that need not notify it. About to
//!   sleep, it turns `AWAKE` into `PARKED`. If a node is there by then, it does not sleep.
//! * A sender that notifies the loop counts itself in `notifying` before it pushes, and until it is
//!   done. The waker's descriptor is closed when every notified node was taken and the count is
//!   zero ([`drain`](WakeupQueue::drain)). A loop that took a node without being notified sees the count of
//!   its sender, and waits for it before it closes a handle ([`await_notifiers`](WakeupQueue::await_notifiers)).
//!
//! Nodes live in chunks that are never moved or freed while the queue exists, and senders touch
//! nothing but the queue: not the engine, not the handle. Sending is wait-free apart from the
//! contention on the stack's top, and safe in a signal handler.

use std::fmt;

use mauve_sys::waker::Notify;

use crate::id::HandleId;
use crate::sync::{Arc, AtomicU32, Ordering, Patience, full_fence, yield_now};
use crate::trace;

mod nodes;

use nodes::Nodes;

const NOTIFIED: u32 = 1;
const GENERATION_SHIFT: u32 = 1;
/// The top of an empty stack. The loop may sleep: a sender that pushes notifies it.
const PARKED: u32 = u32::MAX;
/// The top of an empty stack. The loop is awake, and checks the stack before it sleeps.
const AWAKE: u32 = u32::MAX - 1;

/// The wake-up queue of one loop.
pub struct WakeupQueue {
    nodes: Nodes,
    waker: std::sync::Arc<dyn Notify>,
    /// The number of the loop in traces.
    loop_number: std::sync::atomic::AtomicU16,
    stack: Stack,
}

/// The fields that senders and the loop write, on a cache line of their own.
#[repr(align(128))]
struct Stack {
    /// The index of the top node, or [`PARKED`], or [`AWAKE`].
    top: AtomicU32,
    /// Senders that have pushed a node, or are about to, and notify the loop of it.
    notifying: AtomicU32,
}

/// One node. See the protocol above. Stays where it is as long as its queue exists.
pub struct Node {
    state: AtomicU32,
    next: AtomicU32,
}

impl Node {
    fn new() -> Self {
        Self { state: AtomicU32::new(0), next: AtomicU32::new(PARKED) }
    }

    /// Whether the handle with this [`notified_state`] is notified already. Then a send has nothing
    /// left to do: the callback is still to come, and sees what this thread has written so far.
    #[inline(always)]
    pub fn is_notified(&self, notified_state: u32) -> bool {
        full_fence();
        self.state.load(Ordering::Relaxed) == notified_state
    }
}

/// The `state` of a handle's node while the handle is notified.
#[inline]
pub fn notified_state(id: HandleId) -> u32 {
    state_of(id.generation()) | NOTIFIED
}

/// The handle of a sender was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendError;

impl std::fmt::Display for SendError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the async handle is closed")
    }
}

impl std::error::Error for SendError {}

impl WakeupQueue {
    /// An empty queue whose senders notify the loop through `waker`.
    pub fn new(waker: std::sync::Arc<dyn Notify>) -> Self {
        let stack = Stack { top: AtomicU32::new(PARKED), notifying: AtomicU32::new(0) };
        Self { nodes: Nodes::new(), waker, loop_number: Default::default(), stack }
    }

    /// Notifies the handle. Sends before the callback begins are merged into one.
    ///
    /// May be called from any thread and from a signal handler, and after the handle was closed.
    #[inline(always)]
    pub fn send(&self, id: HandleId) -> Result<(), SendError> {
        let node = self.nodes.get(id.index()).ok_or(SendError)?;
        full_fence();
        let mut state = node.state.load(Ordering::Relaxed);
        loop {
            if generation_of(state) != id.generation() {
                return Err(SendError);
            }
            if state & NOTIFIED != 0 {
                return Ok(());
            }
            match exchange(&node.state, state, state | NOTIFIED) {
                Ok(_) => break,
                Err(now) => state = now,
            }
        }
        if trace::is_on() {
            self.push_traced(node, id);
        } else {
            self.push(node, id.index());
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn push_traced(&self, node: &Node, id: HandleId) {
        trace::record_wakeup(self.loop_number(), id);
        self.push(node, id.index());
    }

    /// Assigns the queue to the loop with this number.
    pub(crate) fn set_loop_number(&self, number: u16) {
        self.loop_number.store(number, Ordering::Relaxed);
    }

    /// The number of the loop in traces.
    pub(crate) fn loop_number(&self) -> u16 {
        self.loop_number.load(Ordering::Relaxed)
    }

    /// The node of a handle.
    pub fn node_of(&self, id: HandleId) -> Option<&Node> {
        self.nodes.get(id.index())
    }

    #[inline(always)]
    fn push(&self, node: &Node, index: u32) {
        let Stack { top, notifying } = &self.stack;
        let mut seen = top.load(Ordering::Relaxed);
        loop {
            node.next.store(if is_index(seen) { seen } else { PARKED }, Ordering::Relaxed);
            let notifies = seen == PARKED;
            if notifies {
                notifying.fetch_add(1, Ordering::Relaxed);
            }
            let pushed = exchange(top, seen, index);
            if notifies {
                if pushed.is_ok() {
                    self.waker.notify();
                }
                notifying.fetch_sub(1, Ordering::Release);
            }
            match pushed {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// Notifies the loop itself: its next wait returns at once.
    pub(crate) fn notify(&self) {
        self.waker.notify();
    }

    /// Waits until the senders that have pushed a node have notified the loop of it, but not for long: a
    /// signal handler may have left [`send`](Self::send) by `longjmp`.
    pub(crate) fn await_notifiers(&self) {
        if self.is_notifying() {
            self.await_notifiers_slowly();
        }
    }

    #[cold]
    #[inline(never)]
    fn await_notifiers_slowly(&self) {
        let patience = Patience::begin();
        while self.is_notifying() && patience.is_left() {
            yield_now();
        }
    }

    fn is_notifying(&self) -> bool {
        self.stack.notifying.load(Ordering::Acquire) != 0
    }

    /// Whether no node is on the stack. Of use to the loop's thread only.
    pub(crate) fn is_empty(&self) -> bool {
        !is_index(self.stack.top.load(Ordering::Relaxed))
    }

    /// Takes everything off the stack; the indices come in no particular order. Senders do not
    /// notify the loop from then on, until it [parks](Self::park).
    #[inline]
    pub(crate) fn take(&self, mut taken: impl FnMut(u32)) {
        let mut index = self.stack.top.swap(AWAKE, Ordering::AcqRel);
        while is_index(index) {
            // Read first: once it is taken, it may be pushed again.
            let next = self.node(index).next.load(Ordering::Relaxed);
            taken(index);
            index = next;
        }
    }

    /// Makes senders notify the loop again. Returns false if a node was pushed before. Its sender did
    /// not notify the loop, so the loop must not sleep.
    pub(crate) fn park(&self) -> bool {
        matches!(exchange(&self.stack.top, AWAKE, PARKED), Ok(_) | Err(PARKED))
    }

    /// As [`park`](Self::park), for a loop that does not check the stack for a while. It is notified
    /// if a node was pushed before, or if it has `kept` nodes that it took.
    pub(crate) fn leave(&self, kept: bool) {
        if !self.park() || kept {
            self.waker.notify();
        }
    }

    /// The generation of the next handle at `index`. Larger than that of all earlier senders.
    pub(crate) fn generation_at(&self, index: u32) -> u32 {
        let state = self.nodes.get(index).map_or(0, |node| node.state.load(Ordering::Relaxed));
        generation_of(state)
    }

    /// Assigns the node at the index of `id` to that handle.
    pub(crate) fn open(&self, id: HandleId) {
        self.nodes.grow_to(id.index());
        self.node(id.index()).state.store(state_of(id.generation()), Ordering::Release);
    }

    /// Allows further sends: the callback is about to run.
    #[inline]
    pub(crate) fn clear(&self, index: u32) {
        self.node(index).state.fetch_and(!NOTIFIED, Ordering::AcqRel);
        full_fence();
    }

    /// Closes the node for senders. Returns whether it is notified: then the index stays in use
    /// until [`take`](Self::take) has returned it and it was cleared.
    pub(crate) fn close(&self, id: HandleId) -> bool {
        // An addition, because a sender may set the bit at the same time.
        let step = state_of(1);
        self.node(id.index()).state.fetch_add(step, Ordering::AcqRel) & NOTIFIED != 0
    }

    /// Waits until no thread touches the queue any more. Called when all handles are closed and the
    /// waker's descriptor is about to be. `left` nodes of closed handles are still to be taken.
    ///
    /// The queue is empty afterwards, and can be used by another loop.
    pub(crate) fn drain(&self, mut left: usize) {
        loop {
            self.take(|index| {
                self.clear(index);
                left = left.saturating_sub(1);
            });
            if left == 0 && !self.is_notifying() {
                break;
            }
            // A sender is between two instructions of `send`. One that has left it by `longjmp` in a signal
            // handler is waited for without a limit, as libuv does: it cannot be distinguished from one that is late.
            yield_now();
        }
        self.park();
    }

    /// In a forked child, where no other thread exists: pushes every notified node of the first
    /// `count`, and nothing else. A sender of the parent may have been interrupted anywhere
    /// between setting the bit and having notified the loop.
    pub(crate) fn requeue_after_fork(&self, count: u32) {
        self.stack.notifying.store(0, Ordering::Release);
        self.stack.top.store(PARKED, Ordering::Release);
        for index in 0..count {
            let Some(node) = self.nodes.get(index) else { break };
            if node.state.load(Ordering::Acquire) & NOTIFIED != 0 {
                self.push(node, index);
            }
        }
    }

    /// In a forked child that closes the loop of its parent: empties the queue. The senders of the
    /// parent do not exist here, so there is nothing to wait for.
    pub(crate) fn discard_after_fork(&self, count: u32) {
        self.stack.notifying.store(0, Ordering::Release);
        self.stack.top.store(PARKED, Ordering::Release);
        for index in 0..count {
            let Some(node) = self.nodes.get(index) else { break };
            node.state.fetch_and(!NOTIFIED, Ordering::AcqRel);
        }
    }

    fn node(&self, index: u32) -> &Node {
        self.nodes.get(index).expect("the node of an opened handle")
    }
}

fn exchange(state: &AtomicU32, old: u32, new: u32) -> Result<u32, u32> {
    state.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)
}

fn is_index(top: u32) -> bool {
    top < AWAKE
}

fn state_of(generation: u32) -> u32 {
    generation << GENERATION_SHIFT
}

fn generation_of(state: u32) -> u32 {
    state >> GENERATION_SHIFT
}

/// Notifies one async handle from any thread. Outlives the handle, and the loop.
#[derive(Clone)]
pub struct AsyncSender {
    queue: Arc<WakeupQueue>,
    id: HandleId,
}

impl AsyncSender {
    pub(crate) fn new(queue: Arc<WakeupQueue>, id: HandleId) -> Self {
        Self { queue, id }
    }

    /// Notifies the handle. Sends before the callback begins are merged into one.
    ///
    /// # Errors
    /// The handle or its loop is closed.
    pub fn send(&self) -> Result<(), SendError> {
        self.queue.send(self.id)
    }
}

impl fmt::Debug for AsyncSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AsyncSender").field(&self.id).finish()
    }
}

#[cfg(all(test, loom))]
mod model;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    struct Unused;

    impl Notify for Unused {
        fn notify(&self) {}
    }

    #[test]
    fn a_sender_that_never_leaves_is_not_waited_for_forever() {
        let queue = WakeupQueue::new(std::sync::Arc::new(Unused));
        queue.await_notifiers();
        queue.stack.notifying.fetch_add(1, Ordering::Relaxed);
        queue.await_notifiers();
        assert!(queue.is_notifying());
    }
}
