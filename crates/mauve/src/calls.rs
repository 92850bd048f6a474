//! The closures of one loop.
//!
//! A handle has a *slot* for what is called at its events; a request has an *ending*, which is
//! called once. The index of either is the token that the engine gives back.
//!
//! To run a closure it is taken out of its slot, so that it can do anything, even replace itself
//! or close its own handle; it is put back if the slot still waits for it. A closure that captures
//! nothing is never allocated: it costs what a function pointer does.

use std::cell::RefCell;

use mauve_core::pool::{self, Task};
use mauve_core::slots::Slots;
use mauve_core::{Completion, HandleId};

use crate::Loop;
use crate::core::{Receiver, receiver};
use crate::handle::AnyHandle;
use crate::spare::Spare;

/// What a closure of the user is wrapped in. It is lent a name of its handle, and gives it back:
/// so no name is made for a call.
pub(crate) type Callback<S> = Box<dyn FnMut(&mut S, AnyHandle<S>, &Completion) -> AnyHandle<S>>;

/// What is called when a handle is closed, or a request has ended.
pub(crate) type LastCallback<S> = Box<dyn FnOnce(&mut S, &Loop<S>, &Completion)>;

pub(crate) struct Calls<S> {
    handles: RefCell<Handles<S>>,
    requests: RefCell<Requests<S>>,
}

struct Handles<S> {
    slots: Slots<Slot<S>>,
    /// What is called when handles are closed, by the indices of their slots. Only as long as
    /// somebody has asked for.
    last: Vec<Option<LastCallback<S>>>,
}

/// What is known of one handle. Two of them fill a cache line: a million timers fire in no order
/// that a cache could foresee.
#[repr(align(32))]
struct Slot<S> {
    callback: Option<Callback<S>>,
    /// The bits of the handle's id; zero if the slot is free, or not yet anybody's.
    id: u64,
    /// Counts the closures put here, to see whether one that was taken out is still wanted.
    version: u32,
}

struct Requests<S> {
    slots: Slots<Request<S>>,
}

/// What is known of one request, or was of the last.
struct Request<S> {
    ending: Option<LastCallback<S>>,
    spare: Spare,
}

impl<S> Slot<S> {
    const FREE: Self = Self { callback: None, id: 0, version: 0 };
}

impl<S> Calls<S> {
    pub fn new() -> Self {
        Self {
            handles: RefCell::new(Handles { slots: Slots::new(), last: Vec::new() }),
            requests: RefCell::new(Requests { slots: Slots::new() }),
        }
    }

    /// Reserves a slot for a handle; its index is good for a token.
    pub fn reserve(&self) -> usize {
        self.handles.borrow_mut().slots.take(|_| Slot::FREE)
    }

    pub fn set_id(&self, key: usize, handle: HandleId) {
        self.handles.borrow_mut().slots[key].id = handle.to_bits();
    }

    pub fn id(&self, key: usize) -> Option<HandleId> {
        HandleId::from_bits(self.handles.borrow().slots.get(key)?.id)
    }

    /// Stores the closure for the events of `handle`, unless that is closed.
    pub fn set(&self, key: usize, handle: HandleId, new: Callback<S>) {
        let mut handles = self.handles.borrow_mut();
        let slot = &mut handles.slots[key];
        let unwanted = if slot.id == handle.to_bits() {
            slot.version = slot.version.wrapping_add(1);
            slot.callback.replace(new)
        } else {
            Some(new)
        };
        drop(handles);
        drop(unwanted);
    }

    /// Whether the closure of `handle` is out of its slot, because it is running, and no other one
    /// has come in its place.
    pub fn is_out(&self, key: usize, handle: HandleId) -> bool {
        let slot = &self.handles.borrow().slots[key];
        slot.callback.is_none() && slot.id == handle.to_bits()
    }

    /// Stores the closure for the end of a handle.
    pub fn set_last(&self, key: usize, new: LastCallback<S>) {
        let mut handles = self.handles.borrow_mut();
        if handles.last.len() <= key {
            handles.last.resize_with(key + 1, || None);
        }
        let old = handles.last[key].replace(new);
        drop(handles);
        drop(old);
    }

