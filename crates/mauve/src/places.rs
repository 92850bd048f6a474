//! Where callbacks were passed to a loop, for traces.
//!
//! Places are stored only while a trace is on: a place for each callback would cost memory and time
//! in every program. So callbacks that were passed before have no name in the trace.

use std::cell::RefCell;
use std::panic::Location;

use mauve_core::Token;
use mauve_core::trace::{self, CallbackKind, CallbackName};

use crate::core::{CompletionTarget, completion_target};

type Place = &'static Location<'static>;

/// The places of the callbacks of one loop, by the keys of their slots.
#[derive(Default)]
pub(crate) struct Places {
    events: RefCell<Vec<Option<Place>>>,
    closes: RefCell<Vec<Option<Place>>>,
    requests: RefCell<Vec<Option<Place>>>,
}

impl Places {
    /// Notes that the caller has passed the event callback of a handle.
    #[inline(always)]
    #[track_caller]
    pub fn note_event(&self, key: usize) {
        if trace::is_on() {
            store(&self.events, key, Location::caller());
        }
    }

    /// Notes that the caller has passed the close callback of a handle.
    #[inline(always)]
    #[track_caller]
    pub fn note_close(&self, key: usize) {
        if trace::is_on() {
            store(&self.closes, key, Location::caller());
        }
    }

    /// Notes that the caller has passed the callback of a request.
    #[inline(always)]
    #[track_caller]
    pub fn note_request(&self, key: usize) {
        if trace::is_on() {
            store(&self.requests, key, Location::caller());
        }
    }

    /// Names the callback of a completion.
    pub fn name_of(&self, kind: CallbackKind, token: Token) -> CallbackName {
        let (places, key) = match completion_target(token) {
            CompletionTarget::Handle(key) if kind == CallbackKind::Close => (&self.closes, key),
            CompletionTarget::Handle(key) => (&self.events, key),
            CompletionTarget::Request(key) => (&self.requests, key),
            CompletionTarget::Future(_)
            | CompletionTarget::Socket(_)
            | CompletionTarget::Executor => return CallbackName::Unknown,
        };
        let place = places.borrow().get(key).copied().flatten();
        place.map_or(CallbackName::Unknown, CallbackName::Place)
    }
}

#[cold]
fn store(places: &RefCell<Vec<Option<Place>>>, key: usize, place: Place) {
    let mut places = places.borrow_mut();
    if places.len() <= key {
        places.resize(key + 1, None);
    }
    places[key] = Some(place);
}
