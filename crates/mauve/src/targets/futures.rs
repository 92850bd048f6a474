//! Futures that wait for one handle or request.
//!
//! The key of a future is freed when the last completion arrives, even if the future was dropped
//! before. So a late completion never reaches a future that was created later.

use std::task::Context;

use mauve_core::pool::Work;
use mauve_core::unwind::contain;
use mauve_sys::Result;
use mauve_sys::process::ExitStatus;

use super::{BorrowedTargets, Target, Targets, WRONG_KIND, WakeTarget};
use crate::task::{Executor, TaskKey};

pub(crate) enum FutureState {
    Waiting(WakeTarget),
    Completed(Outcome),
    /// The future was dropped before its last completion.
    Detached,
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
    /// Whether this is the last completion. Signals and processes are handles: their close completion is
    /// still to come.
    fn is_last(&self) -> bool {
        !matches!(self, Self::Signal | Self::Exit(_))
    }
}

impl FutureState {
    /// Whether no completion is to come.
    fn is_finished(&self) -> bool {
        matches!(self, Self::Completed(outcome) if outcome.is_last())
    }

    pub fn take_wake_target(&mut self) -> WakeTarget {
        match self {
            Self::Waiting(target) => std::mem::take(target),
            _ => WakeTarget::default(),
        }
    }

    /// Registers the task of `context`, if the future waits. The caller drops the returned target with
    /// no borrow held.
    #[inline(always)]
    fn wait(&mut self, context: &Context<'_>, executor: &Executor) -> WakeTarget {
        let Self::Waiting(target) = self else { return WakeTarget::default() };
        let task = executor.task_of(context);
        if target.is_of(task, context) {
            return WakeTarget::default();
        }
        std::mem::replace(target, WakeTarget::new(task, context))
    }
}

impl Targets {
    /// Stores a future and returns its key.
    #[inline(always)] // See `insert`.
    pub fn insert_future(&self) -> usize {
        self.insert(Target::Future(FutureState::Waiting(WakeTarget::default())))
    }

    /// As [`insert_future`](Self::insert_future). The future wakes the task of `context`.
    pub fn insert_waiting_future(&self, context: &Context<'_>, executor: &Executor) -> usize {
        let target = WakeTarget::new(executor.task_of(context), context);
        self.insert(Target::Future(FutureState::Waiting(target)))
    }

    /// Polls the future of a handle. Reads the outcome if there is one, and registers the task of
    /// `context` otherwise.
    pub fn poll_future<R>(
        &self,
        key: usize,
        context: &Context<'_>,
        executor: &Executor,
        read: impl FnOnce(&Outcome) -> R,
    ) -> Option<R> {
        let mut state = self.future(key);
        if let FutureState::Completed(outcome) = &*state {
            return Some(read(outcome));
        }
        let before = state.wait(context, executor);
        drop(state);
        drop(before);
        None
    }

    /// Reads the outcome of the future of a handle, if there is one.
    pub fn outcome<R>(&self, key: usize, read: impl FnOnce(&Outcome) -> R) -> Option<R> {
        match &*self.future(key) {
            FutureState::Completed(outcome) => Some(read(outcome)),
            _ => None,
        }
    }

    /// Makes the future of a handle, which wakes nothing, wake the task of `context`. Returns whether
    /// that is a task of this loop.
    pub fn set_waiter(&self, key: usize, context: &Context<'_>, executor: &Executor) -> bool {
        let task = executor.task_of(context);
        *self.future(key) = FutureState::Waiting(WakeTarget::new(task, context));
        task.is_some()
    }

    /// Makes the future of a handle wake nothing. The caller drops the returned target with no borrow
    /// held.
    pub fn forget_waiter(&self, key: usize) -> WakeTarget {
        self.future(key).take_wake_target()
    }

    /// Makes the future of a handle wait for another completion.
    pub fn reset_future(&self, key: usize) {
        let mut state = self.future(key);
        if let FutureState::Completed(_) = *state {
            *state = FutureState::Waiting(WakeTarget::default());
        }
    }

    /// Polls the future of a request. A request has one completion, so this frees the key when it
    /// returns the outcome.
    #[inline(always)] // See `Request::poll_outcome`.
    pub fn poll_request(
        &self,
        key: usize,
        context: &Context<'_>,
        executor: &Executor,
    ) -> Option<Outcome> {
        let mut slots = self.slots.borrow_mut();
        let Target::Future(state) = &mut slots[key].0 else { panic!("{WRONG_KIND}") };
        if let FutureState::Completed(_) = state {
            let completed = std::mem::take(&mut slots[key].0);
            slots.free(key);
            return match completed {
                Target::Future(FutureState::Completed(outcome)) => Some(outcome),
                _ => unreachable!("matched above"),
            };
        }
        let before = state.wait(context, executor);
        drop(slots);
        drop(before);
        None
    }

    /// Delivers a completion to a future. Returns the task to poll if the future belongs to a task of
    /// this loop.
    #[inline(always)] // It has one caller.
    pub fn complete_future(
        mut slots: BorrowedTargets<'_>,
        key: usize,
        outcome: Outcome,
    ) -> Option<TaskKey> {
        let Target::Future(state) = &mut slots[key].0 else { panic!("{WRONG_KIND}") };
        if let FutureState::Detached = state {
            if outcome.is_last() {
                slots[key].0 = Target::Free;
                slots.free(key);
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
            FutureState::Waiting(WakeTarget::Task(task)) => return task,
            FutureState::Waiting(WakeTarget::Waker(waker)) => waker.wake(),
            _ => {}
        }
        None
    }

    /// Detaches a future that is dropped. The key is freed by the last completion: that of the
    /// request, or of closing the handle. If that was delivered already, the key is freed now.
    pub fn detach_future(&self, key: usize) {
        let mut state = self.future(key);
        let is_finished = state.is_finished();
        let before = std::mem::replace(&mut *state, FutureState::Detached);
        drop(state);
        if is_finished {
            self.remove(key);
        }
        drop(before);
    }
}
