//! Taking connections.

use std::os::fd::OwnedFd;

use mauve_sys::poller::Driver;
use mauve_sys::{Errno, Result, fd, net};

use super::{Role, StreamMut};
use crate::Engine;
use crate::id::HandleId;

impl<D: Driver> StreamMut<'_, D> {
    /// Has the stream's socket, which exists, take connections.
    pub(super) fn begin_listening(&mut self, backlog: i32) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        let body = self.body();
        if let Some(delayed) = body.delayed {
            return Err(delayed);
        }
        net::listen(body.fd()?, backlog)?;
        body.role = Role::Listening;
        self.update();
        Ok(())
    }

    /// Takes the connection that was announced, or the oldest descriptor that has arrived over a
    /// pipe. `EAGAIN` if there is none.
    #[doc(alias = "uv_accept")]
    pub fn take_connection(&mut self) -> Result<OwnedFd> {
        let body = self.body();
        let arrived = body.rare.as_mut().and_then(|rare| rare.inbox.pop_front());
        let connection = arrived.or_else(|| body.accepted.take()).ok_or(Errno::EAGAIN)?;
        self.update();
        Ok(connection)
    }

    /// Looks for a connection. `Some` is what there is to be told.
    pub(super) fn accept(&mut self) -> Option<Result<()>> {
        let body = self.body();
        if body.accepted.is_some() {
            return None;
        }
        match net::accept(body.fd().ok()?) {
            Ok(connection) => {
                body.accepted = Some(connection);
                Some(Ok(()))
            }
            // The peer was faster to leave than we were to look.
            Err(Errno::EAGAIN | Errno::ECONNABORTED) => None,
            Err(Errno::EMFILE | Errno::ENFILE) => {
                let id = self.id;
                self.engine.turn_away(id);
                None
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<D: Driver> Engine<D> {
    /// There are no descriptors left. Connections that nobody can take would keep the loop busy
    /// for ever, so they are taken with a descriptor held in reserve, and dropped.
    fn turn_away(&mut self, id: HandleId) {
        if self.reserve.take().is_none() {
            return;
        }
        if let Some(mut stream) = self.stream(id) {
            while let Ok(connection) = stream.body().fd().and_then(net::accept) {
                drop(connection);
            }
        }
        self.reserve = fd::open_null().ok();
    }

    /// Makes sure that there is a descriptor in reserve.
    pub(super) fn keep_reserve(&mut self) {
        if self.reserve.is_none() {
            self.reserve = fd::open_null().ok();
        }
    }
}
