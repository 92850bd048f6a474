//! Delivers completions of the engine to the futures that wait for them.
//!
//! Each future has a *slot*, whose index is part of the engine's token. The slot is freed when the
//! last completion arrives, even if the future was dropped before. So a late completion never
//! reaches a future that was created later. A free slot caches the allocation of its last pool
//! work.
//!
//! Wakers are foreign code: they are woken and dropped with no borrow held.

use std::cell::RefCell;
use std::task::{Context, Waker};

use mauve_core::pool::{Task, Work};
use mauve_core::slots::Slots;
use mauve_core::unwind::contain;
use mauve_sys::Result;
use mauve_sys::process::ExitStatus;

use super::{Executor, TaskKey};
use crate::box_cache::BoxCache;

/// The futures of one loop that wait for a completion, by key.
#[derive(Default)]
pub(crate) struct Futures(RefCell<Slots<FutureSlot>>);

#[derive(Default)]
struct FutureSlot {
    state: FutureState,
    cache: BoxCache,
}

#[derive(Default)]
enum FutureState {
    #[default]
    Free,
    Waiting(WakeTarget),
    Completed(Outcome),
    /// The future was dropped before its last completion.
    Detached,
}

/// What to wake when the completion arrives.
enum WakeTarget {
    /// The future was not polled yet.
    None,
    /// A task of this loop. It is woken by key, without its waker.
    Task(TaskKey),
    /// Any other waker.
    Waker(Waker),
}

/// The part of a completion that a future needs.
///
/// It is small on purpose: copying a whole completion right after it was written causes a
/// store-forwarding stall.
pub(crate) enum Outcome {
    /// A timer expired.
    Timer,
    /// A signal was delivered.
    Signal,
    /// A child process exited.
    Exit(ExitStatus),
    /// The operation finished without a value, or a handle was closed.
    Finished,
    /// Work returned from the pool.
    Work(Box<dyn Work>),
    /// A read finished. The engine still owns its buffer.
    Read(Result<u32>),
    /// The loop was dropped before the completion.
    LoopClosed,
}

impl Outcome {
    /// Whether this is the last completion. Timers, signals and processes are handles: their close
    /// completion is still to come.
    fn is_last(&self) -> bool {
        !matches!(self, Self::Timer | Self::Signal | Self::Exit(_))
    }
}

impl Futures {
    /// Reserves a slot and returns its key.
    #[inline(always)] // Page-sized file reads call this a million times a second.
    pub fn reserve(&self) -> usize {
        reserve(&mut self.0.borrow_mut())
    }

    /// Reserves a slot for work on the pool. `make` may reuse the slot's cached allocation.
    pub fn reserve_for_work(&self, make: impl FnOnce(&mut BoxCache) -> Task) -> (usize, Task) {
        let mut slots = self.0.borrow_mut();
        let key = reserve(&mut slots);
        (key, make(&mut slots[key].cache))
    }

    /// Polls the future of a handle. Reads the outcome if there is one, and registers the task of
    /// `context` otherwise.
    pub fn poll<R>(
        &self,
        key: usize,
        context: &Context<'_>,
        executor: &Executor,
        read: impl FnOnce(&Outcome) -> R,
    ) -> Option<R> {
        let target = match &self.0.borrow()[key].state {
            FutureState::Completed(outcome) => return Some(read(outcome)),
            FutureState::Waiting(target) => target.replacement(context, executor)?,
            FutureState::Free | FutureState::Detached => return None,
        };
        self.set_target(key, target);
        None
    }

    /// Sets what the completion of a waiting future wakes.
    #[inline]
    fn set_target(&self, key: usize, target: WakeTarget) {
        let mut slots = self.0.borrow_mut();
        let before = std::mem::replace(&mut slots[key].state, FutureState::Waiting(target));
        drop(slots);
        drop(before);
    }

    /// Wakes all futures, because the loop was closed.
    pub fn close(&self) {
        let count = self.0.borrow().len();
        for key in 0..count {
            let mut slots = self.0.borrow_mut();
            let FutureState::Waiting(target) = &mut slots[key].state else { continue };
            let target = std::mem::replace(target, WakeTarget::None);
            drop(slots);
            // Tasks of this loop were dropped before.
            if let WakeTarget::Waker(waker) = target {
                waker.wake();
            }
        }
    }

