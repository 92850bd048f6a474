//! Unix domain streams for tasks.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};
use mauve_core::HandleId;

use super::socket::Socket;
use crate::core::{Core, current};

/// A connection over a Unix domain socket, or a pipe of a child, for tasks. Dropping it closes it.
#[derive(Debug)]
pub struct UnixStream(pub(super) Socket);

impl UnixStream {
    /// A stream without a descriptor. The engine gives it one when it spawns a child.
    pub(crate) fn unconnected(core: Rc<Core>) -> mauve_sys::Result<Self> {
        Ok(Self(Socket::open(core, |engine, token| engine.open_pipe(token, false))?))
    }

    /// The engine's id of the stream.
    pub(crate) fn id(&self) -> HandleId {
        self.0.id
    }

    /// Connects to the socket at `path`, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_pipe_connect")]
    pub async fn connect(path: impl AsRef<Path>) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_pipe(token, false))?;
        let token = socket.token();
        let name = path.as_ref().as_os_str().as_bytes();
        socket.with(|mut stream| stream.connect_pipe(token, name))?;
        socket.connected().await?;
        Ok(Self(socket))
    }
}

impl UnixStream {
    /// Waits until the stream is readable or at its end. May complete spuriously.
    ///
    /// A waiting task needs no read buffer of its own, so one buffer can serve any number of tasks.
    /// See [`TcpStream::readable`](super::TcpStream::readable) for an example.
    pub async fn readable(&self) -> io::Result<()> {
        poll_fn(|context| self.0.poll_readable(context)).await
    }

    /// Reads available bytes. Returns zero at the end of the stream, and `WouldBlock` if there are
    /// no bytes yet.
    pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.0.try_read(buffer)?)
    }
}

impl AsyncRead for UnixStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.0.poll_read(context, buffer)
    }
}

impl AsyncWrite for UnixStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.poll_write(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.0.poll_write(context, slices)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll_flush(context)
    }

    fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll_close(context)
    }
}
