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

/// How many connections are accepted for one event of a listener.
///
/// One, as long as the queue is not known to be longer: an accept that finds nothing allocates and
/// frees a whole socket in the kernel. A listener that is ready in batch after batch has a queue;
/// then a few are accepted for each event, up to [`MOST_AT_ONCE`]. Few, because other processes may
/// listen on the same socket. A queue that turns out to have been empty makes the next attempt
/// wait for twice as many batches.
pub(crate) struct AcceptBurst {
    listener: Option<HandleId>,
    batch: u64,
    /// How many batches in a row the listener was ready in.
    streak: u32,
    /// The streak after which more than one connection is expected.
    patience: u32,
    /// How many connections were accepted for the current event.
    accepted: u32,
}

const MOST_AT_ONCE: u8 = 8;

/// Two batches in a row may be a coincidence.
const LEAST_PATIENCE: u32 = 2;
const MOST_PATIENCE: u32 = 256;

impl Default for AcceptBurst {
    fn default() -> Self {
        Self { listener: None, batch: 0, streak: 0, patience: LEAST_PATIENCE, accepted: 0 }
    }
}

impl AcceptBurst {
    /// A listener is ready. Returns how many connections to accept.
    pub fn begin(&mut self, listener: HandleId, batch: u64) -> u8 {
        if self.listener != Some(listener) {
            *self = Self { listener: Some(listener), ..Self::default() };
        } else if self.batch + 1 == batch {
            self.streak += 1;
        } else {
            self.streak = 0;
        }
        (self.batch, self.accepted) = (batch, 0);
        match self.streak.checked_sub(self.patience) {
            None => 1,
            Some(longer) => (2 << longer.min(7)).min(MOST_AT_ONCE.into()) as u8,
        }
    }

    /// A connection was accepted.
    fn found(&mut self) {
        self.accepted += 1;
        if self.accepted > 1 {
            self.patience = LEAST_PATIENCE;
        }
    }

    /// An accept has found nothing.
    fn in_vain(&mut self) {
        self.streak = 0;
        if self.accepted <= 1 {
            self.patience = (self.patience * 2).min(MOST_PATIENCE);
        }
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
        let result = self.accept();
        let burst = &mut self.engine.streams.accept_burst;
        match result {
            Some(Ok(())) => burst.found(),
            Some(Err(_)) | None => burst.in_vain(),
        }
        result.map(|result| Completion::Connection { token, result })
    }

    /// As [`announce`](Self::announce), where it is not known that there is another connection. An
    /// error then says nothing: a full descriptor table is reported before an empty queue.
    pub(super) fn announce_another(&mut self) -> Option<Completion> {
        let another = self.announce();
        another.filter(|another| matches!(another, Completion::Connection { result: Ok(()), .. }))
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

    fn listener() -> HandleId {
        Name::new(Kind::Tcp, 1).at(1)
    }

    #[test]
    fn more_are_accepted_for_one_event_the_longer_a_queue_lasts() {
        let mut burst = AcceptBurst::default();
        let counts: Vec<u8> = (10..17).map(|batch| burst.begin(listener(), batch)).collect();
        assert_eq!(counts, [1, 1, 2, 4, 8, 8, 8]);
        burst.in_vain();
        assert_eq!(burst.begin(listener(), 17), 1);
        // Something else was ready in between.
        assert_eq!([19, 20, 22].map(|batch| burst.begin(listener(), batch)), [1; 3]);
    }

    #[test]
    fn an_empty_queue_is_probed_less_and_less_often_until_there_is_one() {
        let mut burst = AcceptBurst::default();
        let mut vain = Vec::new();
        for batch in 0..1000 {
            if burst.begin(listener(), batch) > 1 {
                burst.found();
                burst.in_vain();
                vain.push(batch);
            }
        }
        assert_eq!(vain, [2, 6, 14, 30, 62, 126, 254, 510, 766]);
        let mut batch = 1000;
        while burst.begin(listener(), batch) == 1 {
            batch += 1;
        }
        // Now there are more.
        burst.found();
        burst.found();
        burst.in_vain();
        let counts = [1, 2, 3].map(|later| burst.begin(listener(), batch + later));
        assert_eq!(counts, [1, 2, 4]);
    }
}
