//! The callbacks of one loop.
//!
//! A handle has a slot for its event callback and optionally one for its close callback. A request
//! has a slot for its completion callback, which runs once. The index of a slot is part of the
//! token that the engine returns with a completion.
//!
//! A callback is moved out of its slot while it runs, so that it may replace itself or close its
//! own handle. It is moved back if the slot was not changed meanwhile. A closure that captures
//! nothing is never allocated: boxing a zero-sized type is free.

use std::cell::{Cell, RefCell};

use mauve_core::pool::{self, Task};
use mauve_core::slots::Slots;
use mauve_core::trace::{CallbackKind, CallbackName};
use mauve_core::unwind::drop_each;
use mauve_core::{Completion, HandleId, Token};

use crate::LoopRef;
use crate::box_cache::BoxCache;
use crate::callback_names::CallbackNames;
use crate::core::{CompletionTarget, completion_target};
use crate::handle::AnyHandle;

/// The event callback of a handle. It takes its handle by value and returns it, so that a call
/// clones no `Rc`.
pub(crate) trait EventFn<S> {
    fn call(
        &mut self,
        state: &mut S,
        handle: AnyHandle<S>,
        completion: &Completion,
    ) -> AnyHandle<S>;

    /// For traces. It is in the table of the trait object and takes no memory of a callback.
    fn type_name(&self) -> &'static str;
}

impl<S, F: FnMut(&mut S, AnyHandle<S>, &Completion) -> AnyHandle<S>> EventFn<S> for F {
    #[inline]
    fn call(
        &mut self,
        state: &mut S,
        handle: AnyHandle<S>,
        completion: &Completion,
    ) -> AnyHandle<S> {
        self(state, handle, completion)
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<F>()
    }
}

/// The close callback of a handle, or the completion callback of a request.
pub(crate) trait OnceFn<S> {
    fn call(self: Box<Self>, state: &mut S, lp: &LoopRef<S>, completion: &Completion);

    /// For traces.
    fn type_name(&self) -> &'static str;
}

impl<S, F: FnOnce(&mut S, &LoopRef<S>, &Completion)> OnceFn<S> for F {
    #[inline]
    fn call(self: Box<Self>, state: &mut S, lp: &LoopRef<S>, completion: &Completion) {
        self(state, lp, completion);
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<F>()
    }
}

pub(crate) type EventCallback<S> = Box<dyn EventFn<S>>;

pub(crate) type OnceCallback<S> = Box<dyn OnceFn<S>>;

pub(crate) struct Callbacks<S> {
    handles: RefCell<HandleSlots<S>>,
    requests: RefCell<Slots<RequestSlot<S>>>,
    /// Whether the loop was dropped. No callback is stored any more.
    cleared: Cell<bool>,
    /// Names of event callbacks, close callbacks and completion callbacks, for traces.
    events: CallbackNames,
    closes: CallbackNames,
    completions: CallbackNames,
}

struct HandleSlots<S> {
    slots: Slots<HandleSlot<S>>,
    /// Close callbacks, by the same index. Few handles have one, so the vector is only as long as
    /// needed.
    close: Vec<Option<OnceCallback<S>>>,
}

/// The event callback of one handle. Two slots fill a cache line: a million timers fire in an order
/// that no prefetcher predicts.
#[repr(align(32))]
struct HandleSlot<S> {
    callback: Option<EventCallback<S>>,
    /// The bits of the handle's id. Zero if the slot is free or just reserved.
    id: u64,
    /// Incremented whenever the callback is replaced, to detect that while the old one runs.
    version: u32,
}

/// The completion callback of one request, and the cached allocation of its pool work.
struct RequestSlot<S> {
    callback: Option<OnceCallback<S>>,
    cache: BoxCache,
}

impl<S> HandleSlot<S> {
    const FREE: Self = Self { callback: None, id: 0, version: 0 };
}

impl<S> Callbacks<S> {
    pub fn new() -> Self {
        Self {
            handles: RefCell::new(HandleSlots { slots: Slots::new(), close: Vec::new() }),
            requests: RefCell::new(Slots::new()),
            cleared: Cell::new(false),
            events: CallbackNames::default(),
            closes: CallbackNames::default(),
            completions: CallbackNames::default(),
        }
    }

