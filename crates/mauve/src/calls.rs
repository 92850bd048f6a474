//! The closures of one loop.
//!
//! A slot belongs to one handle or request, and its index is the token that the engine gives
//! back. To run a closure it is taken out of its slot, so that it can do anything, even replace
//! itself or close its own handle; it is put back if the slot still waits for it.

use std::cell::RefCell;

use mauve_core::{Completion, HandleId};

use crate::Loop;

/// What a closure of the user is wrapped in.
pub(crate) type Callback<S> = Box<dyn FnMut(&mut S, &Loop<S>, Completion)>;

/// What is called when a handle is closed, or a request has ended.
pub(crate) type LastCallback<S> = Box<dyn FnOnce(&mut S, &Loop<S>, Completion)>;

pub(crate) struct Calls<S>(RefCell<Slots<S>>);

struct Slots<S> {
    slots: Vec<Slot<S>>,
    free: Vec<usize>,
}

enum Slot<S> {
    Free,
    Used {
        /// Which handle, unless it is a request.
        id: Option<HandleId>,
        callback: Option<Callback<S>>,
        last: Option<LastCallback<S>>,
        /// Counts the closures put here, to see whether one that was taken out is still wanted.
        version: u64,
    },
}

impl<S> Calls<S> {
    pub fn new() -> Self {
        Self(RefCell::new(Slots { slots: Vec::new(), free: Vec::new() }))
    }

    /// Reserves a slot; its index is good for a token.
    pub fn reserve(&self) -> usize {
        let mut slots = self.0.borrow_mut();
        let key = slots.free.pop().unwrap_or_else(|| {
            slots.slots.push(Slot::Free);
            slots.slots.len() - 1
        });
        slots.slots[key] = Slot::Used { id: None, callback: None, last: None, version: 0 };
        key
    }

    pub fn set_id(&self, key: usize, handle: HandleId) {
        if let Slot::Used { id, .. } = &mut self.0.borrow_mut().slots[key] {
            *id = Some(handle);
        }
    }

    pub fn id(&self, key: usize) -> Option<HandleId> {
        match &self.0.borrow().slots[key] {
            Slot::Used { id, .. } => *id,
            Slot::Free => None,
        }
    }

    /// Stores the closure for a handle's events.
    pub fn set(&self, key: usize, new: Callback<S>) {
        let mut slots = self.0.borrow_mut();
        let old = match &mut slots.slots[key] {
            Slot::Used { callback, version, .. } => {
                *version += 1;
                callback.replace(new)
            }
            Slot::Free => None,
        };
        drop(slots);
        drop(old);
    }

    /// Stores the closure for the end.
    pub fn set_last(&self, key: usize, new: LastCallback<S>) {
        let mut slots = self.0.borrow_mut();
        let old = match &mut slots.slots[key] {
            Slot::Used { last, .. } => last.replace(new),
            Slot::Free => None,
        };
        drop(slots);
        drop(old);
    }

    /// Frees a slot without calling anything.
    pub fn free(&self, key: usize) {
        drop(self.end(key));
    }

    /// Runs what belongs to a completion.
    pub fn run(&self, key: usize, state: &mut S, lp: &Loop<S>, completion: Completion) {
        if completion.is_last() {
            if let Slot::Used { last: Some(last), .. } = self.end(key) {
                last(state, lp, completion);
            }
        } else if let Some((mut callback, version)) = self.take(key) {
            callback(state, lp, completion);
            self.put_back(key, callback, version);
        }
    }

    fn take(&self, key: usize) -> Option<(Callback<S>, u64)> {
        match &mut self.0.borrow_mut().slots[key] {
            Slot::Used { callback, version, .. } => Some((callback.take()?, *version)),
            Slot::Free => None,
        }
    }

    fn put_back(&self, key: usize, taken: Callback<S>, of: u64) {
        let mut slots = self.0.borrow_mut();
        match &mut slots.slots[key] {
            Slot::Used { callback, version, .. } if *version == of => *callback = Some(taken),
            // Replaced, or closed: the closure is dropped, with no borrow held.
            _ => drop((slots, taken)),
        }
    }

    /// Empties a slot. The caller drops or calls what was in it, with no borrow held.
    fn end(&self, key: usize) -> Slot<S> {
        let mut slots = self.0.borrow_mut();
        slots.free.push(key);
        std::mem::replace(&mut slots.slots[key], Slot::Free)
    }
}
