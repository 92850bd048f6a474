//! What the completions of a loop are delivered to, in one table.
//!
//! The key of a target is the token that the engine returns with its completions. There are four
//! kinds: handles with callbacks, requests with a callback, futures that wait for one handle or
//! request, and sockets of tasks.
//!
//! Callbacks, wakers and results are foreign code. They are called and dropped with no borrow of the
//! table held.

mod box_cache;
mod callback_names;
mod callbacks;
mod futures;
mod report;
mod sockets;
mod waiters;

use std::cell::{Cell, RefCell, RefMut};
use std::task::{Context, Waker};

use mauve_core::pool::Task;
use mauve_core::slots::Slots;
use mauve_core::unwind::drop_each;
use mauve_core::{HandleId, Token};

pub(crate) use box_cache::BoxCache;
use callback_names::CallbackNames;
use callbacks::HandleTarget;
pub(crate) use callbacks::OnceCallback;
use futures::FutureState;
pub(crate) use futures::Outcome;
pub(crate) use report::Report;
pub(crate) use sockets::{Direction, ReadableWake, SocketTarget};
pub(crate) use waiters::WakerParts;

use crate::task::{Executor, TaskKey};

/// The targets of one loop, by key.
#[derive(Default)]
pub(crate) struct Targets {
    slots: RefCell<Slots<TargetSlot>>,
    /// Close callbacks of handles, by the same keys. Few handles have one, so the vector is only as long
    /// as needed.
    closes: RefCell<Vec<Option<OnceCallback>>>,
    /// Allocations of finished pool work.
    cache: RefCell<BoxCache>,
    /// Whether the loop was dropped. No callback is stored any more.
    cleared: Cell<bool>,
    /// Names of callbacks, for traces. Close callbacks have names of their own.
    names: CallbackNames,
    close_names: CallbackNames,
}

/// The table, while it is borrowed.
pub(crate) type BorrowedTargets<'a> = RefMut<'a, Slots<TargetSlot>>;

/// A target of the table. Two fill a cache line: a million timers fire in an order that no prefetcher
/// predicts.
#[derive(Default)]
#[repr(align(32))]
pub(crate) struct TargetSlot(pub Target);

const _: () = assert!(size_of::<TargetSlot>() == 32, "two targets fill a cache line");

/// What a completion is delivered to.
#[derive(Default)]
pub(crate) enum Target {
    #[default]
    Free,
    Handle(HandleTarget),
    /// `None` after the loop was dropped.
    Request(Option<OnceCallback>),
    Future(FutureState),
    /// Larger than the others, and opened less often.
    Socket(Box<SocketTarget>),
}

/// The token of what has no target: the executor's own handles, and writes without a callback.
pub(crate) const NO_TARGET: Token = Token(u64::MAX);

/// The token of a target.
pub(crate) fn token(key: usize) -> Token {
    Token(key as u64)
}

/// The key of a token. No target has the key of [`NO_TARGET`].
pub(crate) fn key_of(token: Token) -> usize {
    token.0 as usize
}

