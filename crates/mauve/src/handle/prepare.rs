//! Prepare handles.

use mauve_core::Engine;
use mauve_sys::Result;

use super::hook::Hook;
use super::{AnyHandle, TypedHandle};
use crate::LoopRef;

/// Runs a callback once per iteration, right before the loop waits for events.
///
/// ```
/// use mauve::{Loop, Prepare, RunMode};
///
/// let lp = Loop::<u32>::new()?;
/// Prepare::new(&lp).start(|calls, _| *calls += 1)?;
/// let mut calls = 0;
/// lp.run_with(&mut calls, RunMode::NoWait)?;
/// assert_eq!(calls, 1);
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_prepare_t")]
pub struct Prepare<S = ()>(Hook<S>);

impl<S: 'static> Prepare<S> {
    /// Creates a handle that is not started.
    #[doc(alias = "uv_prepare_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(Hook::open(lp, Engine::open_prepare))
    }

    /// Calls `callback` once per iteration. Of several handles, the one started last is called
    /// first.
    ///
    /// A handle that is started keeps its callback. `EINVAL` if it is closed.
    ///
    /// ```
    /// use mauve::{Loop, Prepare, RunMode};
    ///
    /// let lp = Loop::<Vec<u32>>::new()?;
    /// Prepare::new(&lp).start(|order, _| order.push(1))?;
    /// Prepare::new(&lp).start(|order, _| order.push(2))?;
    /// let mut order = Vec::new();
    /// lp.run_with(&mut order, RunMode::NoWait)?;
    /// assert_eq!(order, [2, 1]);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_prepare_start")]
    #[track_caller]
    pub fn start(&self, callback: impl FnMut(&mut S, &Prepare<S>) + 'static) -> Result<()> {
        self.0.start(callback)
    }

    /// Stops the handle. Does nothing if it is not started.
    ///
    /// ```
    /// use mauve::{Loop, Prepare, RunMode};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// Prepare::new(&lp).start(|calls, prepare| {
    ///     *calls += 1;
    ///     if *calls == 3 {
    ///         prepare.stop();
    ///     }
    /// })?;
    /// # mauve::Idle::new(&lp).start(|calls, idle| if *calls == 3 { idle.stop() })?;
    /// let mut calls = 0;
    /// lp.run_with(&mut calls, RunMode::Default)?;
    /// assert_eq!(calls, 3);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_prepare_stop")]
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl<S: 'static> Prepare<S> {
    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        self.0.handle.event_loop()
    }

    /// Whether the handle is active. It is while it is started.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.0.handle.is_active()
    }

    /// Whether the handle is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.0.handle.is_closing()
    }

    /// Whether the handle is referenced: it then keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.0.handle.has_ref()
    }

    /// References the handle. Handles are referenced when they are created.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.0.handle.ref_();
    }

    /// Unreferences the handle: it no longer keeps the loop alive.
    ///
    /// ```
    /// use mauve::{Loop, Prepare, RunMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let prepare = Prepare::new(&lp);
    /// prepare.start(|_, _| {})?;
    /// prepare.unref();
    /// assert!(!lp.run(RunMode::Default)?, "nothing keeps the loop alive");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_unref")]
    pub fn unref(&self) {
        self.0.handle.unref();
    }

    /// Closes the handle. Does nothing if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.0.handle.close();
    }

    /// Closes the handle and calls `callback` in the close phase. `EINVAL` if it is closed already.
    ///
    /// ```
    /// use mauve::{Loop, Prepare, RunMode};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// Prepare::new(&lp).close_with(|closed| *closed = true)?;
    /// let mut closed = false;
    /// lp.run_with(&mut closed, RunMode::Default)?;
    /// assert!(closed);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        self.0.handle.close_with(callback)
    }
}

impl<S> Clone for Prepare<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Prepare<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Prepare<S>> for AnyHandle<S> {
    fn from(handle: Prepare<S>) -> Self {
        handle.0.handle
    }
}

impl<S> TypedHandle<S> for Prepare<S> {
    fn from_any(handle: AnyHandle<S>) -> Self {
        Self(Hook { handle })
    }

    fn into_any(self) -> AnyHandle<S> {
        self.0.handle
    }
}
