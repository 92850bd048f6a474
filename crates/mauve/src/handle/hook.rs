//! Idle, prepare and check handles: a callback once per iteration, in the phase of the type.

use mauve_core::Engine;
use mauve_sys::{Errno, Result};

use super::AnyHandle;
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
///         idle.stop();
///     }
/// })?;
/// let mut iterations = 0;
/// lp.run_with(&mut iterations, RunMode::Default)?;
/// assert_eq!(iterations, 3);
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_idle_t")]
pub struct Idle<S = ()>(AnyHandle<S>);

/// Runs a callback once per iteration, right before the loop waits for events.
///
/// ```
/// use mauve::{Loop, Prepare, RunMode};
///
/// let lp = Loop::<Vec<u32>>::new()?;
/// Prepare::new(&lp).start(|order, _| order.push(1))?;
/// Prepare::new(&lp).start(|order, _| order.push(2))?;
/// let mut order = Vec::new();
/// lp.run_with(&mut order, RunMode::NoWait)?;
/// assert_eq!(order, [2, 1], "the handle that was started last is called first");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_prepare_t")]
pub struct Prepare<S = ()>(AnyHandle<S>);

/// Runs a callback once per iteration, right after the loop has waited for events.
///
/// ```
/// use mauve::{Check, Loop, RunMode};
///
/// let lp = Loop::<u32>::new()?;
/// Check::new(&lp).start(|calls, _| *calls += 1)?;
/// let mut calls = 0;
/// lp.run_with(&mut calls, RunMode::NoWait)?;
/// assert_eq!(calls, 1);
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_check_t")]
pub struct Check<S = ()>(AnyHandle<S>);

macro_rules! hook_type {
    ($name:ident, $open:ident, $uv_init:literal, $uv_start:literal, $uv_stop:literal) => {
        handle_type!($name);

        impl<S: 'static> $name<S> {
            /// Creates a handle that is not started.
            #[doc(alias = $uv_init)]
            pub fn new(lp: &LoopRef<S>) -> Self {
                Self(AnyHandle::open(lp, Engine::$open))
            }

            /// Calls `callback` once per iteration. Of several handles, the one started last is
            /// called first.
            ///
            /// A handle that is started keeps its callback. `EINVAL` if it is closed.
            #[doc(alias = $uv_start)]
            #[track_caller]
            pub fn start(&self, mut callback: impl FnMut(&mut S, &Self) + 'static) -> Result<()> {
                let start =
                    |engine: &mut Engine<_>| engine.hook(self.id).ok_or(Errno::EINVAL)?.start();
                if self.lp.core.engine_result(start)? {
                    self.on_event(move |state, this: &Self, _| callback(state, this));
                }
                Ok(())
            }

            /// Stops the handle. Does nothing if it is not started.
            #[doc(alias = $uv_stop)]
            pub fn stop(&self) {
                self.lp.core.try_engine(|engine| {
                    if let Some(mut hook) = engine.hook(self.id) {
                        hook.stop();
                    }
                });
            }
        }
    };
}

hook_type!(Idle, open_idle, "uv_idle_init", "uv_idle_start", "uv_idle_stop");
hook_type!(Prepare, open_prepare, "uv_prepare_init", "uv_prepare_start", "uv_prepare_stop");
hook_type!(Check, open_check, "uv_check_init", "uv_check_start", "uv_check_stop");