impl Targets {
    /// Borrows the table, to match the target of a completion with one lookup.
    #[inline(always)]
    pub fn borrow(&self) -> BorrowedTargets<'_> {
        self.slots.borrow_mut()
    }

    /// Stores a target and returns its key.
    #[inline(always)] // Page-sized file reads call this a million times a second.
    fn insert(&self, target: Target) -> usize {
        let mut slots = self.slots.borrow_mut();
        let key = slots.take(|_| TargetSlot::default());
        // A free target owns nothing. Dropping it would make the start of a timer a few percent slower.
        std::mem::forget(std::mem::replace(&mut slots[key].0, target));
        key
    }

    /// Frees a key. The caller drops the returned target with no borrow held.
    #[inline]
    pub fn remove(&self, key: usize) -> Target {
        let mut slots = self.slots.borrow_mut();
        slots.free(key);
        std::mem::take(&mut slots[key].0)
    }

    /// Makes a task for the pool, which may reuse an allocation.
    pub fn make_task(&self, make: impl FnOnce(&mut BoxCache) -> Task) -> Task {
        make(&mut self.cache.borrow_mut())
    }

    /// Caches the allocation of finished work, after its result was taken.
    #[inline]
    pub fn cache_work(&self, work: Box<dyn mauve_core::pool::Work>) {
        self.cache.borrow_mut().store(work);
    }

    /// Touches several targets, so that their cache misses overlap.
    pub fn prefetch(&self, keys: impl Iterator<Item = usize>) {
        let slots = self.slots.borrow();
        let is_handle = |key| matches!(slots.get(key), Some(TargetSlot(Target::Handle(_))));
        std::hint::black_box(keys.filter(|key| is_handle(*key)).count());
    }

    /// Whether a token is that of a future.
    pub fn is_future(&self, token: Token) -> bool {
        matches!(self.slots.borrow().get(key_of(token)), Some(TargetSlot(Target::Future(_))))
    }

    /// Drops all callbacks, and those that are stored later at once.
    pub fn drop_callbacks(&self) {
        self.cleared.set(true);
        let (mut events, mut completions) = (Vec::new(), Vec::new());
        for TargetSlot(target) in self.slots.borrow_mut().iter_mut() {
            match target {
                Target::Handle(handle) => events.push(handle.take_event()),
                Target::Request(callback) => completions.push(callback.take()),
                _ => {}
            }
        }
        drop_each(events);
        drop_each(self.closes.take());
        drop_each(completions);
    }

    /// Wakes all futures and sockets, because the loop was closed.
    pub fn close(&self, executor: &Executor) {
        let count = self.slots.borrow().len();
        for key in 0..count {
            let mut slots = self.slots.borrow_mut();
            match &mut slots[key].0 {
                Target::Future(state) => {
                    let target = state.take_wake_target();
                    drop(slots);
                    target.wake(executor);
                }
                Target::Socket(_) => {
                    drop(slots);
                    self.close_socket(key, executor);
                }
                _ => {}
            }
        }
    }

    fn future(&self, key: usize) -> RefMut<'_, FutureState> {
        RefMut::map(self.slots.borrow_mut(), |slots| match &mut slots[key].0 {
            Target::Future(state) => state,
            _ => panic!("{WRONG_KIND}"),
        })
    }

    #[inline(always)]
    fn socket(&self, key: usize) -> RefMut<'_, SocketTarget> {
        RefMut::map(self.slots.borrow_mut(), |slots| match &mut slots[key].0 {
            Target::Socket(socket) => &mut **socket,
            _ => panic!("{WRONG_KIND}"),
        })
    }

    /// The target of a handle. `None` if the handle is closed, and another target may have its key.
    fn handle(&self, key: usize, id: HandleId) -> Option<RefMut<'_, HandleTarget>> {
        let found = RefMut::filter_map(self.slots.borrow_mut(), |slots| match slots.get_mut(key) {
            Some(TargetSlot(Target::Handle(handle))) if handle.is(id) => Some(handle),
            _ => None,
        });
        found.ok()
    }
}

/// The message of a panic.
const WRONG_KIND: &str = "the key belongs to a target of another kind";

/// What to wake.
pub(crate) enum WakeTarget {
    /// A task of this loop, which is woken by its key without its waker. `None` is nothing.
    Task(Option<TaskKey>),
    /// Any other waker.
    Waker(Waker),
}

impl Default for WakeTarget {
    fn default() -> Self {
        Self::Task(None)
    }
}

impl WakeTarget {
    /// The target for `context`. `task` is its task, if that belongs to this loop.
    #[inline]
    fn new(task: Option<TaskKey>, context: &Context<'_>) -> Self {
        match task {
            Some(_) => Self::Task(task),
            None => Self::Waker(context.waker().clone()),
        }
    }

    /// Whether this is the target for `context`.
    #[inline]
    fn is_of(&self, task: Option<TaskKey>, context: &Context<'_>) -> bool {
        match self {
            Self::Task(own) => own.is_some() && *own == task,
            Self::Waker(waker) => task.is_none() && waker.will_wake(context.waker()),
        }
    }

    #[inline]
    fn is_none(&self) -> bool {
        matches!(self, Self::Task(None))
    }

    #[inline]
    fn wake(self, executor: &Executor) {
        match self {
            Self::Task(Some(task)) => executor.wake(task),
            Self::Task(None) => {}
            Self::Waker(waker) => waker.wake(),
        }
    }
}
