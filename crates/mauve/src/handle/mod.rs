//! Handles with callbacks, one type per kind of libuv handle.
//!
//! Each type dereferences to [`AnyHandle`], which has the methods that all handles have. [`Tcp`],
//! [`Pipe`] and [`Tty`] do so through [`Stream`].

use std::rc::Rc;

use mauve_core::handle::Status;
use mauve_core::{Engine, HandleId, HandleKind, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use crate::LoopRef;
use crate::core::Core;
use crate::targets::{self, Report};

/// Implements what all handle types have in common, for a type that wraps `$inner`.
macro_rules! wrapper_type {
    ($name:ident($inner:ty)) => {
        impl<S> std::ops::Deref for $name<S> {
            type Target = $inner;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

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

        impl<S> From<$name<S>> for $crate::AnyHandle<S> {
            fn from(handle: $name<S>) -> Self {
                handle.0.into()
            }
        }
    };
}

/// [`wrapper_type`], for a type that wraps an [`AnyHandle`].
macro_rules! handle_type {
    ($name:ident) => {
        wrapper_type!($name($crate::AnyHandle<S>));

        impl<S> $crate::handle::TypedHandle<S> for $name<S> {
            fn from_any(handle: $crate::AnyHandle<S>) -> Self {
                Self(handle)
            }
        }
    };
}

mod async_;
mod fs_poll;
mod hook;
mod poll;
mod process;
mod signal;
mod stream;
mod timer;
mod udp;
mod watcher;

pub use async_::{Async, AsyncSender};
pub use fs_poll::{FsPoll, FsPollEvent};
pub use hook::{Check, Idle, Prepare};
pub use poll::Poll;
pub use process::{Process, ProcessStdio};
pub use signal::Signal;
pub use stream::{Pipe, Stream, Tcp, Tty};
pub use timer::Timer;
pub(crate) use timer::whole_millis;
pub use udp::{Datagram, Udp};
pub use watcher::{FsEvent, FsEventKind, RecursiveMode, Watcher};

/// A handle of any kind, as [`LoopRef::handles`] returns it. All handle types dereference to it.
///
/// ```
/// use mauve::{HandleKind, Idle, Loop, RunMode, Timer};
///
/// let lp: Loop = Loop::new()?;
/// let (_timer, _idle) = (Timer::new(&lp), Idle::new(&lp));
/// let kinds: Vec<_> = lp.handles().iter().map(|handle| handle.kind()).collect();
/// assert_eq!(kinds, [HandleKind::Timer, HandleKind::Idle]);
/// lp.walk(|handle| handle.close());
/// lp.run(RunMode::Default)?;
/// assert!(lp.handles().is_empty());
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_handle_t")]
pub struct AnyHandle<S = ()> {
    pub(crate) lp: LoopRef<S>,
    pub(crate) id: HandleId,
    /// The key of its callbacks.
    pub(crate) key: usize,
}

/// A type that wraps an [`AnyHandle`]. A callback gets its handle in the type that the user started
/// it with.
trait TypedHandle<S>: Into<AnyHandle<S>> {
    fn from_any(handle: AnyHandle<S>) -> Self;
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
    pub(crate) fn new(lp: LoopRef<S>, id: HandleId, key: usize) -> Self {
        Self { lp, id, key }
    }

    /// Opens a handle: `open` gets the token and returns the engine's id.
    ///
    /// # Panics
    /// Panics if the loop is closed.
    fn open(lp: &LoopRef<S>, open: impl FnOnce(&mut Engine<Platform>, Token) -> HandleId) -> Self {
        let opened = Self::try_open(lp, |engine, token| Ok(open(engine, token)));
        opened.expect("this loop is closed")
    }

    /// As [`open`](Self::open), for a handle that cannot always be opened. `EINVAL` if the loop is
    /// closed.
    fn try_open(
        lp: &LoopRef<S>,
        open: impl FnOnce(&mut Engine<Platform>, Token) -> Result<HandleId>,
    ) -> Result<Self> {
        let targets = &lp.core.targets;
        let key = targets.insert_handle();
        match lp.core.engine_result(|engine| open(engine, targets::token(key))) {
            Ok(id) => {
                targets.set_handle_id(key, id);
                Ok(Self::new(lp.clone(), id, key))
            }
            Err(error) => {
                targets.remove(key);
                Err(error)
            }
        }
    }

    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        &self.lp
    }

    /// The kind of the handle.
    #[doc(alias = "uv_handle_get_type")]
    pub fn kind(&self) -> HandleKind {
        self.id.kind()
    }

    fn status(&self) -> Option<Status> {
        self.lp.core.try_engine(|engine| engine.status(self.id)).flatten()
    }

    /// Whether the handle is active: a timer or hook is started, a stream is reading, and so on.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.status().is_some_and(|status| status.active)
    }

    /// Whether the handle is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.status().is_none_or(|status| status.closing)
    }

    /// Whether the handle is referenced: it then keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.status().is_some_and(|status| status.referenced)
    }

    /// References the handle. Handles are referenced when they are created.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.lp.core.try_engine(|engine| engine.set_referenced(self.id, true));
    }

    /// Unreferences the handle: it no longer keeps the loop alive.
    ///
    /// ```
    /// use mauve::{Async, Loop, RunMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let wakeup = Async::new(&lp, |_, _| {});
    /// wakeup.unref();
    /// assert!(!lp.run(RunMode::Default)?, "nothing keeps the loop alive");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_unref")]
    pub fn unref(&self) {
        self.lp.core.try_engine(|engine| engine.set_referenced(self.id, false));
    }

    /// Closes the handle. Does nothing if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.lp.core.try_engine(|engine| engine.close_handle(self.id));
    }

    /// Closes the handle and calls `callback` in the close phase. `EINVAL` if it is closed already.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// Timer::new(&lp).close_with(|closed| *closed = true)?;
    /// let mut closed = false;
    /// lp.run_with(&mut closed, RunMode::Default)?;
    /// assert!(closed);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        if self.lp.core.try_engine(|engine| engine.close_handle(self.id)) != Some(true) {
            return Err(Errno::EINVAL);
        }
        self.lp.core.targets.set_close(self.key, callback);
        Ok(())
    }

    /// Starts a request on the handle: `start` gets the token. `callback` gets the handle and the
    /// completion.
    #[track_caller]
    fn request(
        &self,
        callback: impl FnOnce(&mut S, Self, Report<'_>) + 'static,
        start: impl FnOnce(&mut Engine<Platform>, HandleId, Token) -> Result<()>,
    ) -> Result<()> {
        let core = &self.lp.core;
        let Self { id, key, .. } = *self;
        // The callback must not own the loop, which owns the callback.
        let callback = move |state: &mut S, core: &Rc<Core>, report: Report<'_>| {
            callback(state, Self::new(LoopRef::new(core.clone()), id, key), report);
        };
        let request = core.targets.insert_request(callback);
        let token = targets::token(request);
        let started = core.engine_result(|engine| start(engine, id, token));
        if started.is_err() {
            core.targets.remove(request);
        }
        started
    }

    /// Whether the event callback is running and was not replaced.
    fn is_running_event(&self) -> bool {
        self.lp.core.targets.is_running(self.key, self.id)
    }

    /// Whether the running event callback may be called again at once: it was not replaced, and no
    /// task has to be polled first.
    fn may_call_again(&self) -> bool {
        self.is_running_event() && !self.lp.core.has_woken_tasks()
    }

    /// Drops the event callback. A running one is dropped when it returns.
    fn remove_event(&self) {
        self.lp.core.targets.remove_event(self.key, self.id);
    }

    /// Stores the event callback, if the handle is not closed. It gets the handle as a `T`.
    #[track_caller]
    fn on_event<T: TypedHandle<S>>(
        &self,
        mut callback: impl FnMut(&mut S, &T, Report<'_>) + 'static,
    ) {
        self.set_event(move |state, handle, report| {
            let handle = T::from_any(handle);
            callback(state, &handle, report);
            handle.into()
        });
    }

    /// As [`on_event`](Self::on_event). The callback owns the handle while it runs, and returns it.
    #[track_caller]
    fn set_event(
        &self,
        callback: impl FnMut(&mut S, AnyHandle<S>, Report<'_>) -> AnyHandle<S> + 'static,
    ) {
        self.lp.core.targets.set_event(self.key, self.id, callback);
    }
}
