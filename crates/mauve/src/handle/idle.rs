//! Idle handles.

use mauve_core::Engine;
use mauve_sys::Result;

use super::hook::Hook;
use super::{AnyHandle, TypedHandle};
use crate::LoopRef;

/// Runs a callback once per iteration, in the idle phase. While an idle handle is started, the loop
/// does not wait for events.
///
/// ```
/// use mauve::{Idle, Loop, RunMode};
///
/// let lp = Loop::<u32>::new()?;
/// Idle::new(&lp).start(|iterations, idle| {
///     *iterations += 1;
///     if *iterations == 3 {
///         idle.close();
///     }
/// })?;
/// let mut iterations = 0;
/// lp.run_with(&mut iterations, RunMode::Default)?;
/// assert_eq!(iterations, 3);
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_idle_t")]
pub struct Idle<S = ()>(Hook<S>);

impl<S: 'static> Idle<S> {
    /// Creates a handle that is not started.
    #[doc(alias = "uv_idle_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(Hook::open(lp, Engine::open_idle))
    }

    /// Calls `callback` once per iteration. Of several handles, the one started last is called
    /// first.
    ///
    /// A handle that is started keeps its callback. `EINVAL` if it is closed.
    ///
    /// ```
    /// use mauve::{Idle, Loop, RunMode};
    ///
    /// let lp = Loop::<Vec<u32>>::new()?;
    /// Idle::new(&lp).start(|order, _| order.push(1))?;
    /// Idle::new(&lp).start(|order, _| order.push(2))?;
    /// let mut order = Vec::new();
    /// lp.run_with(&mut order, RunMode::NoWait)?;
    /// assert_eq!(order, [2, 1]);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_idle_start")]
    #[track_caller]
    pub fn start(&self, callback: impl FnMut(&mut S, &Idle<S>) + 'static) -> Result<()> {
        self.0.start(callback)
    }

    /// Stops the handle. Does nothing if it is not started.
    ///
    /// ```
    /// use mauve::{Idle, Loop, RunMode};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// Idle::new(&lp).start(|calls, idle| {
    ///     *calls += 1;
    ///     if *calls == 3 {
    ///         idle.stop();
    ///     }
    /// })?;
    /// let mut calls = 0;
    /// lp.run_with(&mut calls, RunMode::Default)?;
    /// assert_eq!(calls, 3);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_idle_stop")]
    pub fn stop(&self) {
        self.0.stop();
    }
}

impl<S: 'static> Idle<S> {
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
    /// use mauve::{Idle, Loop, RunMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let idle = Idle::new(&lp);
    /// idle.start(|_, _| {})?;
    /// idle.unref();
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
    /// use mauve::{Idle, Loop, RunMode};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// Idle::new(&lp).close_with(|closed| *closed = true)?;
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

impl<S> Clone for Idle<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Idle<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Idle<S>> for AnyHandle<S> {
    fn from(handle: Idle<S>) -> Self {
        handle.0.handle
    }
}

impl<S> TypedHandle<S> for Idle<S> {
    fn from_any(handle: AnyHandle<S>) -> Self {
        Self(Hook { handle })
    }

    fn into_any(self) -> AnyHandle<S> {
        self.0.handle
    }
}
