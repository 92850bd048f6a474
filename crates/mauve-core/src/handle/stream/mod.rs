//! Streams: TCP, pipes and terminals, one state machine for all.
//!
//! * [`state`]: the state of a stream; [`cold`]: state that few streams have, or only for a moment.
//! * [`read`]: reading, with buffers of the host.
//! * [`mod@write`]: writing, shutting down, passing descriptors.
//! * [`connect`] and [`listen`]: establishing connections.
//! * [`event`]: the steps of handling a readiness event, and their order.
//! * [`tcp`], [`pipe`] and [`tty`]: operations of one kind only.

mod cold;
mod connect;
pub(crate) mod event;
mod listen;
mod pipe;
mod read;
mod state;
mod tcp;
mod tty;
mod why;
mod write;

use mauve_sys::descriptor::{AsDescriptor, BorrowedDescriptor, Descriptor, RawDescriptor};
use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result};

pub(crate) use cold::Cold;
pub use listen::Connection;
pub use read::ReadOutcome;
pub(crate) use state::Stream;
use state::{Flags, Role, Shutdown};
pub use tcp::TcpBindFlags;
pub use tty::Terminal;
pub(crate) use write::Write;
pub use write::{ForeignDescriptor, Passed, WriteBytes};

use crate::Engine;
use crate::arena::Arena;
use crate::id::{HandleId, HandleKind};
use crate::phase::Deferred;
use crate::registration::Source;
use crate::slab::{Entry, Life};

/// What the streams of one loop share.
#[derive(Default)]
pub(crate) struct StreamState {
    writes: Arena<Write>,
    /// State that few streams have.
    cold: Arena<Cold>,
    /// A spare descriptor. It is closed to accept and drop a connection when no other is left.
    reserve: Option<Descriptor>,
    /// Whether closing a stream leaves descriptors 0, 1 and 2 open.
    keeps_standard: bool,
    /// Whether several connections may be accepted in one event.
    accepts_in_bursts: bool,
    /// The listener whose event was handled last, and the batch of that event. Only kept if connections
    /// are accepted in bursts.
    last_accept: Option<(HandleId, u64)>,
}

impl StreamState {
    /// See [`Engine::keep_standard_descriptors`].
    pub fn keep_standard_descriptors(&mut self) {
        self.keeps_standard = true;
    }

    /// See [`Engine::accept_in_bursts`].
    pub fn accept_in_bursts(&mut self, on: bool) {
        self.accepts_in_bursts = on;
    }
}

/// One stream, borrowed for one operation.
pub struct StreamMut<'a, D> {
    pub(super) engine: &'a mut Engine<D>,
    pub(super) id: HandleId,
}

