//! The kinds of handle.

use mauve_core::handle::Status;
use mauve_core::{Completion, Engine, HandleId, Kind, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use crate::Loop;
use crate::core::request_token;

mod async_;
mod file_poll;
mod hook;
mod poll;
mod process;
mod signal;
mod stream;
mod timer;
mod udp;
mod watcher;

pub use async_::{Async, Sender};
pub use file_poll::{FileChange, FilePoll};
pub use hook::{Check, Idle, Prepare};
pub use poll::Poll;
pub use process::{Place, Process};
pub use signal::Signal;
pub use stream::{Pipe, Tcp, Tty};
pub use timer::Timer;
pub(crate) use timer::whole_millis;
pub(crate) use udp::datagram_methods;
pub use udp::{Datagram, Udp};
pub use watcher::{Change, Depth, FileEvent, Watcher};

/// A handle of any kind, as [`Loop::handles`] gives it.
pub struct AnyHandle<S = ()> {
    pub(crate) lp: Loop<S>,
    pub(crate) id: HandleId,
    pub(crate) key: usize,
}

impl<S> Clone for AnyHandle<S> {
    fn clone(&self) -> Self {
        Self { lp: self.lp.clone(), ..*self }
    }
}

impl<S> std::fmt::Debug for AnyHandle<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.id.fmt(f)
    }
}

impl<S: 'static> AnyHandle<S> {
    pub(crate) fn new(lp: Loop<S>, id: HandleId, key: usize) -> Self {
        Self { lp, id, key }
    }

    /// Makes a handle: `open` gets the token and returns the engine's id.
    fn open(lp: &Loop<S>, open: impl FnOnce(usize) -> Result<HandleId>) -> Result<Self> {
        let key = lp.calls.reserve();
        match open(key) {
            Ok(id) => {
                lp.calls.set_id(key, id);
                Ok(Self::new(lp.clone(), id, key))
            }
            Err(error) => {
                lp.calls.free(key);
                Err(error)
            }
        }
    }

    /// The loop it hangs on.
    pub fn lp(&self) -> &Loop<S> {
        &self.lp
    }

    /// What kind of handle it is.
    pub fn kind(&self) -> Kind {
        self.id.kind()
    }

    fn status(&self) -> Option<Status> {
        self.lp.core.engine(|engine| engine.status(self.id))
    }

    /// Whether it is doing something: a timer runs, a hook is started.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.status().is_some_and(|status| status.active)
    }

    /// Whether it is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.status().is_none_or(|status| status.closing)
    }

    /// Whether it keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.status().is_some_and(|status| status.referenced)
    }

    /// Has it keep the loop alive while it is active. That is how handles begin.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.lp.core.engine(|engine| engine.set_referenced(self.id, true));
    }

    /// Has the loop end without waiting for it.
    #[doc(alias = "uv_unref")]
    pub fn unref(&self) {
        self.lp.core.engine(|engine| engine.set_referenced(self.id, false));
    }

    /// Closes it. Nothing happens if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.lp.core.engine(|engine| engine.close_handle(self.id));
    }

    /// Closes it, and calls `closed` when that is done, in the close phase. `EINVAL` if it is
    /// closed already.
    pub fn close_with(&self, closed: impl FnOnce(&mut S) + 'static) -> Result<()> {
        if !self.lp.core.engine(|engine| engine.close_handle(self.id)) {
            return Err(Errno::EINVAL);
        }
        self.lp.calls.set_last(self.key, Box::new(move |state, _, _| closed(state)));
        Ok(())
    }

    /// Starts a request of the handle: `start` gets the token. `ending` is called at its end.
    fn request(
        &self,
        ending: impl FnOnce(&mut S, &Completion) + 'static,
        start: impl FnOnce(&mut Engine<Platform>, HandleId, Token) -> Result<()>,
    ) -> Result<()> {
        let start = |token| self.lp.core.engine(|engine| start(engine, self.id, token));
        self.expect_ending(ending, start)
    }

    /// As [`request`](Self::request), for a write, which may join what is corked.
    fn write_request(
        &self,
        ending: impl FnOnce(&mut S, &Completion) + 'static,
        start: impl FnOnce(&mut Engine<Platform>, HandleId, Token) -> Result<()>,
    ) -> Result<()> {
        let start = |token| self.lp.core.engine_for_write(|engine| start(engine, self.id, token));
        self.expect_ending(ending, start)
    }

    fn expect_ending(
        &self,
        ending: impl FnOnce(&mut S, &Completion) + 'static,
        start: impl FnOnce(Token) -> Result<()>,
    ) -> Result<()> {
        let calls = &self.lp.calls;
        let ending = move |state: &mut S, _: &Loop<S>, completion: &Completion| {
            ending(state, completion);
        };
        let key = calls.expect(Box::new(ending));
        let started = start(request_token(key));
        if started.is_err() {
            drop(calls.take_ending(key));
        }
        started
    }

    /// Whether the closure for the handle's events, which is running, may be run again at once: it
    /// was not replaced, and nothing else has its turn after a callback.
    fn may_run_again(&self) -> bool {
        self.lp.calls.is_out(self.key, self.id) && self.lp.core.follow_on()
    }

    /// Stores what to call at the handle's events, if the handle is not closed.
    fn on_event(
        &self,
        callback: impl FnMut(&mut S, AnyHandle<S>, &Completion) -> AnyHandle<S> + 'static,
    ) {
        self.lp.calls.set(self.key, self.id, Box::new(callback));
    }
}

/// Gives a handle type the methods that all handles have.
macro_rules! common_methods {
    ($name:ident) => {
        impl<S> Clone for $name<S> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<S> std::fmt::Debug for $name<S> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<S: 'static> $name<S> {
            /// The loop it hangs on.
            pub fn lp(&self) -> &Loop<S> {
                self.0.lp()
            }

            /// Whether it is doing something.
            #[doc(alias = "uv_is_active")]
            pub fn is_active(&self) -> bool {
                self.0.is_active()
            }

            /// Whether it is closing or closed.
            #[doc(alias = "uv_is_closing")]
            pub fn is_closing(&self) -> bool {
                self.0.is_closing()
            }

            /// Whether it keeps the loop alive while it is active.
            #[doc(alias = "uv_has_ref")]
            pub fn has_ref(&self) -> bool {
                self.0.has_ref()
            }

            /// Has it keep the loop alive while it is active. That is how handles begin.
            #[doc(alias = "uv_ref")]
            pub fn ref_(&self) {
                self.0.ref_();
            }

            /// Has the loop end without waiting for it.
            #[doc(alias = "uv_unref")]
            pub fn unref(&self) {
                self.0.unref();
            }

            /// Closes it. Nothing happens if it is closed already.
            #[doc(alias = "uv_close")]
            pub fn close(&self) {
                self.0.close();
            }

            /// Closes it, and calls `closed` when that is done, in the close phase. `EINVAL` if
            /// it is closed already.
            pub fn close_with(&self, closed: impl FnOnce(&mut S) + 'static) -> Result<()> {
                self.0.close_with(closed)
            }
        }

        impl<S> From<$name<S>> for $crate::AnyHandle<S> {
            fn from(handle: $name<S>) -> Self {
                handle.0
            }
        }
    };
}
use common_methods;
