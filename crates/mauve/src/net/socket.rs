//! A socket that belongs to a task.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use mauve_core::handle::stream::{Connection, ReadOutcome, StreamMut};
use mauve_core::handle::udp::UdpMut;
use mauve_core::{Engine, HandleId, Kind, Token};
use mauve_sys::driver::Platform;
use mauve_sys::{Errno, Result, net};

use crate::core::{Core, socket_token};

/// A stream or datagram socket of the engine. Dropping it closes it.
pub(super) struct Socket {
    pub core: Rc<Core>,
    pub id: HandleId,
    pub key: usize,
}

impl Socket {
    /// Makes a socket: `open` gets the token.
    pub fn open(
        core: Rc<Core>,
        open: impl FnOnce(&mut Engine<Platform>, Token) -> HandleId,
    ) -> Self {
        let key = core.sockets.reserve();
        let id = core.engine(|engine| open(engine, socket_token(key)));
        core.sockets.set_id(key, id);
        Self { core, id, key }
    }

    /// Gives the stream a connected descriptor.
    pub fn adopt(self, taken: Connection) -> Result<Self> {
        self.with(|mut stream| {
            let adopted = stream.open(std::os::fd::AsRawFd::as_raw_fd(&taken.fd), true, true)?;
            if self.id.kind() == Kind::Tcp {
                stream.set_edge_triggered();
            }
            stream.adopt_connection(taken, adopted)
        })?;
        Ok(self)
    }

    /// Does one operation on the engine's stream.
    pub fn with<R>(&self, operation: impl FnOnce(StreamMut<'_, Platform>) -> R) -> R {
        self.core.engine(|engine| operation(engine.stream(self.id).expect("open until dropped")))
    }

    /// Does one operation on the engine's datagram socket.
    pub fn with_udp<R>(&self, operation: impl FnOnce(UdpMut<'_, Platform>) -> R) -> R {
        self.core.engine(|engine| operation(engine.udp(self.id).expect("open until dropped")))
    }

    /// Has the task woken when there is something to read.
    pub fn await_reading(&self, context: &Context<'_>) {
        self.core.sockets.await_reading(self.key, context, &self.core.executor);
    }

    /// Has the task woken when there is room to write.
    pub fn await_writing(&self, context: &Context<'_>) {
        self.core.sockets.await_writing(self.key, context, &self.core.executor);
    }

    pub fn token(&self) -> Token {
        socket_token(self.key)
    }

    /// Waits until a connection that was started is made.
    pub async fn connected(&self) -> Result<()> {
        poll_fn(|context| match self.core.sockets.take_connected(self.key) {
            Some(result) => Poll::Ready(result),
            None => {
                self.await_writing(context);
                Poll::Pending
            }
        })
        .await
    }

    /// Waits for a connection.
    pub fn poll_accept(&self, context: &Context<'_>) -> Poll<Result<Connection>> {
        if let Some(error) = self.core.sockets.take_failure(self.key) {
            return Poll::Ready(Err(error));
        }
        match self.with(|mut stream| stream.take()) {
            Err(Errno::EAGAIN) => {
                self.await_reading(context);
                Poll::Pending
            }
            result => Poll::Ready(result),
        }
    }

    /// Waits until a read is worth trying.
    #[inline]
    pub fn poll_readable(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        if !self.core.sockets.is_drained(self.key) {
            return Poll::Ready(Ok(()));
        }
        let start = || self.with(|mut stream| stream.start_reading());
        match self.await_readable(context, start) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }

    /// Reads what is there; `EAGAIN` if that is nothing.
    #[inline]
    pub fn try_read(&self, buffer: &mut [u8]) -> Result<usize> {
        let sockets = &self.core.sockets;
        match self.with(|mut stream| stream.read(buffer)) {
            ReadOutcome::Data(count) => {
                if count < buffer.len() {
                    sockets.set_drained(self.key);
                }
                Ok(count)
            }
            ReadOutcome::End => Ok(0),
            ReadOutcome::WouldBlock => {
                sockets.set_drained(self.key);
                Err(Errno::EAGAIN)
            }
            ReadOutcome::Failed(error) => {
                // What is written now fails most likely, and is to report that by itself.
                self.with(|mut stream| stream.expect_no_burst());
                Err(error)
            }
        }
    }

    pub fn poll_read(&self, context: &Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.poll_readable(context))?;
            match self.try_read(buffer) {
                Err(Errno::EAGAIN) => {}
                result => return Poll::Ready(result.map_err(Into::into)),
            }
        }
    }

    /// Has the task woken when the socket is readable; `start` has it watched, unless it is.
    pub fn await_readable(
        &self,
        context: &Context<'_>,
        start: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let Core { sockets, executor, .. } = &*self.core;
        if !sockets.await_readable(self.key, context, executor) {
            match start() {
                Ok(()) | Err(Errno::EALREADY) => sockets.set_watched(self.key),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    #[inline]
    pub fn poll_write(
        &self,
        context: &Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let Some(error) = self.core.sockets.take_failure(self.key) {
            return Poll::Ready(Err(error.into()));
        }
        let written = self.core.engine_for_write(|engine| {
            let mut stream = engine.stream(self.id).expect("open until dropped");
            stream.try_write_or_cork(self.token(), slices)
        });
        match written {
            Err(Errno::EAGAIN) => {
                self.await_writing(context);
                self.with(|mut stream| stream.await_room());
                Poll::Pending
            }
            result => Poll::Ready(result.map_err(Into::into)),
        }
    }

    /// Waits until everything is with the system.
    pub fn poll_flush(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        if let Some(error) = self.core.sockets.take_failure(self.key) {
            return Poll::Ready(Err(error.into()));
        }
        if self.with(|mut stream| stream.unsent()) == 0 {
            return Poll::Ready(Ok(()));
        }
        self.await_writing(context);
        Poll::Pending
    }

    /// Tells the peer that nothing more comes, when everything is written.
    pub fn poll_close(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_flush(context))?;
        let shut = self.with(|mut stream| net::shutdown_write(stream.fd()?));
        Poll::Ready(match shut {
            // The peer was faster.
            Err(error) if error == Errno::ENOTCONN => Ok(()),
            result => result.map_err(Into::into),
        })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let lingers = self.core.engine(|engine| engine.stream(self.id).is_some_and(linger));
        if lingers {
            self.core.sockets.set_lingering(self.key);
        } else {
            // The slot is freed by the close completion.
            self.core.engine(|engine| engine.close_handle(self.id));
        }
    }
}

/// How long a peer has to take what is left for him when the stream is dropped.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keeps a stream open that nobody has any more, if there are bytes left to be written.
fn linger(mut stream: StreamMut<'_, Platform>) -> bool {
    if stream.unsent() == 0 {
        return false;
    }
    stream.stop_reading();
    // Without it the stream is closed at once: nobody would ever give up a peer who does not read.
    stream.fd().and_then(|fd| net::set_user_timeout(fd, PATIENCE)).is_ok()
}
