//! Taking connections.

use std::os::fd::OwnedFd;

use mauve_sys::poller::Driver;
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

/// A listener that has more connections than one each time it is looked at.
///
/// One connection is taken for each event, as long as it is not known that there are more: to look
/// in vain takes as long as to be told once more. A listener that is ready in every batch has a queue,
/// and then a few are taken at once, up to [`MOST_AT_ONCE`]; few, because other processes may listen
/// on the same socket.
#[derive(Default)]
pub(crate) struct Rush {
    listener: Option<HandleId>,
    batch: u64,
    /// How many batches in a row it was ready in.
    streak: u32,
}

const MOST_AT_ONCE: u8 = 8;

impl Rush {
    /// A listener is ready. Returns how many connections to look for.
    pub fn announced(&mut self, listener: HandleId, batch: u64) -> u8 {
        let again = self.listener == Some(listener) && self.batch + 1 == batch;
        self.streak = if again { self.streak + 1 } else { 0 };
        (self.listener, self.batch) = (Some(listener), batch);
        // Twice may be by chance.
        (1 << self.streak.saturating_sub(1).min(7)).min(MOST_AT_ONCE)
    }

    /// There was none.
    pub fn end(&mut self) {
        self.listener = None;
    }
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
        let connection = match self.special().and_then(|special| special.inbox.pop_front()) {
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

    /// Looks for a connection, and announces it.
    pub(super) fn announce(&mut self) -> Option<Completion> {
        let token = self.entry().head.token;
        let Some(result) = self.accept() else {
            self.engine.streams.accept_burst.end();
            return None;
        };
        Some(Completion::Connection { token, result })
    }

    /// As [`announce`](Self::announce), where it is not known that there is another connection. An
    /// error then says nothing: a full descriptor table is reported before an empty queue.
    pub(super) fn announce_another(&mut self) -> Option<Completion> {
        let another = self.announce();
        if let Some(Completion::Connection { result: Err(_), .. }) = another {
            self.engine.streams.accept_burst.end();
            return None;
        }
        another
    }

    /// Looks for a connection. `Some` is what there is to be told.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{Kind, Name};

    #[test]
    fn more_are_taken_at_once_the_longer_a_rush_lasts() {
        let listener = Name::new(Kind::Tcp, 1).at(1);
        let mut rush = Rush::default();
        let counts: Vec<u8> = (10..17).map(|batch| rush.announced(listener, batch)).collect();
        assert_eq!(counts, [1, 1, 2, 4, 8, 8, 8]);
        rush.end();
        assert_eq!(rush.announced(listener, 17), 1);
        // Something else was ready in between.
        assert_eq!([19, 20, 22].map(|batch| rush.announced(listener, batch)), [1; 3]);
    }
}
