//! Timers.

use std::time::Duration;

use mauve_core::handle::timer::TimerMut;
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use crate::LoopRef;
use crate::core::handle_token;

/// Runs a callback after a timeout, once or repeatedly.
///
/// Timeouts are whole milliseconds, rounded up. They count from [`LoopRef::now`],
/// the cached time, so a timer may fire up to a millisecond early on a precise clock, as in libuv.
/// [`time::sleep`](crate::time::sleep) never does.
///
/// ```
/// use std::time::Duration;
/// use mauve::{Loop, RunMode, Timer};
///
/// let lp = Loop::<u32>::new()?;
/// Timer::new(&lp).every(Duration::from_millis(1), |ticks, timer| {
///     *ticks += 1;
///     if *ticks == 3 {
///         timer.close();
///     }
/// })?;
/// let mut ticks = 0;
/// lp.run_with(&mut ticks, RunMode::Default)?;
/// assert_eq!(ticks, 3);
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_timer_t")]
pub struct Timer<S = ()>(AnyHandle<S>);

impl<S: 'static> Timer<S> {
    /// Creates a timer that is not started.
    #[doc(alias = "uv_timer_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_timer(handle_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a timer cannot fail"))
    }

    /// Calls `callback` after `timeout`, and then every `repeat` unless that is zero. Restarts a
    /// timer that is started. `EINVAL` if it is closed.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// // The first call is at once, the next ones follow every millisecond.
    /// Timer::new(&lp).start(Duration::ZERO, Duration::from_millis(1), |calls, timer| {
    ///     *calls += 1;
    ///     if *calls == 3 {
    ///         timer.close();
    ///     }
    /// })?;
    /// let mut calls = 0;
    /// lp.run_with(&mut calls, RunMode::Default)?;
    /// assert_eq!(calls, 3);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_timer_start")]
    #[track_caller]
    pub fn start(
        &self,
        timeout: Duration,
        repeat: Duration,
        mut callback: impl FnMut(&mut S, &Timer<S>) + 'static,
    ) -> Result<()> {
        self.with(|mut timer| timer.start(whole_millis(timeout), whole_millis(repeat)))??;
        self.0.on_event(move |state, handle, _| {
            let this = Self(handle);
            callback(state, &this);
            this.0
        });
        Ok(())
    }

    /// Calls `callback` once, after `timeout`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// Timer::new(&lp).once(Duration::from_millis(1), |count, timer| {
    ///     *count += 1;
    ///     timer.close();
    /// })?;
    /// let mut count = 0;
    /// lp.run_with(&mut count, RunMode::Default)?;
    /// assert_eq!(count, 1);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[track_caller]
    pub fn once(
        &self,
        timeout: Duration,
        callback: impl FnMut(&mut S, &Timer<S>) + 'static,
    ) -> Result<()> {
        self.start(timeout, Duration::ZERO, callback)
    }

    /// Calls `callback` every `period`, but at most once per millisecond. Missed calls are skipped.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// Timer::new(&lp).every(Duration::from_millis(1), |count, timer| {
    ///     *count += 1;
    ///     if *count == 3 {
    ///         timer.close();
    ///     }
    /// })?;
    /// let mut count = 0;
    /// lp.run_with(&mut count, RunMode::Default)?;
    /// assert_eq!(count, 3);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[track_caller]
    pub fn every(
        &self,
        period: Duration,
        callback: impl FnMut(&mut S, &Timer<S>) + 'static,
    ) -> Result<()> {
        self.start(period, period.max(Duration::from_millis(1)), callback)
    }

    /// Stops the timer. Does nothing if it is not started.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let timer = Timer::new(&lp);
    /// timer.once(Duration::from_secs(60), |_, _| unreachable!())?;
    /// timer.stop();
    /// // A timer that is stopped does not keep the loop alive.
    /// assert!(!lp.run(RunMode::Default)?);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_timer_stop")]
    pub fn stop(&self) {
        // The error means that the timer is closed, and therefore stopped.
        let _ = self.with(|mut timer| timer.stop());
    }

    /// Restarts a repeating timer with its repeat value as the timeout and its present callback.
    /// `EINVAL` if it was never started, or is closed.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// let timer = Timer::new(&lp);
    /// timer.every(Duration::from_millis(1), |count, timer| {
    ///     *count += 1;
    ///     timer.close();
    /// })?;
    /// timer.again()?;
    /// let mut count = 0;
    /// lp.run_with(&mut count, RunMode::Default)?;
    /// assert_eq!(count, 1);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_timer_again")]
    pub fn again(&self) -> Result<()> {
        self.with(|mut timer| timer.again())?
    }

    /// The repeat value. Zero means that the timer does not repeat.
    #[doc(alias = "uv_timer_get_repeat")]
    pub fn repeat(&self) -> Duration {
        Duration::from_millis(self.with(|timer| timer.repeat()).unwrap_or(0))
    }

    /// Sets the repeat value. It takes effect after the next expiry.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// Timer::new(&lp).every(Duration::from_millis(1), |calls, timer| {
    ///     *calls += 1;
    ///     // Without a repeat value, this was the last but one call.
    ///     timer.set_repeat(Duration::ZERO).unwrap();
    ///     assert_eq!(timer.repeat(), Duration::ZERO);
    /// })?;
    /// let mut calls = 0;
    /// lp.run_with(&mut calls, RunMode::Default)?;
    /// assert_eq!(calls, 2);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_timer_set_repeat")]
    pub fn set_repeat(&self, repeat: Duration) -> Result<()> {
        self.with(|mut timer| timer.set_repeat(whole_millis(repeat)))
    }

    /// The time until the timer expires. Zero if it has expired.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let timer = Timer::new(&lp);
    /// timer.once(Duration::from_secs(60), |_, _| {})?;
    /// assert_eq!(timer.due_in(), Duration::from_secs(60));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_timer_get_due_in")]
    pub fn due_in(&self) -> Duration {
        Duration::from_millis(self.with(|timer| timer.due_in()).unwrap_or(0))
    }

    fn with<R>(&self, operation: impl FnOnce(TimerMut<'_, Platform>) -> R) -> Result<R> {
        self.0.lp.core.engine_result(|engine| {
            let timer = engine.timer(self.0.id).ok_or(Errno::EINVAL)?;
            Ok(operation(timer))
        })
    }
}

impl<S: 'static> Timer<S> {
    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        self.0.event_loop()
    }

    /// Whether the handle is active. A timer is while it is started.
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
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let timer = Timer::new(&lp);
    /// timer.once(Duration::from_secs(60), |_, _| {})?;
    /// timer.unref();
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
        self.0.close_with(callback)
    }
}

impl<S> Clone for Timer<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Timer<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Timer<S>> for AnyHandle<S> {
    fn from(handle: Timer<S>) -> Self {
        handle.0
    }
}

/// Rounds up to whole milliseconds.
pub(crate) fn whole_millis(duration: Duration) -> u64 {
    let fraction = u64::from(duration.subsec_nanos().div_ceil(1_000_000));
    duration.as_secs().saturating_mul(1000).saturating_add(fraction)
}
