//! Connecting.

use mauve_sys::driver::Driver;
use mauve_sys::net;
use mauve_sys::{Errno, Result};

use super::{Role, StreamMut};
use crate::completion::Completion;
use crate::id::Token;

impl<D: Driver> StreamMut<'_, D> {
    /// Waits for a connection that was started, or failed to, as [`Completion::Connect`] tells.
    pub(super) fn begin_connecting(&mut self, token: Token, started: Result<()>) {
        let cold = self.cold_or_new();
        cold.connect = Some(token);
        cold.delayed = started.err();
        self.engine.active.requests += 1;
        if started.is_ok() {
            self.body().role = Role::Connecting;
            self.allow(true, true);
        } else {
            // Not at once: no callback runs inside the call that caused it.
            self.body().role = Role::Refused;
            self.feed();
        }
        self.update();
    }

    /// Sees whether a connection was made.
    pub(super) fn finish_connecting(&mut self) -> Option<Completion> {
        let token = self.cold()?.connect.take()?;
        let result = match self.cold()?.delayed.take() {
            Some(error) => Err(error),
            None => match self.body().fd().and_then(net::take_error) {
                Ok(Some(error)) | Err(error) => Err(error),
                Ok(None) => Ok(()),
            },
        };
        self.body().role = if result.is_ok() { Role::Connected } else { Role::Fresh };
        self.engine.active.requests -= 1;
        self.tidy_cold();
        self.update();
        Some(Completion::Connect { token, result })
    }

    /// The connect request that a closing stream leaves behind.
    pub(super) fn cancel_connecting(&mut self) -> Option<Completion> {
        let token = self.cold()?.connect.take()?;
        self.body().role = Role::Fresh;
        self.engine.active.requests -= 1;
        Some(Completion::Connect { token, result: Err(Errno::ECANCELED) })
    }
}