    /// Frees the slot of a handle that did not come into being.
    pub fn free(&self, key: usize) {
        drop(self.end(key));
    }

    /// Looks at the slots of handles that are to be called soon, all at once: so the processor
    /// fetches what is not in its caches side by side, and not one after the other.
    pub fn look_ahead(&self, keys: impl Iterator<Item = usize>) {
        let handles = self.handles.borrow();
        let versions = keys.filter_map(|key| handles.slots.get(key)).map(|slot| slot.version);
        std::hint::black_box(versions.fold(0, |sum, version| sum ^ version));
    }

    /// Runs what belongs to an event of a handle. `lp` is lent for the call.
    pub fn run(&self, key: usize, state: &mut S, lp: Loop<S>, completion: &Completion) -> Loop<S>
    where
        S: 'static,
    {
        let mut handles = self.handles.borrow_mut();
        let slot = &mut handles.slots[key];
        let (Some(mut callback), Some(id)) = (slot.callback.take(), HandleId::from_bits(slot.id))
        else {
            return lp;
        };
        let version = slot.version;
        drop(handles);
        let handle = callback(state, AnyHandle::new(lp, id, key), completion);
        let mut handles = self.handles.borrow_mut();
        let slot = &mut handles.slots[key];
        if slot.version == version && slot.id == id.to_bits() {
            slot.callback = Some(callback);
        } else {
            // Replaced, or closed: the closure is dropped, with no borrow held.
            drop(handles);
            drop(callback);
        }
        handle.lp
    }

    /// Runs what belongs to the end of a handle.
    pub fn run_last(&self, key: usize, state: &mut S, lp: &Loop<S>, completion: &Completion) {
        if let (_callback, Some(last)) = self.end(key) {
            last(state, lp, completion);
        }
    }

    /// Empties the slot of a handle. The caller drops or calls what was in it, with no borrow held.
    fn end(&self, key: usize) -> (Option<Callback<S>>, Option<LastCallback<S>>) {
        let mut handles = self.handles.borrow_mut();
        handles.slots.free(key);
        let last = handles.last.get_mut(key).and_then(Option::take);
        (std::mem::replace(&mut handles.slots[key], Slot::FREE).callback, last)
    }

    /// Keeps what is called when a request ends; its index is good for a token.
    pub fn expect(&self, ending: LastCallback<S>) -> usize {
        self.requests.borrow_mut().expect(ending).0
    }

    /// As [`expect`](Self::expect), for work on the pool, which is made of the memory that is there.
    #[inline]
    pub fn expect_work(
        &self,
        ending: LastCallback<S>,
        make: impl FnOnce(&mut Spare) -> Task,
    ) -> (usize, Task) {
        let mut requests = self.requests.borrow_mut();
        let (key, request) = requests.expect(ending);
        (key, make(&mut request.spare))
    }

    /// Leaves the memory of work that has just ended to the next.
    #[inline]
    pub fn keep_spare(&self, ended: &Completion, work: Box<dyn pool::Work>) {
        if let Receiver::Request(key) = receiver(ended.token()) {
            self.requests.borrow_mut().slots[key].spare.keep(key, work);
        }
    }

    /// What is called at the end of a request. None is expected there any more.
    #[inline]
    pub fn take_ending(&self, key: usize) -> Option<LastCallback<S>> {
        let mut requests = self.requests.borrow_mut();
        let ending = requests.slots[key].ending.take();
        requests.slots.free(key);
        ending
    }
}

impl<S> Requests<S> {
    #[inline]
    fn expect(&mut self, ending: LastCallback<S>) -> (usize, &mut Request<S>) {
        let key = self.slots.take(|_| Request { ending: None, spare: Spare::default() });
        let request = &mut self.slots[key];
        request.ending = Some(ending);
        (key, request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_slots_fill_a_cache_line() {
        assert_eq!(size_of::<Slot<()>>(), 32);
    }
}
