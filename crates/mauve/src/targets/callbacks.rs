//! Callbacks of handles and requests.
//!
//! A handle has an event callback and optionally a close callback. A request has a completion
//! callback, which runs once. A closure that captures nothing is never allocated: boxing a zero-sized
//! type is free.
//!
//! An event callback is moved out of the table while it runs, so that it may replace itself or close
//! its own handle. It is moved back if the target was not changed meanwhile.

use std::any::Any;
use std::marker::PhantomData;
use std::rc::Rc;

use mauve_core::trace::{CallbackKind, CallbackName};
use mauve_core::{HandleId, Token};

use super::{Report, Target, Targets, key_of};
use crate::LoopRef;
use crate::core::Core;
use crate::handle::AnyHandle;

/// The event callback of a handle. It takes the loop by value and returns it, so that a call clones no
/// `Rc`.
pub(crate) trait EventFn {
    fn call(
        &mut self,
        state: &mut dyn Any,
        core: Rc<Core>,
        id: HandleId,
        key: usize,
        report: Report<'_>,
    ) -> Rc<Core>;

    /// For traces. It is in the table of the trait object and takes no memory of a callback.
    fn type_name(&self) -> &'static str;
}

/// The close callback of a handle, or the completion callback of a request.
pub(crate) trait OnceFn {
    fn call(self: Box<Self>, state: &mut dyn Any, core: &Rc<Core>, report: Report<'_>);

    /// For traces.
    fn type_name(&self) -> &'static str;
}

type EventCallback = Box<dyn EventFn>;

pub(crate) type OnceCallback = Box<dyn OnceFn>;

/// A callback, and the type of the loop's state, which the table does not know.
struct Typed<S, F> {
    callback: F,
    state: PhantomData<fn(&mut S)>,
}

impl<S, F> Typed<S, F> {
    fn new(callback: F) -> Box<Self> {
        Box::new(Self { callback, state: PhantomData })
    }
}

/// The message of a panic.
const OTHER_STATE: &str = "a loop runs with one type of state";

impl<S, F> EventFn for Typed<S, F>
where
    S: 'static,
    F: FnMut(&mut S, AnyHandle<S>, Report<'_>) -> AnyHandle<S>,
{
    #[inline]
    fn call(
        &mut self,
        state: &mut dyn Any,
        core: Rc<Core>,
        id: HandleId,
        key: usize,
        report: Report<'_>,
    ) -> Rc<Core> {
        let state = state.downcast_mut().expect(OTHER_STATE);
        (self.callback)(state, AnyHandle::new(LoopRef::new(core), id, key), report).lp.core
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<F>()
    }
}

impl<S: 'static, F: FnOnce(&mut S, &Rc<Core>, Report<'_>)> OnceFn for Typed<S, F> {
    #[inline]
    fn call(self: Box<Self>, state: &mut dyn Any, core: &Rc<Core>, report: Report<'_>) {
        (self.callback)(state.downcast_mut().expect(OTHER_STATE), core, report);
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<F>()
    }
}

/// A callback that does not use the loop's state.
struct Stateless<F>(F);

impl<F: FnMut(&Rc<Core>, Report<'_>)> EventFn for Stateless<F> {
    fn call(
        &mut self,
        _state: &mut dyn Any,
        core: Rc<Core>,
        _id: HandleId,
        _key: usize,
        report: Report<'_>,
    ) -> Rc<Core> {
        (self.0)(&core, report);
        core
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<F>()
    }
}

impl<F: FnOnce(&Rc<Core>, Report<'_>)> OnceFn for Stateless<F> {
    fn call(self: Box<Self>, _state: &mut dyn Any, core: &Rc<Core>, report: Report<'_>) {
        (self.0)(core, report);
    }

    fn type_name(&self) -> &'static str {
        std::any::type_name::<F>()
    }
}

/// A handle with callbacks.
#[derive(Default)]
pub(crate) struct HandleTarget {
    /// `None` until the handle is open.
    id: Option<HandleId>,
    event: EventState,
}

/// The event callback of a handle.
#[derive(Default)]
pub(crate) enum EventState {
    #[default]
    None,
    Set(EventCallback),
    /// It is running, and was neither replaced nor removed.
    Running,
}

impl HandleTarget {
    #[inline]
    pub fn is(&self, id: HandleId) -> bool {
        self.id == Some(id)
    }

    pub fn take_event(&mut self) -> EventState {
        std::mem::take(&mut self.event)
    }

    /// Takes the event callback of a closed handle. What is left owns nothing.
    #[inline]
    pub fn close(&mut self) -> EventState {
        self.id = None;
        self.take_event()
    }

    /// Takes the event callback out, to be called.
    #[inline(always)]
    pub fn run_event<'a>(&mut self, core: &'a Core, key: usize) -> Option<RunningEvent<'a>> {
        let id = self.id?;
        match std::mem::replace(&mut self.event, EventState::Running) {
            EventState::Set(callback) => {
                Some(RunningEvent { targets: &core.targets, key, id, callback: Some(callback) })
            }
            other => {
                self.event = other;
                None
            }
        }
    }
}

impl Targets {
    pub fn insert_handle(&self) -> usize {
        self.insert(Target::Handle(HandleTarget::default()))
    }

    pub fn set_handle_id(&self, key: usize, id: HandleId) {
        if let Target::Handle(handle) = &mut self.slots.borrow_mut()[key].0 {
            handle.id = Some(id);
        }
    }