    /// Reads the outcome of the future of a handle, if there is one.
    pub fn outcome<R>(&self, key: usize, read: impl FnOnce(&Outcome) -> R) -> Option<R> {
        match &self.0.borrow()[key].state {
            FutureState::Completed(outcome) => Some(read(outcome)),
            _ => None,
        }
    }

    /// Makes the future of a handle wait for another completion.
    pub fn reset(&self, key: usize) {
        let state = &mut self.0.borrow_mut()[key].state;
        if let FutureState::Completed(_) = state {
            *state = FutureState::Waiting(WakeTarget::None);
        }
    }

    /// Polls the future of a request. A request has one completion, so this frees the slot when it
    /// returns the outcome.
    #[inline(always)] // See `Request::poll_outcome`.
    pub fn poll_request(
        &self,
        key: usize,
        context: &Context<'_>,
        executor: &Executor,
    ) -> Option<Outcome> {
        let mut slots = self.0.borrow_mut();
        let state = &mut slots[key].state;
        if let FutureState::Waiting(target) = state {
            let target = target.replacement(context, executor)?;
            drop(slots);
            self.set_target(key, target);
            return None;
        }
        match std::mem::take(state) {
            FutureState::Completed(outcome) => {
                slots.free(key);
                Some(outcome)
            }
            other => {
                *state = other;
                None
            }
        }
    }

    /// Delivers a completion. Returns the task to poll if the future belongs to a task of this
    /// loop.
    #[inline(always)] // It has one caller.
    pub fn complete(&self, key: usize, outcome: Outcome) -> Option<TaskKey> {
        let mut slots = self.0.borrow_mut();
        let state = &mut slots[key].state;
        if let FutureState::Detached = state {
            if outcome.is_last() {
                free(&mut slots, key);
            }
            // The outcome may own values of the user: they are dropped with no borrow held. A panic
            // of their destructors ends nothing else, as that of a detached task.
            drop(slots);
            contain(|| drop(outcome));
            return None;
        }
        let before = std::mem::replace(state, FutureState::Completed(outcome));
        drop(slots);
        match before {
            FutureState::Waiting(WakeTarget::Task(task)) => return Some(task),
            FutureState::Waiting(WakeTarget::Waker(waker)) => waker.wake(),
            _ => {}
        }
        None
    }

    /// Frees a slot that gets no completion, because its request was not started.
    pub fn release(&self, key: usize) {
        let mut slots = self.0.borrow_mut();
        let state = free(&mut slots, key);
        drop(slots);
        drop(state);
    }

    /// Caches the allocation of work that returned from the pool.
    pub fn cache(&self, key: usize, work: Box<dyn Work>) {
        self.0.borrow_mut()[key].cache.store(key, work);
    }

    /// Detaches a future that is dropped. The slot is freed by the last completion: that of the
    /// request, or of closing the handle. If that was delivered already, the slot is freed now.
    pub fn detach(&self, key: usize) {
        let mut slots = self.0.borrow_mut();
        let state = std::mem::replace(&mut slots[key].state, FutureState::Detached);
        if let FutureState::Completed(outcome) = &state
            && outcome.is_last()
        {
            free(&mut slots, key);
        }
        drop(slots);
        drop(state);
    }
}

#[inline(always)] // See `Futures::reserve`.
fn reserve(slots: &mut Slots<FutureSlot>) -> usize {
    let key = slots.take(|_| FutureSlot::default());
    slots[key].state = FutureState::Waiting(WakeTarget::None);
    key
}

/// Frees a slot. The caller drops the returned state with no borrow held.
fn free(slots: &mut Slots<FutureSlot>, key: usize) -> FutureState {
    slots.free(key);
    std::mem::take(&mut slots[key].state)
}

impl WakeTarget {
    /// The target for `context`, unless it is this one.
    #[inline]
    fn replacement(&self, context: &Context<'_>, executor: &Executor) -> Option<Self> {
        match (executor.task_of(context), self) {
            (Some(task), Self::Task(own)) if *own == task => None,
            (Some(task), _) => Some(Self::Task(task)),
            (None, Self::Waker(waker)) if waker.will_wake(context.waker()) => None,
            (None, _) => Some(Self::Waker(context.waker().clone())),
        }
    }
}