    /// Drops all callbacks, and those that are stored later at once.
    pub fn clear(&self) {
        self.cleared.set(true);
        let mut handles = self.handles.borrow_mut();
        let events: Vec<_> = handles.slots.iter_mut().map(|slot| slot.callback.take()).collect();
        let closes = std::mem::take(&mut handles.close);
        drop(handles);
        let mut requests = self.requests.borrow_mut();
        let ends: Vec<_> = requests.iter_mut().map(|slot| slot.callback.take()).collect();
        drop(requests);
        drop_each(events);
        drop_each(closes);
        drop_each(ends);
    }

    /// Reserves a slot for a handle and returns its key.
    pub fn reserve(&self) -> usize {
        self.handles.borrow_mut().slots.take(|_| HandleSlot::FREE)
    }

    pub fn set_id(&self, key: usize, handle: HandleId) {
        self.handles.borrow_mut().slots[key].id = handle.to_bits();
    }

    pub fn id(&self, key: usize) -> Option<HandleId> {
        HandleId::from_bits(self.handles.borrow().slots.get(key)?.id)
    }

    /// Names the callback of a completion.
    pub fn name_of(&self, kind: CallbackKind, token: Token) -> CallbackName {
        let handles = self.handles.borrow();
        let name = match completion_target(token) {
            CompletionTarget::Handle(key) if kind == CallbackKind::Close => {
                let callback = handles.close.get(key).and_then(Option::as_ref);
                callback.map(|callback| self.closes.name_of(key, callback.type_name()))
            }
            CompletionTarget::Handle(key) => {
                let callback = handles.slots.get(key).and_then(|slot| slot.callback.as_ref());
                callback.map(|callback| self.events.name_of(key, callback.type_name()))
            }
            CompletionTarget::Request(key) => {
                let requests = self.requests.borrow();
                let callback = requests.get(key).and_then(|slot| slot.callback.as_ref());
                callback.map(|callback| self.completions.name_of(key, callback.type_name()))
            }
            CompletionTarget::Future(_)
            | CompletionTarget::Socket(_)
            | CompletionTarget::NoCallback => None,
        };
        name.unwrap_or_default()
    }

    /// Stores the event callback of `handle`. Drops it if the handle is closed.
    #[track_caller]
    pub fn set(&self, key: usize, handle: HandleId, new: EventCallback<S>) {
        self.events.note(key, || new.type_name());
        let mut handles = self.handles.borrow_mut();
        let slot = &mut handles.slots[key];
        let dropped = if slot.id == handle.to_bits() && !self.cleared.get() {
            slot.version = slot.version.wrapping_add(1);
            slot.callback.replace(new)
        } else {
            Some(new)
        };
        drop(handles);
        drop(dropped);
    }

    /// Drops the event callback of `handle`. A running one is dropped when it returns.
    pub fn remove_event(&self, key: usize, handle: HandleId) {
        let mut handles = self.handles.borrow_mut();
        let slot = &mut handles.slots[key];
        if slot.id != handle.to_bits() {
            return;
        }
        slot.version = slot.version.wrapping_add(1);
        let callback = slot.callback.take();
        drop(handles);
        drop(callback);
    }

    /// Whether the event callback of `handle` is running and was not replaced by another.
    pub fn is_running(&self, key: usize, handle: HandleId) -> bool {
        let slot = &self.handles.borrow().slots[key];
        slot.callback.is_none() && slot.id == handle.to_bits()
    }

    /// Stores the close callback of a handle.
    #[track_caller]
    pub fn set_close(
        &self,
        key: usize,
        new: impl FnOnce(&mut S, &LoopRef<S>, &Completion) + 'static,
    ) {
        let new: OnceCallback<S> = Box::new(new);
        self.closes.note(key, || new.type_name());
        let mut handles = self.handles.borrow_mut();
        if self.cleared.get() {
            return;
        }
        if handles.close.len() <= key {
            handles.close.resize_with(key + 1, || None);
        }
        let old = handles.close[key].replace(new);
        drop(handles);
        drop(old);
    }

    /// Frees a reserved slot whose handle could not be opened.
    pub fn free(&self, key: usize) {
        drop(self.remove(key));
    }

    /// Touches the slots of several upcoming callbacks, so that their cache misses overlap.
    pub fn prefetch(&self, keys: impl Iterator<Item = usize>) {
        let handles = self.handles.borrow();
        let versions = keys.filter_map(|key| handles.slots.get(key)).map(|slot| slot.version);
        std::hint::black_box(versions.fold(0, |sum, version| sum ^ version));
    }

