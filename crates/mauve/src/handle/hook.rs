//! Idle, prepare and check handles.

use mauve_sys::{Errno, Result};

use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

macro_rules! hook {
    ($(#[$doc:meta])* $name:ident, $open:ident) => {
        $(#[$doc])*
        pub struct $name<S = ()>(AnyHandle<S>);

        common_methods!($name);

        impl<S: 'static> $name<S> {
            /// Makes one that is not started.
            pub fn new(lp: &Loop<S>) -> Self {
                let open = |key| Ok(lp.core.engine(|engine| engine.$open(callback_token(key))));
                Self(AnyHandle::open(lp, open).expect("opening a hook cannot fail"))
            }

            /// Calls `callback` once per iteration. Of several, the latest started is called
            /// first. One that is started already keeps its callback; `EINVAL` if it is closed.
            pub fn start(
                &self,
                mut callback: impl FnMut(&mut S, &$name<S>) + 'static,
            ) -> Result<()> {
                let news = self.0.lp.core.engine(|engine| {
                    engine.hook(self.0.id).ok_or(Errno::EINVAL)?.start()
                })?;
                if news {
                    self.0.on_event(move |state, handle, _| {
                        let this = Self(handle);
                        callback(state, &this);
                        this.0
                    });
                }
                Ok(())
            }

            /// Stops it. Nothing happens if it is not started.
            pub fn stop(&self) {
                self.0.lp.core.engine(|engine| {
                    if let Some(mut hook) = engine.hook(self.0.id) {
                        hook.stop();
                    }
                });
            }
        }
    };
}

hook! {
    /// Calls once per iteration; while one is started, the loop does not wait for events.
    #[doc(alias = "uv_idle_t")]
    Idle, open_idle
}

hook! {
    /// Calls once per iteration, right before the loop waits for events.
    #[doc(alias = "uv_prepare_t")]
    Prepare, open_prepare
}

hook! {
    /// Calls once per iteration, right after the loop has waited for events.
    #[doc(alias = "uv_check_t")]
    Check, open_check
}
