//! Listening Unix domain sockets for tasks.

use std::io;
use std::os::unix::net as unix;
use std::path::Path;

use mauve_sys::net;

use super::UnixStream;
use super::listener::{BACKLOG, impl_listener};
use super::socket::{Socket, open_pipe};
use super::unix_stream::unix_address;
use crate::core::current;

/// A listening Unix domain socket for tasks. Dropping it closes it and unlinks its path.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::net::{UnixListener, UnixStream};
///
/// # let directory = mauve::fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
/// let listener = UnixListener::bind(directory.join("socket"))?;
/// let _client = UnixStream::connect(directory.join("socket")).await?;
/// let (_stream, _) = listener.accept().await?;
/// # mauve::fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct UnixListener(pub(super) Socket);

impl UnixListener {
    /// Binds to a path and listens, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_pipe_bind")]
    pub fn bind(path: impl AsRef<Path>) -> io::Result<Self> {
        let socket = Socket::open(current(), open_pipe)?;
        socket.with(|mut stream| {
            stream.bind_pipe(path.as_ref().as_os_str().as_encoded_bytes())?;
            stream.accept_on_demand();
            stream.listen_pipe(BACKLOG)
        })?;
        Ok(Self(socket))
    }

    /// Takes over a listener of the standard library, on the loop that runs on this thread. The socket
    /// is set to non-blocking mode. Its path is not unlinked when the listener is dropped.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn from_std(listener: unix::UnixListener) -> io::Result<Self> {
        let socket = Socket::open(current(), open_pipe)?;
        socket.adopt_fd(listener.into())?;
        socket.with(|mut stream| {
            stream.accept_on_demand();
            stream.listen_pipe(BACKLOG)
        })?;
        Ok(Self(socket))
    }

    /// Returns the socket to the standard library. It stays in non-blocking mode. Its path is not
    /// unlinked. Connections that no task has accepted stay queued.
    pub fn into_std(self) -> io::Result<unix::UnixListener> {
        self.0.with(|mut stream| {
            stream.forget_path();
            Ok(())
        })?;
        Ok(self.0.into_fd()?.into())
    }

    /// Takes the pending error of the socket (`SO_ERROR`).
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.0.with_fd(net::take_error)?.map(Into::into))
    }
}

impl_listener!(
    UnixListener -> UnixStream(open_pipe), unix::SocketAddr, unix_address, UnixIncoming
);
