//! Listening sockets for tasks.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use mauve_core::handle::stream::TcpBindFlags;
use mauve_sys::Errno;

use super::socket::Socket;
use super::{TcpStream, UnixStream};
use crate::core::current;

/// Maximum number of connections that wait to be accepted.
const BACKLOG: i32 = 1024;

/// A listening TCP socket for tasks. Dropping it closes it.
#[derive(Debug)]
pub struct TcpListener(Socket);

/// A listening Unix domain socket for tasks. Dropping it closes it and unlinks its path.
#[derive(Debug)]
pub struct UnixListener(Socket);

impl TcpListener {
    /// Binds to an address and listens, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_listen")]
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_tcp(token))?;
        socket.with(|mut stream| {
            stream.bind(&address.into(), TcpBindFlags::default())?;
            stream.listen_tcp(BACKLOG)
        })?;
        Ok(Self(socket))
    }

    /// Accepts the next connection.
    #[doc(alias = "uv_accept")]
    pub async fn accept(&self) -> io::Result<TcpStream> {
        let connection = poll_fn(|context| self.0.poll_accept(context)).await?;
        let socket = Socket::open(self.0.core.clone(), |engine, token| engine.open_tcp(token))?;
        Ok(TcpStream(socket.adopt(connection)?))
    }

    /// The local address.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        let address = self.0.with(|mut stream| stream.local_address())?;
        address.to_socket_addr().ok_or_else(|| Errno::EAFNOSUPPORT.into())
    }
}

impl TcpListener {
    /// Binds to an address that other listeners may share (`SO_REUSEPORT`), and listens.
    pub(crate) fn bind_shared(address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_tcp(token))?;
        socket.with(|mut stream| {
            stream.bind(&address.into(), TcpBindFlags { reuse_port: true, only_v6: false })?;
            stream.listen_tcp(BACKLOG)
        })?;
        Ok(Self(socket))
    }
}

impl UnixListener {
    /// Binds to a path and listens, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_pipe_bind")]
    pub fn bind(path: impl AsRef<Path>) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_pipe(token, false))?;
        socket.with(|mut stream| {
            stream.bind_pipe(path.as_ref().as_os_str().as_bytes())?;
            stream.listen_pipe(BACKLOG)
        })?;
        Ok(Self(socket))
    }

    /// Accepts the next connection.
    #[doc(alias = "uv_accept")]
    pub async fn accept(&self) -> io::Result<UnixStream> {
        let connection = poll_fn(|context| self.0.poll_accept(context)).await?;
        let core = self.0.core.clone();
        let socket = Socket::open(core, |engine, token| engine.open_pipe(token, false))?;
        Ok(UnixStream(socket.adopt(connection)?))
    }
}