    /// Runs the event callback of a handle. Takes and returns a loop reference, so that a call
    /// clones no `Rc`.
    #[inline(always)]
    pub fn run(
        &self,
        key: usize,
        state: &mut S,
        lp: LoopRef<S>,
        completion: &Completion,
    ) -> LoopRef<S>
    where
        S: 'static,
    {
        let mut handles = self.handles.borrow_mut();
        let slot = &mut handles.slots[key];
        let (Some(callback), Some(id)) = (slot.callback.take(), HandleId::from_bits(slot.id))
        else {
            return lp;
        };
        let (id, version) = (id, slot.version);
        drop(handles);
        let mut running = RunningCallback { callbacks: self, key, id, version, callback: None };
        let callback = running.callback.insert(callback);
        callback.call(state, AnyHandle::new(lp, id, key), completion).lp
    }

    /// Frees the slot of a closed handle and runs its close callback.
    pub fn run_close(&self, key: usize, state: &mut S, lp: &LoopRef<S>, completion: &Completion) {
        if let (_callback, Some(close)) = self.remove(key) {
            close.call(state, lp, completion);
        }
    }

    /// Frees the slot of a handle. The caller drops or runs the callbacks with no borrow held.
    fn remove(&self, key: usize) -> (Option<EventCallback<S>>, Option<OnceCallback<S>>) {
        let mut handles = self.handles.borrow_mut();
        handles.slots.free(key);
        let close = handles.close.get_mut(key).and_then(Option::take);
        (std::mem::replace(&mut handles.slots[key], HandleSlot::FREE).callback, close)
    }

    /// Stores the completion callback of a request and returns its key.
    #[track_caller]
    pub fn insert_request(&self, callback: OnceCallback<S>) -> usize {
        let mut requests = self.requests.borrow_mut();
        self.insert(&mut requests, callback)
    }

    /// As [`insert_request`](Self::insert_request), for work on the pool. `make` may reuse the
    /// slot's cached allocation.
    #[inline]
    #[track_caller]
    pub fn insert_work(
        &self,
        callback: OnceCallback<S>,
        make: impl FnOnce(&mut BoxCache) -> Task,
    ) -> (usize, Task) {
        let mut requests = self.requests.borrow_mut();
        let key = self.insert(&mut requests, callback);
        (key, make(&mut requests[key].cache))
    }

    #[inline]
    #[track_caller]
    fn insert(&self, requests: &mut Slots<RequestSlot<S>>, callback: OnceCallback<S>) -> usize {
        let key = requests.take(|_| RequestSlot { callback: None, cache: BoxCache::default() });
        self.completions.note(key, || callback.type_name());
        requests[key].callback = Some(callback);
        key
    }

    /// Caches the allocation of work whose completion is `completion`.
    #[inline]
    pub fn cache_work(&self, completion: &Completion, work: Box<dyn pool::Work>) {
        if let CompletionTarget::Request(key) = completion_target(completion.token()) {
            self.requests.borrow_mut()[key].cache.store(key, work);
        }
    }

    /// Takes the completion callback of a request and frees its slot.
    #[inline]
    pub fn take_request(&self, key: usize) -> Option<OnceCallback<S>> {
        let mut requests = self.requests.borrow_mut();
        let callback = requests[key].callback.take();
        requests.free(key);
        callback
    }
}

/// An event callback that was taken out of its slot. It is put back when this is dropped, also if
/// the callback panics.
struct RunningCallback<'a, S> {
    callbacks: &'a Callbacks<S>,
    key: usize,
    id: HandleId,
    version: u32,
    callback: Option<EventCallback<S>>,
}

impl<S> Drop for RunningCallback<'_, S> {
    #[inline]
    fn drop(&mut self) {
        let mut handles = self.callbacks.handles.borrow_mut();
        let slot = &mut handles.slots[self.key];
        if slot.version == self.version && slot.id == self.id.to_bits() {
            slot.callback = self.callback.take();
        }
        // Otherwise it was replaced, or the handle was closed. The callback is dropped with no
        // borrow held.
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_handle_slots_fill_a_cache_line() {
        assert_eq!(size_of::<HandleSlot<()>>(), 32);
    }
}
