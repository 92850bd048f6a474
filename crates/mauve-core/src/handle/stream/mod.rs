//! Streams: TCP, pipes and terminals, one state machine for all.
//!
//! * [`read`]: reading, with the buffers of whoever drives the engine.
//! * [`mod@write`]: writing, shutting down, passing descriptors.
//! * [`cork`]: writes that leave together at the end of a callback.
//! * [`connect`] and [`listen`]: how a stream comes by its peer.
//! * [`event`]: what happens when the descriptor is ready, and in which order.
//! * [`tcp`], [`pipe`] and [`tty`]: what only these have.

mod connect;
mod cork;
pub(crate) mod event;
mod listen;
mod pipe;
mod read;
mod tcp;
mod tty;
mod why;
mod write;

use std::collections::VecDeque;
use std::ffi::CString;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};

use mauve_sys::net::KeepAlive;
use mauve_sys::poller::{Driver, Interest};
use mauve_sys::{Errno, Result};

pub use listen::Connection;
pub(crate) use listen::Rush;
pub use read::Read;
pub use tcp::BindFlags;
pub(crate) use write::Write;

use crate::Engine;
use crate::arena::List;
use crate::id::{HandleId, Kind, Token};
use crate::io::Source;
use crate::phase::Deferred;
use crate::slab::{Entry, Life};

/// The state of one stream.
pub(crate) struct Stream {
    fd: Option<OwnedFd>,
    /// The descriptor is one of a connection that was accepted here: nobody else has a copy of it,
    /// unless the program or a fork has made one.
    sole: bool,
    pub source: Source,
    role: Role,
    /// An error of binding, told when the stream is used.
    delayed: Option<Errno>,
    readable: bool,
    writable: bool,
    reading: bool,
    /// Somebody waits for room to write.
    awaits_room: bool,
    /// Whether it is enough to hear once of what there is to read.
    hears_once: bool,
    /// Reading and writing block, so they are done only when the system announces that they
    /// would not.
    blocks: bool,
    shutdown: Shutdown,
    /// Whether the stream stands in the deferred queue.
    fed: bool,
    /// Whether writes are held back until the end of the callback.
    corked: bool,
    /// The turn of the engine in which something was written at once.
    wrote_in: u32,
    /// Writes that are not done, in order.
    queued: List,
    /// Writes that are done, or have failed; their completions are still to be delivered.
    done: List,
    /// Bytes that are not written yet, also of writes that have failed and are not told.
    unsent: usize,
    /// A connection that nobody has accepted yet.
    accepted: Option<OwnedFd>,
    rare: Option<Box<Rare>>,
}

/// What a stream is connected with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Nothing yet.
    Fresh,
    /// It has an address.
    Bound,
    Listening,
    /// A connection is being made, by this request.
    Connecting(Token),
    Connected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shutdown {
    No,
    /// When everything is written.
    Wanted(Token),
    Done,
}

/// What few streams need.
#[derive(Default)]
struct Rare {
    /// Whether descriptors travel over this pipe.
    ipc: bool,
    /// Descriptors that have arrived.
    inbox: VecDeque<OwnedFd>,
    /// The path to remove when a bound pipe is closed.
    path: Option<CString>,
    /// Asked for before there was a socket.
    nodelay: bool,
    keepalive: Option<KeepAlive>,
    /// The mode of a terminal, once it was changed.
    terminal: Option<tty::Terminal>,
}

impl Stream {
    fn new() -> Self {
        Self {
            fd: None,
            sole: false,
            source: Source::new(-1),
            role: Role::Fresh,
            delayed: None,
            readable: false,
            writable: false,
            reading: false,
            awaits_room: false,
            hears_once: false,
            blocks: false,
            shutdown: Shutdown::No,
            fed: false,
            corked: false,
            wrote_in: 0,
            queued: List::EMPTY,
            done: List::EMPTY,
            unsent: 0,
            accepted: None,
            rare: None,
        }
    }

    fn fd(&self) -> Result<BorrowedFd<'_>> {
        self.fd.as_ref().map(|fd| fd.as_fd()).ok_or(Errno::EBADF)
    }

    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    fn is_ipc(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.ipc)
    }

    /// What is to be watched for.
    fn interest(&self) -> Interest {
        let mut interest = Interest::empty();
        let takes = self.role == Role::Listening && self.accepted.is_none();
        interest.set(Interest::READABLE, self.reading || takes);
        let connecting = matches!(self.role, Role::Connecting(_)) && self.delayed.is_none();
        let writes = self.awaits_room || !self.queued.is_empty();
        interest.set(Interest::WRITABLE, connecting || writes);
        let once = self.hears_once && interest == Interest::READABLE;
        interest.set(Interest::ONCE, once && !takes && !self.blocks);
        interest
    }
}

