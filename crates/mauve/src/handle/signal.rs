//! Unix signals.

use mauve_core::{Completion, Engine};
use mauve_sys::signal::Delivery;
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use crate::LoopRef;
use crate::signal::SignalKind;
use crate::targets::Report;

/// Runs a callback when a signal is delivered to this process.
///
/// Several handles, also of several loops, may watch one signal. Each is called once per delivery.
/// When the last of them stops, the signal's default action is restored.
///
/// ```
/// use mauve::signal::SignalKind;
/// use mauve::{Loop, RunMode, Signal, process};
///
/// let lp: Loop = Loop::new()?;
/// Signal::new(&lp)?.start(SignalKind::user_defined1(), |_, signal, kind| {
///     assert_eq!(kind, SignalKind::user_defined1());
///     signal.close();
/// })?;
/// process::kill(std::process::id(), SignalKind::user_defined1())?;
/// lp.run(RunMode::Default)?;
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_signal_t")]
pub struct Signal<S = ()>(AnyHandle<S>);

handle_type!(Signal);

impl<S: 'static> Signal<S> {
    /// Creates a handle that is not started.
    #[doc(alias = "uv_signal_init")]
    pub fn new(lp: &LoopRef<S>) -> Result<Self> {
        Ok(Self(AnyHandle::try_open(lp, Engine::open_signal)?))
    }

    /// Calls `callback` whenever `signal` is delivered. Replaces an earlier signal and callback.
    /// `EINVAL` if the signal cannot be caught, or the handle is closed.
    #[doc(alias = "uv_signal_start")]
    #[track_caller]
    pub fn start(
        &self,
        signal: impl Into<SignalKind>,
        callback: impl FnMut(&mut S, &Signal<S>, SignalKind) + 'static,
    ) -> Result<()> {
        self.start_with(signal.into(), Delivery::Persistent, callback)
    }

    /// Calls `callback` at the next delivery of `signal`, then stops.
    ///
    /// ```
    /// use mauve::signal::SignalKind;
    /// use mauve::{Loop, RunMode, Signal, process};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let kind = SignalKind::user_defined2();
    /// Signal::new(&lp)?.once(kind, |_, signal, _| assert!(!signal.is_closing()))?;
    /// process::kill(std::process::id(), kind)?;
    /// assert!(!lp.run(RunMode::Default)?, "it is stopped after the first signal");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_signal_start_oneshot")]
    #[track_caller]
    pub fn once(
        &self,
        signal: impl Into<SignalKind>,
        callback: impl FnMut(&mut S, &Signal<S>, SignalKind) + 'static,
    ) -> Result<()> {
        self.start_with(signal.into(), Delivery::OneShot, callback)
    }

    #[track_caller]
    fn start_with(
        &self,
        signal: SignalKind,
        delivery: Delivery,
        mut callback: impl FnMut(&mut S, &Signal<S>, SignalKind) + 'static,
    ) -> Result<()> {
        self.lp.core.engine_result(|engine| {
            engine.signal(self.id).ok_or(Errno::EINVAL)?.start(signal.as_raw_value(), delivery)
        })?;
        self.on_event(move |state, this: &Self, report| {
            if let Report::Event(&Completion::Signal { signal, .. }) = report {
                callback(state, this, signal.into());
            }
        });
        Ok(())
    }

    /// Stops watching the signal. Does nothing if the handle is not started.
    #[doc(alias = "uv_signal_stop")]
    pub fn stop(&self) {
        self.lp.core.try_engine(|engine| {
            if let Some(mut signal) = engine.signal(self.id) {
                signal.stop();
            }
        });
    }
}