    /// Whether this is the key of an open handle.
    pub fn is_handle(&self, key: usize, id: HandleId) -> bool {
        self.handle(key, id).is_some()
    }

    /// Names the callback of a completion.
    pub fn name_of(&self, kind: CallbackKind, token: Token) -> CallbackName {
        let key = key_of(token);
        let (slots, closes) = (self.slots.borrow(), self.closes.borrow());
        match (slots.get(key).map(|slot| &slot.0), closes.get(key)) {
            (Some(Target::Handle(_)), Some(Some(close))) if kind == CallbackKind::Close => {
                self.close_names.name_of(key, close.type_name())
            }
            (Some(Target::Handle(HandleTarget { event: EventState::Set(event), .. })), _)
                if kind != CallbackKind::Close =>
            {
                self.names.name_of(key, event.type_name())
            }
            (Some(Target::Request(Some(callback))), _) => {
                self.names.name_of(key, callback.type_name())
            }
            _ => CallbackName::default(),
        }
    }

    /// Stores the event callback of a handle. Drops it if the handle is closed.
    #[track_caller]
    pub fn set_event<S: 'static>(
        &self,
        key: usize,
        id: HandleId,
        callback: impl FnMut(&mut S, AnyHandle<S>, Report<'_>) -> AnyHandle<S> + 'static,
    ) {
        self.store_event(key, id, Typed::new(callback));
    }

    /// As [`set_event`](Self::set_event), for a callback that does not use the loop's state.
    #[track_caller]
    pub fn set_stateless_event(
        &self,
        key: usize,
        id: HandleId,
        callback: impl FnMut(&Rc<Core>, Report<'_>) + 'static,
    ) {
        self.store_event(key, id, Box::new(Stateless(callback)));
    }

    #[track_caller]
    fn store_event(&self, key: usize, id: HandleId, callback: EventCallback) {
        self.names.note(key, || callback.type_name());
        if !self.cleared.get() {
            drop(self.replace_event(key, id, EventState::Set(callback)));
        }
    }

    /// Drops the event callback of a handle. A running one is dropped when it returns.
    pub fn remove_event(&self, key: usize, id: HandleId) {
        drop(self.replace_event(key, id, EventState::None));
    }

    /// Replaces the event callback of a handle. The caller drops what it returns with no borrow held:
    /// the old one, or the new one if the handle is closed.
    fn replace_event(&self, key: usize, id: HandleId, new: EventState) -> EventState {
        match self.handle(key, id) {
            Some(mut handle) => std::mem::replace(&mut handle.event, new),
            None => new,
        }
    }

    /// Whether the event callback of a handle is running and was not replaced by another.
    pub fn is_running(&self, key: usize, id: HandleId) -> bool {
        self.handle(key, id).is_some_and(|handle| matches!(handle.event, EventState::Running))
    }

    /// Stores the close callback of a handle that is closing.
    #[track_caller]
    pub fn set_close<S: 'static>(&self, key: usize, callback: impl FnOnce(&mut S) + 'static) {
        let call = move |state: &mut S, _: &Rc<Core>, _: Report<'_>| callback(state);
        let callback: OnceCallback = Typed::new(call);
        self.close_names.note(key, || callback.type_name());
        if self.cleared.get() {
            return;
        }
        let mut closes = self.closes.borrow_mut();
        if closes.len() <= key {
            closes.resize_with(key + 1, || None);
        }
        let old = closes[key].replace(callback);
        drop(closes);
        drop(old);
    }

    /// Takes the close callback of a handle.
    #[inline]
    pub fn take_close(&self, key: usize) -> Option<OnceCallback> {
        self.closes.borrow_mut().get_mut(key)?.take()
    }

    /// Stores the completion callback of a request and returns its key.
    #[inline]
    #[track_caller]
    pub fn insert_request<S: 'static>(
        &self,
        callback: impl FnOnce(&mut S, &Rc<Core>, Report<'_>) + 'static,
    ) -> usize {
        self.insert_callback(Typed::new(callback))
    }

    /// As [`insert_request`](Self::insert_request), for a callback that does not use the loop's state.
    pub fn insert_stateless(
        &self,
        callback: impl FnOnce(&Rc<Core>, Report<'_>) + 'static,
    ) -> usize {
        self.insert_callback(Box::new(Stateless(callback)))
    }

    #[inline]
    #[track_caller]
    fn insert_callback(&self, callback: OnceCallback) -> usize {
        let name = callback.type_name();
        let key = self.insert(Target::Request(Some(callback)));
        self.names.note(key, || name);
        key
    }
}

/// An event callback that was taken out of the table. It is put back when this is dropped, also if the
/// callback panics.
pub(crate) struct RunningEvent<'a> {
    targets: &'a Targets,
    key: usize,
    id: HandleId,
    callback: Option<EventCallback>,
}

impl RunningEvent<'_> {
    #[inline(always)]
    pub fn call(mut self, state: &mut dyn Any, core: Rc<Core>, report: Report<'_>) -> Rc<Core> {
        match &mut self.callback {
            Some(callback) => callback.call(state, core, self.id, self.key, report),
            None => core,
        }
    }
}

impl Drop for RunningEvent<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(mut handle) = self.targets.handle(self.key, self.id)
            && let EventState::Running = handle.event
            && let Some(callback) = self.callback.take()
        {
            handle.event = EventState::Set(callback);
        }
        // Otherwise it was replaced, or the handle was closed. The callback is dropped with no
        // borrow held.
    }
}