/// One stream, lent for one operation.
pub struct StreamMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a TCP stream without a socket.
    #[doc(alias = "uv_tcp_init")]
    pub fn open_tcp(&mut self, token: Token) -> HandleId {
        let born = self.table.birth();
        self.table.streams.insert(token, born, Stream::new())
    }

    /// Makes a pipe without a socket. Over one with `ipc`, descriptors can travel.
    #[doc(alias = "uv_pipe_init")]
    pub fn open_pipe(&mut self, token: Token, ipc: bool) -> HandleId {
        let born = self.table.birth();
        let mut stream = Stream::new();
        if ipc {
            stream.rare().ipc = true;
        }
        self.table.streams.insert_as(Kind::Pipe, token, born, stream)
    }

    /// Makes a terminal out of an open descriptor, which blocks or does not.
    #[doc(alias = "uv_tty_init")]
    pub fn open_tty(&mut self, token: Token, fd: OwnedFd, blocks: bool) -> Result<HandleId> {
        if self.watches.has_owner(fd.as_raw_fd()) {
            return Err(Errno::EEXIST);
        }
        let (readable, writable) = mauve_sys::fd::access_mode(fd.as_fd())?;
        let born = self.table.birth();
        let id = self.table.streams.insert_as(Kind::Tty, token, born, Stream::new());
        let mut stream = self.stream(id).expect("just opened");
        stream.attach(fd, readable, writable);
        stream.body().blocks = blocks;
        Ok(id)
    }

    /// Lends a TCP stream, a pipe or a terminal.
    pub fn stream(&mut self, id: HandleId) -> Option<StreamMut<'_, D>> {
        self.table.streams.find(id)?;
        Some(StreamMut { engine: self, id })
    }
}

