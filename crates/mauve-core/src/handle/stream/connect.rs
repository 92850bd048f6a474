//! Connecting.

use mauve_sys::descriptor::Descriptor;
use mauve_sys::driver::Driver;
use mauve_sys::net;
use mauve_sys::{Errno, Result};

use super::{Role, StreamMut};
use crate::Engine;
use crate::completion::Completion;
use crate::id::Token;

impl<D: Driver> StreamMut<'_, D> {
    /// Begins a connect request. `started` is the result of `connect(2)`.
    /// [`Completion::Connect`] reports the end.
    pub(super) fn begin_connecting(&mut self, token: Token, started: Result<()>) {
        let cold = self.cold_or_new();
        cold.connect = Some(token);
        cold.delayed = started.err();
        self.engine.active.begin_request();
        if started.is_ok() {
            self.body().role = Role::Connecting;
            self.allow(true, true);
        } else {
            // Deferred, because no callback runs inside the call that caused it.
            self.body().role = Role::Refused;
            self.defer();
        }
        self.update();
    }

    /// Ends a connect request with the socket's error, if any.
    pub(super) fn finish_connecting(&mut self) -> Option<Completion> {
        let token = self.cold()?.connect.take()?;
        let result = match self.cold()?.delayed.take() {
            Some(error) => Err(error),
            None => match self.body().fd().and_then(net::finish_connecting) {
                Ok(Some(connection)) => {
                    self.replace_descriptor(connection);
                    Ok(())
                }
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            },
        };
        self.body().role = if result.is_ok() { Role::Connected } else { Role::Fresh };
        self.engine.active.end_request();
        self.free_empty_cold();
        self.update();
        Some(Completion::Connect { token, result })
    }

    /// A connection replaces the descriptor that was waited for.
    fn replace_descriptor(&mut self, connection: Descriptor) {
        let Engine { table, registrations, driver, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        registrations.close(self.id, &mut body.source, driver);
        self.attach(connection, false, false);
    }

    /// Cancels the connect request of a closing stream.
    pub(super) fn cancel_connecting(&mut self) -> Option<Completion> {
        let token = self.cold()?.connect.take()?;
        self.body().role = Role::Fresh;
        self.engine.active.end_request();
        Some(Completion::Connect { token, result: Err(Errno::ECANCELED) })
    }
}
