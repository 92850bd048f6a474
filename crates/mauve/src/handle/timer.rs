//! Timers.

use std::time::Duration;

use mauve_core::Engine;
use mauve_core::handle::timer::TimerMut;
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use crate::LoopRef;

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

handle_type!(Timer);

impl<S: 'static> Timer<S> {
    /// Creates a timer that is not started.
    #[doc(alias = "uv_timer_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(AnyHandle::open(lp, Engine::open_timer))
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
        self.on_event(move |state, this: &Self, _| {
            callback(state, this);
        });
        Ok(())
    }

    /// Calls `callback` once, after `timeout`.
    #[track_caller]
    pub fn once(
        &self,
        timeout: Duration,
        callback: impl FnMut(&mut S, &Timer<S>) + 'static,
    ) -> Result<()> {
        self.start(timeout, Duration::ZERO, callback)
    }

    /// Calls `callback` every `period`, but at most once per millisecond. Missed calls are skipped.
    #[track_caller]
    pub fn every(
        &self,
        period: Duration,
        callback: impl FnMut(&mut S, &Timer<S>) + 'static,
    ) -> Result<()> {
        self.start(period, period.max(Duration::from_millis(1)), callback)
    }

    /// Stops the timer. Does nothing if it is not started.
    #[doc(alias = "uv_timer_stop")]
    pub fn stop(&self) {
        // The error means that the timer is closed, and therefore stopped.
        let _ = self.with(|mut timer| timer.stop());
    }

    /// Restarts a repeating timer with its repeat value as the timeout and its present callback.
    /// `EINVAL` if it was never started, or is closed.
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
    #[doc(alias = "uv_timer_set_repeat")]
    pub fn set_repeat(&self, repeat: Duration) -> Result<()> {
        self.with(|mut timer| timer.set_repeat(whole_millis(repeat)))
    }

    /// The time until the timer expires. Zero if it has expired.
    #[doc(alias = "uv_timer_get_due_in")]
    pub fn due_in(&self) -> Duration {
        Duration::from_millis(self.with(|timer| timer.due_in()).unwrap_or(0))
    }

    fn with<R>(&self, operation: impl FnOnce(TimerMut<'_, Platform>) -> R) -> Result<R> {
        self.lp.core.engine_result(|engine| {
            let timer = engine.timer(self.id).ok_or(Errno::EINVAL)?;
            Ok(operation(timer))
        })
    }
}

/// Rounds up to whole milliseconds.
pub(crate) fn whole_millis(duration: Duration) -> u64 {
    let fraction = u64::from(duration.subsec_nanos().div_ceil(1_000_000));
    duration.as_secs().saturating_mul(1000).saturating_add(fraction)
}
