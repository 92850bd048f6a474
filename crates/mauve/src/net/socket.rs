//! The shared implementation of sockets for tasks.

use std::cell::{OnceCell, RefMut};
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::net::{Shutdown, SocketAddr};
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use mauve_core::handle::stream::{Connection, ReadOutcome, StreamMut};
use mauve_core::handle::udp::UdpMut;
use mauve_core::{Engine, HandleId, HandleKind, Token};
use mauve_sys::descriptor::{
    AsDescriptor as _, BorrowedDescriptor, CLOSED, Descriptor, RawDescriptor,
};
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Address};
use mauve_sys::{Errno, Result, fd};

use crate::core::Core;
use crate::targets::{self, Direction, SocketTarget, WakerParts};

/// A stream or datagram socket of the engine. Dropping it closes it.
pub(crate) struct Socket {
    pub core: Rc<Core>,
    pub id: HandleId,
    pub key: usize,
    /// A duplicate of the descriptor, once it was borrowed. The original belongs to the loop, which
    /// may be dropped before the socket.
    duplicate: OnceCell<Descriptor>,
}

impl std::fmt::Debug for Socket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Socket").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Socket {
    /// Opens a socket: `open` gets the token. `EINVAL` if the loop is closed.
    pub fn open(
        core: Rc<Core>,
        open: impl FnOnce(&mut Engine<Platform>, Token) -> HandleId,
    ) -> Result<Self> {
        Self::try_open(core, |engine, token| Ok(open(engine, token)))
    }

    /// As [`open`](Self::open), for a handle that cannot be opened for every descriptor.
    pub fn try_open(
        core: Rc<Core>,
        open: impl FnOnce(&mut Engine<Platform>, Token) -> Result<HandleId>,
    ) -> Result<Self> {
        let key = core.targets.insert_socket();
        match core.engine_result(|engine| open(engine, targets::token(key))) {
            Ok(id) => {
                core.targets.set_socket_id(key, id);
                Ok(Self { core, id, key, duplicate: OnceCell::new() })
            }
            Err(error) => {
                core.targets.remove(key);
                Err(error)
            }
        }
    }

    /// Gives the stream an open socket, which is set to non-blocking mode.
    pub fn adopt_fd(&self, fd: Descriptor) -> Result<()> {
        self.with(|mut stream| {
            let adopted = stream.open(fd.raw_descriptor(), true, true)?;
            fd::set_nonblocking(fd.raw_descriptor(), true)?;
            stream.assume_socket();
            Ok(stream.adopt(fd, adopted)?)
        })
    }

    /// Takes the descriptor of the stream.
    pub fn into_fd(self) -> Result<Descriptor> {
        self.with(|mut stream| stream.detach().ok_or(Errno::EBADF))
    }

    /// Gives the datagram socket an open descriptor, which is set to non-blocking mode.
    pub fn adopt_udp_fd(&self, fd: Descriptor) -> Result<()> {
        self.with_udp(|mut udp| {
            udp.check_open(fd.raw_descriptor())?;
            fd::set_nonblocking(fd.raw_descriptor(), true)?;
            udp.adopt(fd);
            Ok(())
        })
    }

    /// Takes the descriptor of the datagram socket.
    pub fn into_udp_fd(self) -> Result<Descriptor> {
        self.with_udp(|mut udp| udp.detach().ok_or(Errno::EBADF))
    }

    /// The descriptor. [`CLOSED`] if the loop is closed.
    pub fn raw_descriptor(&self) -> RawDescriptor {
        self.with_any_fd(|fd| Ok(fd.raw_descriptor())).unwrap_or(CLOSED)
    }

    /// A duplicate of the descriptor, which is closed with the socket.
    ///
    /// # Panics
    /// Panics if the loop was dropped, or if no descriptor is left.
    pub fn borrow_descriptor(&self) -> &Descriptor {
        let duplicate = || match self.with_any_fd(fd::duplicate) {
            Ok(duplicate) => duplicate,
            Err(error) => panic!("cannot duplicate the descriptor of a socket: {error}"),
        };
        self.duplicate.get_or_init(duplicate)
    }

    /// Performs an operation on the descriptor of the stream or datagram socket.
    fn with_any_fd<R>(
        &self,
        operation: impl FnOnce(BorrowedDescriptor<'_>) -> Result<R>,
    ) -> Result<R> {
        if self.id.kind() == HandleKind::Udp {
            self.with_udp(|mut udp| operation(udp.fd()?))
        } else {
            self.with(|mut stream| operation(stream.fd()?))
        }
    }

    /// Performs an operation on the descriptor of the stream.
    pub fn with_fd<R>(
        &self,
        operation: impl FnOnce(BorrowedDescriptor<'_>) -> Result<R>,
    ) -> io::Result<R> {
        Ok(self.with(|mut stream| operation(stream.fd()?))?)
    }

    /// Sets the time to live of packets.
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        let ttl = ttl.try_into().unwrap_or(i32::MAX);
        self.with_fd(|fd| net::set_ttl(fd, net::family(fd)?, ttl))
    }

    /// Gives the stream the descriptor of an accepted connection.
    pub fn adopt(self, connection: Connection) -> Result<Self> {
        self.with(|mut stream| {
            let adopted = stream.open(connection.fd.raw_descriptor(), true, true)?;
            stream.adopt_connection(connection, adopted)
        })?;
        Ok(self)
    }

    /// Performs an operation on the engine's stream. `EINVAL` if the loop is closed.
    #[inline]
    pub fn with<R>(
        &self,
        operation: impl FnOnce(StreamMut<'_, Platform>) -> Result<R>,
    ) -> Result<R> {
        self.core.engine_result(|engine| operation(engine.stream(self.id).ok_or(Errno::EINVAL)?))
    }

    /// Performs an operation on the engine's UDP socket. `EINVAL` if the loop is closed.
    #[inline]
    pub fn with_udp<R>(
        &self,
        operation: impl FnOnce(UdpMut<'_, Platform>) -> Result<R>,
    ) -> Result<R> {
        self.core.engine_result(|engine| operation(engine.udp(self.id).ok_or(Errno::EINVAL)?))
    }

    /// Fails if another loop runs on this thread. Needs no call while a task of this loop is polled.
    fn check_loop(&self) -> io::Result<()> {
        self.core.check_current("a socket")
    }

    /// `Pending` if the task has to yield to the loop. Every operation calls this first.
    #[inline]
    pub fn poll_budget(&self, context: &Context<'_>) -> Poll<()> {
        self.core.executor.poll_budget(context)
    }

    /// Counts a completed operation, and returns its result.
    #[inline]
    pub fn finish<R>(&self, result: R) -> Poll<R> {
        self.core.executor.spend_budget();
        Poll::Ready(result)
    }

    /// As [`finish`](Self::finish), for an operation that returns a number of bytes.
    #[inline]
    pub fn finish_transfer(&self, result: Result<usize>) -> Poll<io::Result<usize>> {
        self.core.executor.spend_budget_for(result.unwrap_or(0));
        Poll::Ready(result.map_err(Into::into))
    }

    /// Registers the task to be woken by the next completion for the read direction.
    pub fn wait_read(&self, context: &Context<'_>) -> io::Result<()> {
        self.check_loop()?;
        self.core.targets.wait(self.key, Direction::Read, context, &self.core.executor);
        Ok(())
    }

    /// Registers the task to be woken by the next completion for the write direction.
    pub fn wait_write(&self, context: &Context<'_>) -> io::Result<()> {
        self.check_loop()?;
        self.core.targets.wait(self.key, Direction::Write, context, &self.core.executor);
        Ok(())
    }

    pub fn token(&self) -> Token {
        targets::token(self.key)
    }

    /// Waits with `poll`, which registers the task for `direction`. If the future is dropped, its waker
    /// is removed.
    pub(super) async fn wait<R>(
        &self,
        direction: Direction,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>,
    ) -> R {
        let mut guard = WaiterGuard { socket: self, direction, waker: None };
        poll_fn(|context| {
            let polled = poll(context);
            let is_foreign = polled.is_pending() && self.core.executor.task_of(context).is_none();
            guard.waker = is_foreign.then(|| WakerParts::new(context.waker()));
            polled
        })
        .await
    }

    /// Waits for the result of connecting.
    pub(super) async fn connected(&self) -> io::Result<()> {
        let poll = |context: &mut Context<'_>| -> Poll<io::Result<()>> {
            match self.core.targets.take_connect_result(self.key) {
                Some(result) => Poll::Ready(result.map_err(Into::into)),
                None if self.core.is_closed() => Poll::Ready(Err(Errno::EINVAL.into())),
                None => {
                    self.wait_write(context)?;
                    Poll::Pending
                }
            }
        };
        poll_fn(poll).await
    }

    /// Listens for TCP connections. Accepting then returns the address of the peer.
    pub fn listen_tcp(&self, backlog: i32) -> Result<()> {
        self.with(|mut stream| {
            stream.accept_on_demand();
            stream.listen_tcp(backlog)
        })
    }

    /// Polls for a connection to accept. `convert` gets the address of the peer.
    pub fn poll_accept<A>(
        &self,
        context: &Context<'_>,
        convert: impl FnOnce(&Address) -> A,
    ) -> Poll<io::Result<(Connection, A)>> {
        ready!(self.poll_budget(context));
        if let Some(error) = self.core.targets.take_error(self.key) {
            return self.finish(Err(error.into()));
        }
        let accepted = self.with(|mut stream| {
            if stream.accepted_peer().is_none() && !stream.accept_next()? {
                stream.resume_accepting();
                return Err(Errno::EAGAIN);
            }
            let peer = convert(stream.accepted_peer().ok_or(Errno::EAGAIN)?);
            Ok((stream.take()?, peer))
        });
        match accepted {
            Err(Errno::EAGAIN) => {
                self.wait_read(context)?;
                Poll::Pending
            }
            result => self.finish(result.map_err(Into::into)),
        }
    }

    /// Polls for readability. May be spurious.
    #[inline(always)]
    pub fn poll_readable(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_budget(context));
        let result = ready!(self.poll_undrained(context));
        self.finish(result)
    }

    /// Whether the last read has drained the socket, and no event has arrived since.
    #[inline]
    pub fn is_drained(&self) -> bool {
        self.core.targets.is_drained(self.key)
    }

    /// Records that a read has drained the socket.
    #[inline]
    pub fn set_drained(&self) {
        self.core.targets.set_drained(self.key);
    }

    /// Polls until the last read did not drain the socket, or an event arrives.
    #[inline(always)]
    fn poll_undrained(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        match self.core.targets.drained(self.key) {
            Some(socket) => self.wait_for_data(socket, context),
            None => Poll::Ready(Ok(())),
        }
    }

    /// Registers the task to be woken when the stream is readable. Ready only with an error.
    #[inline(never)]
    fn wait_for_data(
        &self,
        socket: RefMut<'_, SocketTarget>,
        context: &Context<'_>,
    ) -> Poll<io::Result<()>> {
        let Core { targets, executor, .. } = &*self.core;
        let task = executor.task_of(context);
        if task.is_none() {
            self.check_loop()?;
        }
        if targets.wait_borrowed(socket, self.key, task, context) {
            Poll::Pending
        } else {
            self.watch_stream()
        }
    }

    /// Watches the stream for readability. Ready only with an error.
    #[cold]
    fn watch_stream(&self) -> Poll<io::Result<()>> {
        let start = || self.with(|mut stream| stream.start_reading());
        match self.watch(start) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }

    /// Reads available bytes. `EAGAIN` if there are none, zero at the end of the stream.
    #[inline(always)]
    pub fn try_read(&self, buffer: &mut [u8]) -> Result<usize> {
        let targets = &self.core.targets;
        let mut engine = self.core.borrow_engine()?;
        let outcome = engine.stream(self.id).ok_or(Errno::EINVAL)?.read(buffer);
        drop(engine);
        match outcome {
            ReadOutcome::Data(count) => {
                if count < buffer.len() {
                    targets.set_drained(self.key);
                }
                Ok(count)
            }
            ReadOutcome::End => Ok(0),
            ReadOutcome::WouldBlock => {
                targets.set_drained(self.key);
                Err(Errno::EAGAIN)
            }
            ReadOutcome::Failed(error) => Err(error),
        }
    }

    #[inline(always)]
    pub fn poll_read(&self, context: &Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_budget(context));
        loop {
            ready!(self.poll_undrained(context))?;
            match self.try_read(buffer) {
                Err(Errno::EAGAIN) => {}
                result => return self.finish_transfer(result),
            }
        }
    }

    /// Polls an operation of the caller, which may read or write. `WouldBlock` lets the task wait.
    pub fn poll_io<R>(
        &self,
        context: &Context<'_>,
        direction: Direction,
        operation: &mut impl FnMut() -> io::Result<R>,
    ) -> Poll<io::Result<R>> {
        ready!(self.poll_budget(context));
        let result = self.try_io(direction, operation);
        match (&result, direction) {
            (Err(error), Direction::Read) if error.kind() == io::ErrorKind::WouldBlock => {
                ready!(self.poll_undrained(context))?;
                Poll::Pending
            }
            (Err(error), Direction::Write) if error.kind() == io::ErrorKind::WouldBlock => {
                ready!(self.wait_for_room(context))?;
                Poll::Pending
            }
            _ => self.finish(result),
        }
    }

    /// Performs an operation of the caller.
    pub fn try_io<R>(
        &self,
        direction: Direction,
        mut operation: impl FnMut() -> io::Result<R>,
    ) -> io::Result<R> {
        let result = operation();
        let would_block =
            result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock);
        if would_block && direction == Direction::Read {
            self.core.targets.set_drained(self.key);
        }
        result
    }

    /// Polls for bytes, which stay in the socket.
    pub fn poll_peek(&self, context: &Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_budget(context));
        loop {
            ready!(self.poll_undrained(context))?;
            match self.with(|mut stream| net::peek(stream.fd()?, buffer)) {
                Err(Errno::EAGAIN) => self.core.targets.set_drained(self.key),
                result => return self.finish(result.map_err(Into::into)),
            }
        }
    }

    /// Registers the task to be woken when the socket is readable. Calls `start` to watch the
    /// socket, unless it is watched already.
    pub fn wait_readable(
        &self,
        context: &Context<'_>,
        start: impl FnOnce() -> Result<()>,
    ) -> io::Result<()> {
        let Core { targets, executor, .. } = &*self.core;
        let task = executor.task_of(context);
        if task.is_none() {
            self.check_loop()?;
        }
        if !targets.wait_readable(self.key, task, context) {
            self.watch(start)?;
        }
        Ok(())
    }

    /// Watches the socket for readability: calls `start`.
    fn watch(&self, start: impl FnOnce() -> Result<()>) -> Result<()> {
        match start() {
            Ok(()) | Err(Errno::EALREADY) => {
                self.core.targets.set_watched(self.key);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    pub fn poll_write(
        &self,
        context: &Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_budget(context));
        match self.try_write(slices) {
            Err(Errno::EAGAIN) => self.wait_for_room(context).map_ok(|()| 0),
            result => self.finish_transfer(result),
        }
    }

    /// Writes as many bytes as possible. `EAGAIN` if none can be written.
    #[inline(always)]
    pub fn try_write(&self, slices: &[IoSlice<'_>]) -> Result<usize> {
        let mut engine = self.core.borrow_engine()?;
        engine.stream(self.id).ok_or(Errno::EINVAL)?.try_write(slices, None)
    }

    /// Polls for writability. May be spurious.
    pub fn poll_writable(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_budget(context));
        let is_writable = self.with(|mut stream| fd::is_writable(stream.fd()?));
        match is_writable {
            Ok(false) => self.wait_for_room(context),
            result => self.finish(result.map(drop).map_err(Into::into)),
        }
    }

    /// Registers the task to be woken when the socket is writable. Ready only with an error.
    fn wait_for_room(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        self.wait_write(context)?;
        let started = self.with(|mut stream| {
            stream.await_room();
            Ok(())
        });
        match started {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }

    /// Nothing is buffered: every write returns after its bytes are in the socket.
    pub fn flush(&self) -> io::Result<()> {
        Ok(self.with(|_stream| Ok(()))?)
    }

    /// Shuts down one direction or both.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        match self.with(|mut stream| net::shutdown(stream.fd()?, how)) {
            // The peer has closed the connection already.
            Err(Errno::ENOTCONN) => Ok(()),
            result => Ok(result?),
        }
    }
}

/// Removes the waker of a future that is dropped while it waits.
struct WaiterGuard<'a> {
    socket: &'a Socket,
    direction: Direction,
    /// Set while it waits, if the waker is not that of a task of the loop.
    waker: Option<WakerParts>,
}

impl Drop for WaiterGuard<'_> {
    fn drop(&mut self) {
        let Some(waker) = self.waker else { return };
        let Socket { core, key, .. } = self.socket;
        core.targets.remove_waker(*key, self.direction, waker);
    }
}

/// Opens a stream of the engine that passes no descriptors.
pub(super) fn open_pipe(engine: &mut Engine<Platform>, token: Token) -> HandleId {
    engine.open_pipe(token, false)
}

/// Converts the address of an IP socket.
pub(super) fn ip_address(address: &Address) -> io::Result<SocketAddr> {
    address.to_socket_addr().ok_or_else(|| Errno::EAFNOSUPPORT.into())
}

impl Drop for Socket {
    fn drop(&mut self) {
        // First, so that closing the original closes the socket.
        drop(self.duplicate.take());
        // The slot is freed by the close completion.
        self.core.try_engine(|engine| engine.close_handle(self.id));
    }
}
