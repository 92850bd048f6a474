//! Signals of the system.

use mauve_core::Completion;
use mauve_sys::signal::Delivery;
use mauve_sys::{Errno, Result};

use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// Calls when the system delivers a signal to this process.
///
/// Several handles, of several loops, may watch for one signal: all of them are called, once for
/// every delivery. When nobody watches any more, the system's default is in force again.
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

common_methods!(Signal);

impl<S: 'static> Signal<S> {
    /// Makes a handle that does not watch yet.
    #[doc(alias = "uv_signal_init")]
    pub fn new(lp: &Loop<S>) -> Result<Self> {
        let open = |key| lp.core.engine(|engine| engine.open_signal(callback_token(key)));
        Ok(Self(AnyHandle::open(lp, open)?))
    }

    /// Calls `callback` whenever `signal` is delivered, instead of what was watched for before.
    /// `EINVAL` if it cannot be caught, or the handle is closed.
    #[doc(alias = "uv_signal_start")]
    pub fn start(
        &self,
        signal: i32,
        callback: impl FnMut(&mut S, &Signal<S>, i32) + 'static,
    ) -> Result<()> {
        self.watch(signal, Delivery::Persistent, callback)
    }

    /// Calls `callback` when `signal` is delivered, and stops.
    #[doc(alias = "uv_signal_start_oneshot")]
    pub fn once(
        &self,
        signal: i32,
        callback: impl FnMut(&mut S, &Signal<S>, i32) + 'static,
    ) -> Result<()> {
        self.watch(signal, Delivery::OneShot, callback)
    }

    fn watch(
        &self,
        signal: i32,
        delivery: Delivery,
        mut callback: impl FnMut(&mut S, &Signal<S>, i32) + 'static,
    ) -> Result<()> {
        self.0.lp.core.engine(|engine| {
            engine.signal(self.0.id).ok_or(Errno::EINVAL)?.start(signal, delivery)
        })?;
        self.0.on_event(move |state, handle, completion| {
            let this = Self(handle);
            if let Completion::Signal { signal, .. } = *completion {
                callback(state, &this, signal);
            }
            this.0
        });
        Ok(())
    }

    /// Stops watching. Nothing happens if it does not watch.
    #[doc(alias = "uv_signal_stop")]
    pub fn stop(&self) {
        self.0.lp.core.engine(|engine| {
            if let Some(mut signal) = engine.signal(self.0.id) {
                signal.stop();
            }
        });
    }
}
