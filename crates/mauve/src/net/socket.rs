//! A socket that belongs to a task.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::handle::stream::{Connection, Read, StreamMut};
use mauve_core::handle::udp::UdpMut;
use mauve_core::{Engine, HandleId, Kind, Token};
use mauve_sys::poller::Platform;
use mauve_sys::{Errno, Result, net};

use crate::core::{Core, socket_token};

/// A stream or datagram socket of the engine. Dropping it closes it.
pub(super) struct Socket {
    pub core: Rc<Core>,
    pub id: HandleId,
    key: usize,
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
                stream.hear_once();
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

    pub fn poll_read(&self, context: &Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        let sockets = &self.core.sockets;
        if !sockets.is_drained(self.key) {
            match self.with(|mut stream| stream.read(buffer)) {
                Read::Data(count) => {
                    if count < buffer.len() {
                        sockets.set_drained(self.key);
                    }
                    return Poll::Ready(Ok(count));
                }
                Read::End => return Poll::Ready(Ok(0)),
                Read::Failed(error) => return Poll::Ready(Err(error.into())),
                Read::WouldBlock => {}
            }
        }
        let start = || self.with(|mut stream| stream.start_reading());
        match self.await_readable(context, start) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error.into())),
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

    pub fn poll_write(
        &self,
        context: &Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.with(|mut stream| stream.try_write(slices, None)) {
            Err(Errno::EAGAIN) => {
                self.await_writing(context);
                self.with(|mut stream| stream.await_room());
                Poll::Pending
            }
            result => Poll::Ready(result.map_err(Into::into)),
        }
    }

    /// Tells the peer that nothing more comes. Everything was written when it was accepted.
    pub fn poll_close(&self) -> Poll<io::Result<()>> {
        let shut = self.with(|mut stream| net::shut_down_writing(stream.fd()?));
        Poll::Ready(match shut {
            // The peer was faster.
            Err(error) if error == Errno::ENOTCONN => Ok(()),
            result => result.map_err(Into::into),
        })
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // The slot is freed by the close completion.
        self.core.engine(|engine| engine.close_handle(self.id));
    }
}