impl<D: Driver> StreamMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Stream> {
        &mut self.engine.table.streams[self.id.index()]
    }

    fn body(&mut self) -> &mut Stream {
        &mut self.entry().body
    }

    fn is_closing(&mut self) -> bool {
        self.entry().head.life == Life::Closing
    }

    /// Gives the stream its descriptor.
    fn attach(&mut self, fd: OwnedFd, readable: bool, writable: bool) {
        let body = self.body();
        body.source = Source::new(fd.as_raw_fd());
        body.fd = Some(fd);
        body.readable |= readable;
        body.writable |= writable;
    }

    /// Takes over an open descriptor: a connected or listening socket, or the end of a pipe.
    /// `EBUSY` if the stream has one, `EEXIST` if the loop watches it already. The caller has made
    /// it non-blocking. A descriptor that is refused is not closed.
    #[doc(alias = "uv_tcp_open")]
    #[doc(alias = "uv_pipe_open")]
    pub fn open(&mut self, fd: RawFd, readable: bool, writable: bool) -> Result<Adopted> {
        if self.body().fd.is_some() {
            return Err(Errno::EBUSY);
        }
        if self.engine.watches.has_owner(fd) {
            return Err(Errno::EEXIST);
        }
        Ok(Adopted { readable, writable })
    }

    /// Goes on from [`open`](Self::open) with the descriptor itself.
    pub fn adopt(&mut self, fd: OwnedFd, adopted: Adopted) -> Result<()> {
        self.attach(fd, adopted.readable, adopted.writable);
        self.apply_options()
    }

    /// The same with a connection that [`take`](Self::take) has returned.
    pub fn adopt_connection(&mut self, taken: Connection, adopted: Adopted) -> Result<()> {
        self.body().sole = taken.sole;
        self.adopt(taken.fd, adopted)
    }

    /// Whether the stream has this descriptor.
    pub fn owns(&mut self, fd: RawFd) -> bool {
        self.body().fd.as_ref().is_some_and(|own| own.as_raw_fd() == fd)
    }

    /// Takes over the descriptor that it has: its maker may have connected it by now. `EEXIST` if
    /// the loop watches it already.
    pub fn open_again(&mut self, readable: bool, writable: bool) -> Result<()> {
        let fd = self.body().fd()?.as_raw_fd();
        if self.engine.watches.has_owner(fd) {
            return Err(Errno::EEXIST);
        }
        mauve_sys::fd::set_nonblocking(fd, true)?;
        let body = self.body();
        body.readable |= readable;
        body.writable |= writable;
        self.apply_options()
    }

    /// The descriptor. `EBADF` if there is none, or the stream is closing.
    #[doc(alias = "uv_fileno")]
    pub fn fd(&mut self) -> Result<BorrowedFd<'_>> {
        self.body().fd()
    }

    /// Whether data can be expected from it.
    #[doc(alias = "uv_is_readable")]
    pub fn is_readable(&mut self) -> bool {
        self.body().readable
    }

    /// Whether data can be written to it.
    #[doc(alias = "uv_is_writable")]
    pub fn is_writable(&mut self) -> bool {
        self.body().writable
    }

    /// Whether reading and writing block.
    pub fn blocks(&mut self) -> bool {
        self.body().blocks
    }

    /// Has reading and writing block, or not. Completions come later all the same.
    #[doc(alias = "uv_stream_set_blocking")]
    pub fn set_blocking(&mut self, blocks: bool) -> Result<()> {
        self.uncork();
        let body = self.body();
        mauve_sys::fd::set_nonblocking(body.fd()?.as_raw_fd(), !blocks)?;
        body.blocks = blocks;
        self.update();
        Ok(())
    }

    /// The descriptor is a TCP connection, and whoever hears of something to read reads at once:
    /// then it is enough to hear of it once, which costs the system less. What is left unread is
    /// asked for again.
    pub fn hear_once(&mut self) {
        self.body().hears_once = true;
        self.update();
    }

    /// How many bytes are queued and not written yet.
    #[doc(alias = "uv_stream_get_write_queue_size")]
    pub fn unsent(&mut self) -> usize {
        self.uncork();
        self.body().unsent
    }

    /// Keeps the watch on the descriptor, and whether the stream is active, in line with what the
    /// stream is doing.
    fn update(&mut self) {
        let Engine { table, watches, census, .. } = &mut *self.engine;
        let Entry { head, body } = &mut table.streams[self.id.index()];
        if head.life == Life::Closing || body.fd.is_none() {
            return;
        }
        let interest = body.interest();
        if interest != body.source.wanted() {
            // The descriptor is ours alone, so nobody else can watch it.
            let wanted = watches.want(self.id, &mut body.source, interest);
            debug_assert_eq!(wanted, Ok(()));
        }
        let active = body.reading || body.awaits_room || body.role == Role::Listening;
        match (active, head.life) {
            (true, Life::Inactive) => head.activate(census),
            (false, Life::Active) => head.deactivate(census),
            _ => {}
        }
    }

    /// Has the stream looked at in the next pending phase.
    fn feed(&mut self) {
        let id = self.id;
        if !std::mem::replace(&mut self.body().fed, true) {
            self.engine.deferred.push_back(Deferred::Stream(id));
        }
    }

    /// Closes the descriptor at once. What was asked for and is not done is told to be cancelled
    /// in the close phase.
    pub(crate) fn shut(&mut self) {
        if std::mem::take(&mut self.body().corked) {
            self.flush();
        }
        let Engine { table, watches, driver, .. } = &mut *self.engine;
        let body = &mut table.streams[self.id.index()].body;
        if !body.sole {
            watches.forget(self.id, &mut body.source, driver);
        }
        (body.reading, body.readable, body.writable) = (false, false, false);
        body.awaits_room = false;
        body.accepted = None;
        if let Some(path) = body.rare.as_mut().and_then(|rare| rare.path.take()) {
            // Somebody else may have removed it; that is as good.
            let _ = mauve_sys::fs::names::unlink(&path);
        }
        if let Some(rare) = &mut body.rare {
            rare.inbox.clear();
        }
        if let Some(fd) = body.fd.take()
            && body.sole
        {
            watches.forget_and_close(self.id, &mut body.source, fd, driver);
        }
    }
}

/// A promise that a descriptor can be taken over.
#[must_use]
pub struct Adopted {
    readable: bool,
    writable: bool,
}

/// Whether handles of this kind are streams.
pub(crate) fn is_stream(kind: Kind) -> bool {
    matches!(kind, Kind::Tcp | Kind::Pipe | Kind::Tty)
}
