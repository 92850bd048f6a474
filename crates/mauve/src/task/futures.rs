//! From the engine's completions to the futures that wait for them.

use std::cell::RefCell;
use std::task::{Context, Waker};

use mauve_core::Completion;

use crate::work::Carried;

/// The futures of one loop that wait for a completion. A key is good for a token.
#[derive(Default)]
pub(crate) struct Futures(RefCell<Slots>);

#[derive(Default)]
struct Slots {
    slots: Vec<Slot>,
    free: Vec<usize>,
}

enum Slot {
    Free,
    Waiting(Option<Waker>),
    /// What has come, and what has come back from the pool with it.
    Completed(Completion, Carried),
    /// The future was dropped before its completion came.
    Forgotten,
}

impl Futures {
    pub fn reserve(&self) -> usize {
        let mut slots = self.0.borrow_mut();
        let key = slots.free.pop().unwrap_or_else(|| {
            slots.slots.push(Slot::Free);
            slots.slots.len() - 1
        });
        slots.slots[key] = Slot::Waiting(None);
        key
    }

    /// The completion, or else a promise to wake the task of `context` when it comes.
    pub fn poll(&self, key: usize, context: &Context<'_>) -> Option<Completion> {
        match &mut self.0.borrow_mut().slots[key] {
            Slot::Completed(completion, _) => Some(*completion),
            Slot::Waiting(waker) => {
                match waker {
                    Some(waker) => waker.clone_from(context.waker()),
                    None => *waker = Some(context.waker().clone()),
                }
                None
            }
            Slot::Free | Slot::Forgotten => None,
        }
    }

    /// Delivers a completion.
    pub fn complete(&self, key: usize, completion: Completion, carried: Carried) {
        let mut slots = self.0.borrow_mut();
        match &mut slots.slots[key] {
            Slot::Forgotten => {
                if completion.is_last() {
                    slots.free(key);
                }
                // What nobody waits for is dropped with no borrow held.
                drop(slots);
                drop(carried);
            }
            slot => {
                let before = std::mem::replace(slot, Slot::Completed(completion, carried));
                drop(slots);
                if let Slot::Waiting(Some(waker)) = before {
                    waker.wake();
                }
            }
        }
    }

    /// Frees a slot whose completion has come, or will not come.
    pub fn release(&self, key: usize) {
        drop(self.take(key));
    }

    /// As [`release`](Self::release); returns what has come back from the pool.
    pub fn take(&self, key: usize) -> Carried {
        let mut slots = self.0.borrow_mut();
        let slot = std::mem::replace(&mut slots.slots[key], Slot::Free);
        slots.free.push(key);
        drop(slots);
        match slot {
            Slot::Completed(_, carried) => carried,
            Slot::Free | Slot::Waiting(_) | Slot::Forgotten => None,
        }
    }

    /// Frees a slot when its last completion comes, if it has not come already: that of a request,
    /// or of closing a handle.
    pub fn forget(&self, key: usize) {
        let mut slots = self.0.borrow_mut();
        let slot = std::mem::replace(&mut slots.slots[key], Slot::Forgotten);
        if let Slot::Completed(completion, _) = &slot
            && completion.is_last()
        {
            slots.free(key);
        }
        drop(slots);
        drop(slot);
    }
}

impl Slots {
    fn free(&mut self, key: usize) {
        self.slots[key] = Slot::Free;
        self.free.push(key);
    }
}