impl<D: Driver> StreamMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Stream> {
        &mut self.engine.table.streams[self.id.index()]
    }

    fn body(&mut self) -> &mut Stream {
        &mut self.entry().body
    }

    fn is_closing(&mut self) -> bool {
        self.entry().head.life() == Life::Closing
    }

    /// Sets the descriptor of the stream.
    fn attach(&mut self, fd: Descriptor, readable: bool, writable: bool) {
        if self.body().is(Flags::IPC) {
            mauve_sys::net::frame_messages(fd.as_descriptor());
        }
        self.body().source = Source::new(Some(fd));
        self.allow(readable, writable);
    }

    /// Makes the stream readable or writable, in addition to what it is.
    fn allow(&mut self, readable: bool, writable: bool) {
        let flags = &mut self.body().flags;
        if readable {
            flags.insert(Flags::READABLE);
        }
        if writable {
            flags.insert(Flags::WRITABLE);
        }
    }

    /// Checks that an open descriptor can be adopted: a connected or listening socket, or the end of
    /// a pipe. `EBUSY` if the stream has one, `EEXIST` if the loop watches it already. The caller has
    /// made it non-blocking. A descriptor that is refused is not closed.
    #[doc(alias = "uv_tcp_open")]
    #[doc(alias = "uv_pipe_open")]
    pub fn open(&mut self, fd: RawDescriptor, readable: bool, writable: bool) -> Result<Adopted> {
        self.check_unwatched(fd)?;
        if self.body().fd().is_ok() {
            return Err(Errno::EBUSY);
        }
        Ok(Adopted { readable, writable })
    }

    /// `EEXIST` if a handle of the loop waits for `fd`.
    pub fn check_unwatched(&mut self, fd: RawDescriptor) -> Result<()> {
        let Engine { registrations, table, driver, .. } = &mut *self.engine;
        registrations.check_unwatched(fd, table, driver)
    }

    /// Completes [`open`](Self::open) with the owned descriptor. If an option that was set before
    /// cannot be applied, the error returns the descriptor.
    pub fn adopt(&mut self, fd: Descriptor, adopted: Adopted) -> std::result::Result<(), Refused> {
        // libuv leaves these set when it fails.
        self.allow(adopted.readable, adopted.writable);
        match self.options().apply(fd.as_descriptor()) {
            Ok(()) => {
                self.attach(fd, false, false);
                Ok(())
            }
            Err(error) => Err(Refused { error, fd }),
        }
    }

    /// As [`adopt`](Self::adopt), for a connection that [`take`](Self::take) has returned.
    pub fn adopt_connection(&mut self, taken: Connection, adopted: Adopted) -> Result<()> {
        let flags = &mut self.body().flags;
        flags.set(Flags::UNSHARED, taken.unshared);
        if taken.unshared {
            // Others were received over a pipe and may be of any type.
            flags.insert(Flags::SOCKET);
        }
        Ok(self.adopt(taken.fd, adopted)?)
    }

    /// Whether the stream has this descriptor.
    pub fn owns(&mut self, fd: RawDescriptor) -> bool {
        self.body().fd().is_ok_and(|own| own.raw_descriptor() == fd)
    }

    /// Opens the descriptor that the stream has already: the program may have connected it. `EEXIST`
    /// if the loop watches it already.
    pub fn open_again(&mut self, readable: bool, writable: bool) -> Result<()> {
        let fd = self.body().fd()?.raw_descriptor();
        self.check_unwatched(fd)?;
        mauve_sys::fd::set_nonblocking(fd, true)?;
        self.allow(readable, writable);
        let options = self.options();
        options.apply(self.body().fd()?)
    }

    /// The descriptor. `EBADF` if there is none, or the stream is closing.
    #[doc(alias = "uv_fileno")]
    pub fn fd(&mut self) -> Result<BorrowedDescriptor<'_>> {
        self.body().fd()
    }

    /// Whether the stream is readable.
    #[doc(alias = "uv_is_readable")]
    pub fn is_readable(&mut self) -> bool {
        self.body().is(Flags::READABLE)
    }

    /// Makes the stream readable. uvloop reads write-only pipes to notice that the reader is gone.
    pub fn declare_readable(&mut self) {
        self.allow(true, false);
    }

    /// Whether the stream is writable.
    #[doc(alias = "uv_is_writable")]
    pub fn is_writable(&mut self) -> bool {
        self.body().is(Flags::WRITABLE)
    }

    /// Whether reading and writing block.
    pub fn blocks(&mut self) -> bool {
        self.body().is(Flags::BLOCKS)
    }

    /// Sets whether reads and writes block. Completions are reported by the loop in both cases.
    #[doc(alias = "uv_stream_set_blocking")]
    pub fn set_blocking(&mut self, blocks: bool) -> Result<()> {
        let body = self.body();
        mauve_sys::fd::set_nonblocking(body.fd()?.raw_descriptor(), !blocks)?;
        body.flags.set(Flags::BLOCKS, blocks);
        self.update();
        Ok(())
    }

    /// Declares that the descriptor of a pipe is a socket. Reads and writes then cost less.
    pub fn assume_socket(&mut self) {
        self.body().flags.insert(Flags::SOCKET);
    }

    /// How many bytes are queued and not written yet.
    #[doc(alias = "uv_stream_get_write_queue_size")]
    pub fn unsent(&mut self) -> usize {
        self.body().unsent
    }

    /// Updates the interest in the descriptor, and whether the stream is active, to its state.
    fn update(&mut self) {
        let Engine { table, registrations, driver, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.streams[self.id.index()];
        if head.life() == Life::Closing || body.fd().is_err() {
            return;
        }
        let interest = body.interest();
        if interest != body.source.wanted() {
            let wanted = registrations.register(self.id, &mut body.source, interest);
            if wanted.is_err() {
                registrations.register_shared(self.id, interest, table, driver);
            }
        }
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.streams[self.id.index()];
        body.note_activity(head, active);
    }

    /// Queues the stream for the next pending phase.
    fn defer(&mut self) {
        let id = self.id;
        if !self.body().flags.put(Flags::DEFERRED) {
            self.engine.deferred.push(Deferred::Stream(id));
        }
    }

    /// Takes the descriptor without closing it.
    pub fn detach(&mut self) -> Option<Descriptor> {
        let Engine { table, registrations, driver, .. } = &mut *self.engine;
        let source = &mut table.streams[self.id.index()].body.source;
        registrations.deregister(self.id, source, driver);
        source.fd.take()
    }

    /// Closes the descriptor of a stream both of whose directions have ended, if its peer sees that only then.
    fn close_ended(&mut self) {
        let Engine { table, registrations, driver, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        if body.fd().is_ok_and(|fd| !mauve_sys::net::half_closes(fd)) {
            registrations.close(self.id, &mut body.source, driver);
        }
    }

    /// Whether a request of the stream is not reported yet.
    pub(crate) fn has_requests(&mut self) -> bool {
        let body = self.body();
        let writes = !body.queued.is_empty() || !body.done.is_empty();
        writes || self.cold().is_some_and(|r| r.connect.is_some() || r.shutdown.is_some())
    }

    /// Closes the descriptor at once. The close phase reports unfinished requests as cancelled.
    pub(crate) fn close_descriptor(&mut self) {
        if self.id.kind() == HandleKind::Tty
            && let Ok(fd) = self.body().fd()
        {
            mauve_sys::tty::restore_on_close(fd);
        }
        self.release_cold();
        let Engine { table, registrations, driver, deferred, streams, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        if body.flags.take(Flags::DEFERRED) {
            deferred.remove(self.id);
        }
        let ends = Flags::READING | Flags::AWAITS_WRITABLE | Flags::READABLE | Flags::WRITABLE;
        body.flags.remove(ends);
        body.accepted = None;
        let keeps = streams.keeps_standard
            && body
                .source
                .fd
                .as_ref()
                .is_some_and(|fd| mauve_sys::fd::is_standard(fd.as_descriptor()));
        if keeps {
            registrations.deregister(self.id, &mut body.source, driver);
            if let Some(fd) = body.source.fd.take() {
                mauve_sys::fd::leave_open(fd);
            }
        } else if body.is(Flags::UNSHARED) {
            registrations.close(self.id, &mut body.source, driver);
        } else {
            registrations.deregister(self.id, &mut body.source, driver);
            if let Some(fd) = body.source.fd.take() {
                mauve_sys::fd::close(fd);
            }
        }
    }
}

/// A descriptor that could not be adopted, and the error.
#[derive(Debug)]
pub struct Refused {
    /// The error.
    pub error: Errno,
    /// The descriptor, which the caller keeps.
    pub fd: Descriptor,
}

impl From<Refused> for Errno {
    fn from(refused: Refused) -> Self {
        refused.error
    }
}

/// Proof that [`StreamMut::open`] has checked that a descriptor can be adopted.
#[must_use]
pub struct Adopted {
    readable: bool,
    writable: bool,
}

/// Whether handles of this kind are streams.
pub fn is_stream(kind: HandleKind) -> bool {
    matches!(kind, HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty)
}
