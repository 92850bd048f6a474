//! Taking connections.

use std::os::fd::OwnedFd;

use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result, fd, net};

use super::{Role, StreamMut};
use crate::Engine;
use crate::completion::Completion;
use crate::id::HandleId;

/// A connection that was taken.
pub struct Connection {
    /// Its socket.
    pub fd: OwnedFd,
    /// Whether it was made here a moment ago, so that nobody else can have a copy of it.
    pub(super) unshared: bool,
}

impl<D: Driver> StreamMut<'_, D> {
    /// Has the stream's socket, which exists, take connections.
    pub(super) fn begin_listening(&mut self, backlog: i32) -> Result<()> {
        if self.is_closing() {
            return Err(Errno::EINVAL);
        }
        if let Some(delayed) = self.delayed() {
            return Err(delayed);
        }
        let body = self.body();
        net::listen(body.fd()?, backlog)?;
        body.role = Role::Listening;
        // Not later, because it is needed when no descriptor is left.
        self.engine.keep_reserve();
        self.update();
        Ok(())
    }

    /// Takes the connection that was announced, or the oldest descriptor that has arrived over a
    /// pipe. `EAGAIN` if there is none.
    #[doc(alias = "uv_accept")]
    pub fn take(&mut self) -> Result<Connection> {
        let connection = match self.extras().and_then(|extras| extras.inbox.pop_front()) {
            // Its sender may have kept it.
            Some(fd) => Connection { fd, unshared: false },
            None => {
                let fd = self.body().accepted.take().ok_or(Errno::EAGAIN)?;
                Connection { fd, unshared: true }
            }
        };
        self.update();
        Ok(connection)
    }

    /// Accepts a connection and announces it. One for each event, as libuv does: the driver reports
    /// the listener again if there are more.
    pub(super) fn announce(&mut self) -> Option<Completion> {
        let token = self.entry().head.token;
        self.accept().map(|result| Completion::Connection { token, result })
    }

    /// Accepts a connection. Returns what there is to report.
    fn accept(&mut self) -> Option<Result<()>> {
        let body = self.body();
        if body.accepted.is_some() {
            return None;
        }
        match net::accept(body.fd().ok()?) {
            Ok(connection) => {
                body.accepted = Some(connection);
                // It could not be opened before, perhaps.
                self.engine.keep_reserve();
                Some(Ok(()))
            }
            // The peer was faster to leave than we were to look.
            Err(Errno::EAGAIN | Errno::ECONNABORTED) => None,
            Err(error @ (Errno::EMFILE | Errno::ENFILE)) => {
                let id = self.id;
                // Without a reserve the connection stays, and only the program can help.
                (!self.engine.turn_away(id)).then_some(Err(error))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<D: Driver> Engine<D> {
    /// Drops all waiting connections of a listener because no descriptor is left for them: they
    /// would keep the loop busy for ever. The reserve descriptor makes room for one at a time.
    /// Returns false if there is no reserve, or if others have taken the room that it made.
    fn turn_away(&mut self, id: HandleId) -> bool {
        if self.streams.reserve.take().is_none() {
            return false;
        }
        let last = self.stream(id).map(|mut stream| {
            loop {
                match stream.body().fd().and_then(net::accept) {
                    Ok(connection) => drop(connection),
                    Err(error) => break error,
                }
            }
        });
        self.keep_reserve();
        !matches!(last, Some(Errno::EMFILE | Errno::ENFILE))
    }

    /// Opens the reserve descriptor, unless there is one.
    pub(super) fn keep_reserve(&mut self) {
        if self.streams.reserve.is_none() {
            self.streams.reserve = fd::open_reserve().ok();
        }
    }
}
