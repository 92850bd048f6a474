//! Timers.

use std::time::Duration;

use mauve_core::handle::timer::TimerMut;
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result};

use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// Calls when time has passed, once or again and again.
///
/// Times are counted in whole milliseconds from [`Loop::now`]; a fraction counts as a whole one,
/// so a timer never fires early.
#[doc(alias = "uv_timer_t")]
pub struct Timer<S = ()>(AnyHandle<S>);

common_methods!(Timer);

impl<S: 'static> Timer<S> {
    /// Makes a timer that is not running.
    #[doc(alias = "uv_timer_init")]
    pub fn new(lp: &Loop<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_timer(callback_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a timer cannot fail"))
    }

    /// Calls `callback` after `timeout`, and then every `repeat` if that is not zero. A timer
    /// that is running is started anew. `EINVAL` if it is closed.
    #[doc(alias = "uv_timer_start")]
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
    pub fn once(
        &self,
        timeout: Duration,
        callback: impl FnMut(&mut S, &Timer<S>) + 'static,
    ) -> Result<()> {
        self.start(timeout, Duration::ZERO, callback)
    }

    /// Calls `callback` every `period`. Calls that came too late are not made up for.
    pub fn every(
        &self,
        period: Duration,
        callback: impl FnMut(&mut S, &Timer<S>) + 'static,
    ) -> Result<()> {
        self.start(period, period, callback)
    }

    /// Stops the timer. Nothing happens if it is not running.
    #[doc(alias = "uv_timer_stop")]
    pub fn stop(&self) {
        // A closed timer is not running either.
        let _ = self.with(|mut timer| timer.stop());
    }

    /// Starts a repeating timer anew, with its repeat value as the timeout and the callback it
    /// has. `EINVAL` if it was never started, or is closed.
    #[doc(alias = "uv_timer_again")]
    pub fn again(&self) -> Result<()> {
        self.with(|mut timer| timer.again())?
    }

    /// The repeat value; zero for none.
    #[doc(alias = "uv_timer_get_repeat")]
    pub fn repeat(&self) -> Duration {
        Duration::from_millis(self.with(|timer| timer.repeat()).unwrap_or(0))
    }

    /// Sets the repeat value, which counts from the next time the timer is due.
    #[doc(alias = "uv_timer_set_repeat")]
    pub fn set_repeat(&self, repeat: Duration) -> Result<()> {
        self.with(|mut timer| timer.set_repeat(whole_millis(repeat)))
    }

    /// The time until the timer fires; zero if that is past.
    #[doc(alias = "uv_timer_get_due_in")]
    pub fn due_in(&self) -> Duration {
        Duration::from_millis(self.with(|timer| timer.due_in()).unwrap_or(0))
    }

    fn with<R>(&self, operation: impl FnOnce(TimerMut<'_, Platform>) -> R) -> Result<R> {
        self.0.lp.core.engine(|engine| {
            let timer = engine.timer(self.0.id).ok_or(Errno::EINVAL)?;
            Ok(operation(timer))
        })
    }
}

/// Rounds up.
pub(crate) fn whole_millis(duration: Duration) -> u64 {
    let begun = u64::from(duration.subsec_nanos().div_ceil(1_000_000));
    duration.as_secs().saturating_mul(1000).saturating_add(begun)
}
