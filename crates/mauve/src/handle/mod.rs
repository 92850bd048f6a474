//! Handles with callbacks, one type per kind of libuv handle.
//!
//! Each type wraps an [`AnyHandle`] and forwards the methods that all handles have to it. Types of
//! one family share an implementation: `Stream` for [`Tcp`], [`Pipe`] and [`Tty`], and `Hook` for
//! [`Idle`], [`Prepare`] and [`Check`].

use mauve_core::handle::Status;
use mauve_core::{Completion, Engine, HandleId, HandleKind, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use crate::LoopRef;
use crate::core::request_token;

mod async_;
mod check;
mod fs_poll;
mod hook;
mod idle;
mod poll;
mod prepare;
mod process;
mod signal;
mod stream;
mod timer;
mod udp;
mod watcher;

pub use async_::{Async, AsyncSender};
pub use check::Check;
pub use fs_poll::{FsPoll, FsPollEvent};
pub use idle::Idle;
pub use poll::Poll;
pub use prepare::Prepare;
pub use process::{Process, Stdio};
pub use signal::Signal;
pub use stream::{Pipe, Tcp, Tty};
pub use timer::Timer;
pub(crate) use timer::whole_millis;
pub use udp::{Datagram, Udp};
pub use watcher::{FsEvent, FsEventKind, RecursiveMode, Watcher};

/// A handle of any kind, as [`LoopRef::handles`] returns it.
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

/// Conversion between a handle type and [`AnyHandle`], for implementations that types share. A
/// callback gets its handle in the type that the user started it with.
trait TypedHandle<S> {
    fn from_any(handle: AnyHandle<S>) -> Self;
    fn into_any(self) -> AnyHandle<S>;
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

    /// Opens a handle: `open` gets the key of its callbacks and returns the engine's id.
    fn open(lp: &LoopRef<S>, open: impl FnOnce(usize) -> Result<HandleId>) -> Result<Self> {
        let key = lp.callbacks.reserve();
        match open(key) {
            Ok(id) => {
                lp.callbacks.set_id(key, id);
                Ok(Self::new(lp.clone(), id, key))
            }
            Err(error) => {
                lp.callbacks.free(key);
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
    ///
    /// ```
    /// use mauve::{AnyHandle, HandleKind, Idle, Loop};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let handle = AnyHandle::from(Idle::new(&lp));
    /// assert_eq!(handle.kind(), HandleKind::Idle);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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
        self.lp.callbacks.set_close(self.key, move |state, _, _| callback(state));
        Ok(())
    }

    /// Starts a request on the handle: `start` gets the token. `callback` gets its completion.
    #[track_caller]
    fn request(
        &self,
        callback: impl FnOnce(&mut S, &Completion) + 'static,
        start: impl FnOnce(&mut Engine<Platform>, HandleId, Token) -> Result<()>,
    ) -> Result<()> {
        let callbacks = &self.lp.callbacks;
        let callback = move |state: &mut S, _: &LoopRef<S>, completion: &Completion| {
            callback(state, completion);
        };
        let key = callbacks.insert_request(Box::new(callback));
        let token = request_token(key);
        let started = self.lp.core.engine_result(|engine| start(engine, self.id, token));
        if started.is_err() {
            drop(callbacks.take_request(key));
        }
        started
    }

    /// Whether the event callback is running and was not replaced.
    fn is_running_event(&self) -> bool {
        self.lp.callbacks.is_running(self.key, self.id)
    }

    /// Whether the running event callback may be called again at once: it was not replaced, and no
    /// task has to be polled first.
    fn may_call_again(&self) -> bool {
        self.is_running_event() && !self.lp.core.has_woken_tasks()
    }

    /// Drops the event callback. A running one is dropped when it returns.
    fn remove_event(&self) {
        self.lp.callbacks.remove_event(self.key, self.id);
    }

    /// Stores the event callback, if the handle is not closed.
    #[track_caller]
    fn on_event(
        &self,
        callback: impl FnMut(&mut S, AnyHandle<S>, &Completion) -> AnyHandle<S> + 'static,
    ) {
        self.lp.callbacks.set(self.key, self.id, Box::new(callback));
    }
}
