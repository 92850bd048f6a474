//! From the engine's completions to the futures that wait for them.
//!
//! A future has a *slot* from its beginning until its completion has come, even if it is dropped
//! before: what arrives late finds a slot that was forgotten, and never one that is somebody
//! else's. A slot that is free keeps the memory of the work that was in it, for the next.

use std::cell::RefCell;
use std::task::{Context, Waker};

use mauve_core::pool::{Task, Work};
use mauve_core::slots::Slots;
use mauve_sys::Result;
use mauve_sys::process::Exit;

use super::{Executor, TaskKey};
use crate::spare::Spare;

/// The futures of one loop that wait for a completion. A key is good for a token.
#[derive(Default)]
pub(crate) struct Futures(RefCell<Slots<Slot>>);

#[derive(Default)]
struct Slot {
    state: State,
    spare: Spare,
}

#[derive(Default)]
enum State {
    #[default]
    Free,
    Waiting(Waiter),
    Completed(News),
    /// The future was dropped before its completion came.
    Forgotten,
}

/// Whoever is to be told of a completion.
enum Waiter {
    Nobody,
    /// A task of this loop: it is woken without its waker.
    Task(TaskKey),
    Other(Waker),
}

/// What a future needs to know of its completion. A copy of the whole would be a large one, of what
/// has just been written: the processor stalls over that.
pub(crate) enum News {
    /// A timer is due.
    Due,
    /// A child has ended.
    Exit(Exit),
    /// Something is over that has nothing to tell.
    Over,
    /// Work has come back from the pool.
    Work(Box<dyn Work>),
    /// A read has ended. The engine has its buffer.
    Read(Result<u32>),
}

impl News {
    /// Whether nothing more is heard of the request. A handle still has to be closed.
    fn is_last(&self) -> bool {
        !matches!(self, Self::Due | Self::Exit(_))
    }
}

impl Futures {
    #[inline(always)] // A file that is read page by page does it a million times a second.
    pub fn reserve(&self) -> usize {
        reserve(&mut self.0.borrow_mut())
    }

    /// Reserves a slot for work on the pool, which is made of the memory that is there.
    pub fn reserve_for_work(&self, make: impl FnOnce(&mut Spare) -> Task) -> (usize, Task) {
        let mut slots = self.0.borrow_mut();
        let key = reserve(&mut slots);
        (key, make(&mut slots[key].spare))
    }

    /// What has come of a handle, or else a promise to wake the task of `context` when it does.
    pub fn poll<R>(
        &self,
        key: usize,
        context: &Context<'_>,
        executor: &Executor,
        look: impl FnOnce(&News) -> R,
    ) -> Option<R> {
        match &mut self.0.borrow_mut()[key].state {
            State::Completed(news) => Some(look(news)),
            State::Waiting(waiter) => {
                waiter.set(context, executor);
                None
            }
            State::Free | State::Forgotten => None,
        }
    }

    /// As [`poll`](Self::poll), for a request, of which nothing more will be heard: the slot is free
    /// then.
    #[inline(always)] // See `Request::poll_end`.
    pub fn poll_last(
        &self,
        key: usize,
        context: &Context<'_>,
        executor: &Executor,
    ) -> Option<News> {
        let mut slots = self.0.borrow_mut();
        let state = &mut slots[key].state;
        if let State::Waiting(waiter) = state {
            waiter.set(context, executor);
            return None;
        }
        match std::mem::take(state) {
            State::Completed(news) => {
                slots.free(key);
                Some(news)
            }
            other => {
                *state = other;
                None
            }
        }
    }

    /// Delivers a completion. Returns the task that is to be polled, if it is known.
    #[inline(always)] // In one place.
    pub fn complete(&self, key: usize, news: News) -> Option<TaskKey> {
        let mut slots = self.0.borrow_mut();
        let state = &mut slots[key].state;
        if let State::Forgotten = state {
            if news.is_last() {
                free(&mut slots, key);
            }
            // What nobody waits for is dropped with no borrow held.
            drop(slots);
            drop(news);
            return None;
        }
        let before = std::mem::replace(state, State::Completed(news));
        drop(slots);
        match before {
            State::Waiting(Waiter::Task(task)) => return Some(task),
            State::Waiting(Waiter::Other(waker)) => waker.wake(),
            _ => {}
        }
        None
    }

    /// Frees a slot whose completion will not come.
    pub fn release(&self, key: usize) {
        let mut slots = self.0.borrow_mut();
        let state = free(&mut slots, key);
        drop(slots);
        drop(state);
    }

    /// Gives a slot memory for its next work. To be called when its last has come back.
    pub fn keep(&self, key: usize, work: Box<dyn Work>) {
        self.0.borrow_mut()[key].spare.keep(key, work);
    }

    /// Frees a slot when its last completion comes, if it has not come already: that of a request,
    /// or of closing a handle.
    pub fn forget(&self, key: usize) {
        let mut slots = self.0.borrow_mut();
        let state = std::mem::replace(&mut slots[key].state, State::Forgotten);
        if let State::Completed(news) = &state
            && news.is_last()
        {
            free(&mut slots, key);
        }
        drop(slots);
        drop(state);
    }
}

#[inline(always)] // See `Futures::reserve`.
fn reserve(slots: &mut Slots<Slot>) -> usize {
    let key = slots.take(|_| Slot::default());
    slots[key].state = State::Waiting(Waiter::Nobody);
    key
}

/// The caller drops what was in the slot, with no borrow held.
fn free(slots: &mut Slots<Slot>, key: usize) -> State {
    slots.free(key);
    std::mem::take(&mut slots[key].state)
}

impl Waiter {
    #[inline]
    fn set(&mut self, context: &Context<'_>, executor: &Executor) {
        match (executor.task_of(context), self) {
            (Some(task), waiter) => *waiter = Self::Task(task),
            (None, Self::Other(waker)) => waker.clone_from(context.waker()),
            (None, waiter) => *waiter = Self::Other(context.waker().clone()),
        }
    }
}
