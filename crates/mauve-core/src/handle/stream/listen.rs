//! Listening and accepting.

use mauve_sys::descriptor::Socket;
use mauve_sys::driver::{Driver, Interest};
use mauve_sys::faults::Call;
use mauve_sys::net::Address;
use mauve_sys::{Errno, Result, fd, net};

use super::state::Flags;
use super::{Role, Stream, StreamMut, StreamState};
use crate::Engine;
use crate::trace::CallbackKind;

/// An accepted connection, or a descriptor that a pipe has received.
pub struct Connection {
    /// Its socket.
    pub fd: Socket,
    /// Whether it was just accepted, so that it has no duplicates.
    pub(super) unshared: bool,
}

impl<D: Driver> StreamMut<'_, D> {
    /// Listens on the stream's socket, which exists.
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
        // Opened now, because it is needed when no descriptor is left.
        self.engine.streams.keep_reserve();
        self.update();
        Ok(())
    }

    /// Whether [`take`](Self::take) would return a connection or a descriptor.
    pub fn has_accepted(&mut self) -> bool {
        self.body().accepted.is_some()
            || self.extras().is_some_and(|extras| !extras.inbox.is_empty())
    }

    /// Takes the connection that was reported, or the oldest descriptor that a pipe has received.
    /// `EAGAIN` if there is none.
    #[doc(alias = "uv_accept")]
    pub fn take(&mut self) -> Result<Connection> {
        let connection = match self.extras().and_then(|extras| extras.inbox.pop_front()) {
            // Its sender may have a duplicate.
            Some(fd) => Connection { fd, unshared: false },
            None => {
                let fd = self.body().accepted.take().ok_or(Errno::EAGAIN)?;
                if !self.body().source.wanted().contains(Interest::READABLE) {
                    self.update();
                }
                Connection { fd, unshared: true }
            }
        };
        Ok(connection)
    }

    /// Accepts for a host that calls [`accept_next`](Self::accept_next), and
    /// [`resume_accepting`](Self::resume_accepting) before it waits for a connection. A connection that the
    /// host does not want stays queued in the kernel: the host may pass the listener on, and others may
    /// share it. The address of the peer is stored, which costs less than a query afterwards. Accepting
    /// pauses after each error: if no descriptor is left, the loop does not spin.
    pub fn accept_on_demand(&mut self) {
        self.extras_or_new().accepted_peer = Some(Address::unspecified());
    }

    /// Leaves a connection in the kernel until the host wants it. Returns false if the stream does not
    /// accept on demand.
    pub(super) fn postpone_accept(&mut self) -> bool {
        let on_demand = self.extras().is_some_and(|extras| extras.accepted_peer.is_some());
        if on_demand {
            self.body().flags.insert(Flags::ACCEPT_READY);
            self.update();
        }
        on_demand
    }

    /// Continues to accept after an error.
    pub fn resume_accepting(&mut self) {
        if self.body().flags.take(Flags::ACCEPT_PAUSED) {
            self.update();
        }
    }

    /// The peer of the connection that was reported, and is not [taken](Self::take) yet. `None` if
    /// the stream does not accept [on demand](Self::accept_on_demand).
    pub fn accepted_peer(&mut self) -> Option<&Address> {
        self.body().accepted.as_ref()?;
        self.extras()?.accepted_peer.as_ref()
    }

    /// Accepts a connection. Returns the result to report, if any.
    ///
    /// There is one per event, as in libuv, unless the host wants [bursts](Engine::accept_in_bursts).
    /// The driver reports the listener again if there are more.
    pub(super) fn accept(&mut self) -> Option<Result<()>> {
        if self.body().accepted.is_some() {
            return None;
        }
        let fault = self.accept_fault();
        let Engine { table, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        let extras = streams.cold.first_mut(&body.cold).and_then(|cold| cold.extras.as_mut());
        let peer = extras.and_then(|extras| extras.accepted_peer.as_mut());
        let on_demand = peer.is_some();
        let fd = body.fd().ok()?;
        let accepted = match (fault, peer) {
            (Some(error), _) => Err(error),
            (None, Some(peer)) => net::accept_from(fd, peer),
            (None, None) => net::accept(fd),
        };
        match accepted {
            Ok(connection) => {
                body.accepted = Some(connection);
                // Opens the reserve if that failed before: a descriptor may be available now.
                streams.keep_reserve();
                Some(Ok(()))
            }
            Err(Errno::EAGAIN) => None,
            Err(error) if is_of_connection(error) => None,
            Err(error) if on_demand => {
                body.flags.insert(Flags::ACCEPT_PAUSED);
                self.update();
                Some(Err(error))
            }
            Err(error @ (Errno::EMFILE | Errno::ENFILE)) => {
                // Without a reserve the connection stays queued, and the program gets the error.
                (!streams.drop_connections(body)).then_some(Err(error))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

/// Whether an error of `accept` is one of the connection, which is gone, and not of the listener: the peer has closed
/// it, or the network has failed meanwhile.
fn is_of_connection(error: Errno) -> bool {
    const OF_CONNECTION: [Errno; 9] = [
        Errno::ECONNABORTED,
        Errno::EHOSTDOWN,
        Errno::EHOSTUNREACH,
        Errno::ENETDOWN,
        Errno::ENETUNREACH,
        Errno::ENONET,
        Errno::ENOPROTOOPT,
        Errno::ENOTSUP,
        Errno::EPROTO,
    ];
    OF_CONNECTION.contains(&error)
}

impl<D: Driver> StreamMut<'_, D> {
    /// Decides whether accepting fails.
    fn accept_fault(&mut self) -> Option<Errno> {
        self.engine.schedule.as_ref()?;
        let token = self.engine.table.head(self.id)?.token;
        let callback = (CallbackKind::Connection, token);
        self.engine.connection_fault(Call::Accept, Call::Accept.errors(), callback)
    }
}

impl StreamState {
    /// Accepts and drops all queued connections of a listener, because no descriptor is left for them
    /// and the listener would stay ready. Closing the reserve frees a descriptor for one at a time.
    /// Returns false if there is no reserve, or if another thread took the freed descriptor.
    fn drop_connections(&mut self, listener: &Stream) -> bool {
        if self.reserve.take().is_none() {
            return false;
        }
        let last = loop {
            match listener.fd().and_then(net::accept) {
                Ok(connection) => drop(connection),
                Err(error) => break error,
            }
        };
        self.keep_reserve();
        !matches!(last, Errno::EMFILE | Errno::ENFILE)
    }

    /// Opens the reserve descriptor, unless there is one.
    pub(super) fn keep_reserve(&mut self) {
        if self.reserve.is_none() {
            self.reserve = fd::open_reserve().ok();
        }
    }
}
