//! Connecting.

use mauve_sys::net;
use mauve_sys::poller::Driver;
use mauve_sys::{Errno, Result};

use super::{Role, StreamMut};
use crate::id::Token;
use crate::run::Completion;

impl<D: Driver> StreamMut<'_, D> {
    /// Waits for a connection that was started, or failed to, as [`Completion::Connect`] tells.
    pub(super) fn begin_connecting(&mut self, token: Token, started: Result<()>) {
        let body = self.body();
        body.role = Role::Connecting(token);
        match started {
            Ok(()) => {
                (body.readable, body.writable) = (true, true);
                body.delayed = None;
            }
            // Not at once: no callback runs inside the call that caused it.
            Err(error) => {
                body.delayed = Some(error);
                self.feed();
            }
        }
        self.engine.census.requests += 1;
        self.update();
    }

    /// Sees whether a connection was made.
    pub(super) fn finish_connecting(&mut self) -> Option<Completion> {
        let body = self.body();
        let Role::Connecting(token) = body.role else { return None };
        let result = match body.delayed.take() {
            Some(error) => Err(error),
            None => match body.fd().and_then(net::take_error) {
                Ok(Some(error)) | Err(error) => Err(error),
                Ok(None) => Ok(()),
            },
        };
        body.role = if result.is_ok() { Role::Connected } else { Role::Fresh };
        self.engine.census.requests -= 1;
        self.update();
        Some(Completion::Connect { token, result })
    }

    /// The connect request that a closing stream leaves behind.
    pub(super) fn cancel_connecting(&mut self) -> Option<Completion> {
        let body = self.body();
        let Role::Connecting(token) = body.role else { return None };
        body.role = Role::Fresh;
        self.engine.census.requests -= 1;
        Some(Completion::Connect { token, result: Err(Errno::ECANCELED) })
    }
}
