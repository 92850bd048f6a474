//! Unix signals.

use mauve_core::Completion;
use mauve_sys::signal::Delivery;
use mauve_sys::{Errno, Result};

use super::AnyHandle;
use crate::LoopRef;
use crate::core::handle_token;

/// Runs a callback when a signal is delivered to this process.
///
/// Several handles, also of several loops, may watch one signal. Each is called once per delivery.
/// When the last of them stops, the signal's default action is restored.
///
/// ```
/// use mauve::process::{self, SIGUSR1};
/// use mauve::{Loop, RunMode, Signal};
///
/// let lp: Loop = Loop::new()?;
/// Signal::new(&lp)?.start(SIGUSR1, |_, signal, number| {
///     assert_eq!(number, SIGUSR1);
///     signal.close();
/// })?;
/// process::kill(std::process::id() as i32, SIGUSR1)?;
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
        let open = |key| lp.core.engine_result(|engine| engine.open_signal(handle_token(key)));
        Ok(Self(AnyHandle::open(lp, open)?))
    }

    /// Calls `callback` whenever `signal` is delivered. Replaces an earlier signal and callback.
    /// `EINVAL` if the signal cannot be caught, or the handle is closed.
    #[doc(alias = "uv_signal_start")]
    #[track_caller]
    pub fn start(
        &self,
        signal: i32,
        callback: impl FnMut(&mut S, &Signal<S>, i32) + 'static,
    ) -> Result<()> {
        self.start_with(signal, Delivery::Persistent, callback)
    }

    /// Calls `callback` at the next delivery of `signal`, then stops.
    ///
    /// ```
    /// use mauve::process::{self, SIGUSR2};
    /// use mauve::{Loop, RunMode, Signal};
    ///
    /// let lp: Loop = Loop::new()?;
    /// Signal::new(&lp)?.once(SIGUSR2, |_, signal, _| assert!(!signal.is_closing()))?;
    /// process::kill(std::process::id() as i32, SIGUSR2)?;
    /// assert!(!lp.run(RunMode::Default)?, "it is stopped after the first signal");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_signal_start_oneshot")]
    #[track_caller]
    pub fn once(
        &self,
        signal: i32,
        callback: impl FnMut(&mut S, &Signal<S>, i32) + 'static,
    ) -> Result<()> {
        self.start_with(signal, Delivery::OneShot, callback)
    }

    #[track_caller]
    fn start_with(
        &self,
        signal: i32,
        delivery: Delivery,
        mut callback: impl FnMut(&mut S, &Signal<S>, i32) + 'static,
    ) -> Result<()> {
        self.lp.core.engine_result(|engine| {
            engine.signal(self.id).ok_or(Errno::EINVAL)?.start(signal, delivery)
        })?;
        self.on_event(move |state, this: &Self, completion| {
            if let Completion::Signal { signal, .. } = *completion {
                callback(state, this, signal);
            }
        });
        Ok(())
    }

    /// Stops watching the signal. Does nothing if the handle is not started.
    ///
    /// ```
    /// use mauve::process::SIGUSR2;
    /// use mauve::{Loop, RunMode, Signal};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let signal = Signal::new(&lp)?;
    /// signal.start(SIGUSR2, |_, _, _| {})?;
    /// signal.stop();
    /// assert!(!lp.run(RunMode::Default)?);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_signal_stop")]
    pub fn stop(&self) {
        self.lp.core.try_engine(|engine| {
            if let Some(mut signal) = engine.signal(self.id) {
                signal.stop();
            }
        });
    }
}
