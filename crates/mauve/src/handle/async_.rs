//! Wake-ups from other threads.

use mauve_sys::Result;

pub use mauve_core::wakeups::AsyncSender;

use super::AnyHandle;
use crate::LoopRef;
use crate::core::handle_token;

/// Wakes the loop from any thread and runs a callback on the loop's thread.
///
/// ```
/// use mauve::{Async, Loop, RunMode};
///
/// let lp: Loop = Loop::new()?;
/// let wakeup = Async::new(&lp, |_, wakeup| wakeup.close());
/// let sender = wakeup.sender();
/// std::thread::spawn(move || sender.send());
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_async_t")]
pub struct Async<S = ()>(AnyHandle<S>);

impl<S: 'static> Async<S> {
    /// Creates a handle. It is active until it is closed.
    #[doc(alias = "uv_async_init")]
    #[track_caller]
    pub fn new(lp: &LoopRef<S>, mut callback: impl FnMut(&mut S, &Async<S>) + 'static) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_async(handle_token(key))));
        let handle = AnyHandle::open(lp, open).expect("opening an async handle cannot fail");
        handle.on_event(move |state, handle, _| {
            let this = Self(handle);
            callback(state, &this);
            this.0
        });
        Self(handle)
    }

    /// A sender that other threads can use to wake the loop. Several sends before the callback runs
    /// are merged into one. A sender may outlive the handle; sending then fails.
    ///
    /// ```
    /// use std::thread;
    /// use mauve::{Async, Loop, RunMode};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// let wakeup = Async::new(&lp, |calls, wakeup| {
    ///     *calls += 1;
    ///     wakeup.close();
    /// });
    /// let sender = wakeup.sender();
    /// let thread = thread::spawn(move || sender.send().is_ok());
    /// let mut calls = 0;
    /// lp.run_with(&mut calls, RunMode::Default)?;
    /// assert!(thread.join().unwrap() && calls == 1);
    /// assert!(wakeup.sender().send().is_err(), "the handle is closed");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_async_send")]
    pub fn sender(&self) -> AsyncSender {
        self.0.lp.core.engine(|engine| engine.sender(self.0.id))
    }
}

impl<S: 'static> Async<S> {
    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        self.0.event_loop()
    }

    /// Whether the handle is active. It is until it is closed.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.0.is_active()
    }

    /// Whether the handle is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.0.is_closing()
    }

    /// Whether the handle is referenced: it then keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.0.has_ref()
    }

    /// References the handle. Handles are referenced when they are created.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.0.ref_();
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
        self.0.unref();
    }

    /// Closes the handle. Does nothing if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.0.close();
    }

    /// Closes the handle and calls `callback` in the close phase. `EINVAL` if it is closed already.
    ///
    /// ```
    /// use mauve::{Async, Loop, RunMode};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// Async::new(&lp, |_, _| {}).close_with(|closed| *closed = true)?;
    /// let mut closed = false;
    /// lp.run_with(&mut closed, RunMode::Default)?;
    /// assert!(closed);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        self.0.close_with(callback)
    }
}

impl<S> Clone for Async<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Async<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Async<S>> for AnyHandle<S> {
    fn from(handle: Async<S>) -> Self {
        handle.0
    }
}
