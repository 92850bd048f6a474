//! The shared implementation of idle, prepare and check handles.

use mauve_core::{Engine, HandleId, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use super::{AnyHandle, TypedHandle};
use crate::LoopRef;
use crate::core::handle_token;

/// A handle that is called once per iteration, in the phase of its type.
pub(super) struct Hook<S> {
    pub handle: AnyHandle<S>,
}

impl<S> Clone for Hook<S> {
    fn clone(&self) -> Self {
        Self { handle: self.handle.clone() }
    }
}

impl<S> std::fmt::Debug for Hook<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.handle.fmt(f)
    }
}

impl<S: 'static> Hook<S> {
    /// Creates a handle with the engine's function for its phase.
    pub fn open(lp: &LoopRef<S>, open: fn(&mut Engine<Platform>, Token) -> HandleId) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| open(engine, handle_token(key))));
        Self { handle: AnyHandle::open(lp, open).expect("opening a hook cannot fail") }
    }

    /// Starts the handle. Does nothing if it is started: it keeps its callback.
    #[track_caller]
    pub fn start<T: TypedHandle<S>>(
        &self,
        mut callback: impl FnMut(&mut S, &T) + 'static,
    ) -> Result<()> {
        let started =
            self.handle.lp.core.engine_result(|engine| {
                engine.hook(self.handle.id).ok_or(Errno::EINVAL)?.start()
            })?;
        if started {
            self.handle.on_event(move |state, handle, _| {
                let this = T::from_any(handle);
                callback(state, &this);
                this.into_any()
            });
        }
        Ok(())
    }

    pub fn stop(&self) {
        self.handle.lp.core.try_engine(|engine| {
            if let Some(mut hook) = engine.hook(self.handle.id) {
                hook.stop();
            }
        });
    }
}
