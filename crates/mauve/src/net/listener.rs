//! Listening sockets for tasks.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net as unix;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use mauve_core::handle::stream::TcpBindFlags;

use super::addr::{self, ToSocketAddrs};
use super::socket::{Socket, ip_address, unix_address};
use super::{TcpStream, UnixStream};
use crate::core::current;

/// Maximum number of connections that wait to be accepted.
const BACKLOG: i32 = 1024;

/// A listening TCP socket for tasks. Dropping it closes it.
///
/// ```
/// use futures_lite::AsyncWriteExt;
/// use mauve::Loop;
/// use mauve::net::{TcpListener, TcpStream};
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let listener = TcpListener::bind("127.0.0.1:0").await?;
///     let client = TcpStream::connect(listener.local_addr()?).await?;
///     let (mut stream, address) = listener.accept().await?;
///     assert_eq!(address, client.local_addr()?);
///     stream.write_all(b"hello").await
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TcpListener(pub(super) Socket);

/// A listening Unix domain socket for tasks. Dropping it closes it and unlinks its path.
#[derive(Debug)]
pub struct UnixListener(pub(super) Socket);

impl TcpListener {
    /// Binds to an address and listens, on the loop that runs on this thread. If there are several
    /// addresses, the first one that can be bound is used.
    ///
    /// To set options of the socket first, use [`TcpSocket`](super::TcpSocket).
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_listen")]
    pub async fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        addr::try_each(address, async |address| {
            let socket = Socket::open(current(), |engine, token| engine.open_tcp(token))?;
            socket.with(|mut stream| stream.bind(&address.into(), TcpBindFlags::default()))?;
            socket.listen_tcp(BACKLOG)?;
            Ok(Self(socket))
        })
        .await
    }

    /// Accepts the next connection. Returns it and the address of the peer.
    #[doc(alias = "uv_accept")]
    pub async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        poll_fn(|context| self.poll_accept(context)).await
    }

    /// Polls to accept the next connection.
    pub fn poll_accept(
        &self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<(TcpStream, SocketAddr)>> {
        let (connection, peer) = ready!(self.0.poll_accept(context, ip_address))?;
        let socket = Socket::open(self.0.core.clone(), |engine, token| engine.open_tcp(token))?;
        let stream = TcpStream(socket.adopt(connection)?);
        Poll::Ready(Ok((stream, peer?)))
    }

    /// A stream of accepted connections. It does not end.
    ///
    /// ```
    /// # use futures_lite::StreamExt;
    /// # use mauve::{Loop, net::{TcpListener, TcpStream}};
    /// # let lp: Loop = Loop::new()?;
    /// # lp.block_on(async {
    /// let listener = TcpListener::bind("127.0.0.1:0").await?;
    /// # let client = TcpStream::connect(listener.local_addr()?).await?;
    /// let mut incoming = listener.incoming();
    /// while let Some(stream) = incoming.next().await {
    ///     println!("{:?}", stream?.peer_addr());
    ///     # break;
    /// }
    /// # std::io::Result::Ok(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn incoming(&self) -> Incoming<'_> {
        Incoming(self)
    }

    /// Takes over a listening socket of the standard library, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn from_std(listener: std::net::TcpListener) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_tcp(token))?;
        socket.adopt_fd(listener.into())?;
        socket.listen_tcp(BACKLOG)?;
        Ok(Self(socket))
    }

    /// Returns the socket to the standard library. It stays in non-blocking mode.
    pub fn into_std(self) -> io::Result<std::net::TcpListener> {
        Ok(self.0.into_fd()?.into())
    }

    /// The local address.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        ip_address(&self.0.with(|mut stream| stream.local_address())?)
    }
}

/// The stream of [`TcpListener::incoming`].
#[derive(Debug)]
#[must_use = "streams do nothing unless they are polled"]
pub struct Incoming<'a>(&'a TcpListener);

impl Stream for Incoming<'_> {
    type Item = io::Result<TcpStream>;

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<TcpStream>>> {
        self.0.poll_accept(context).map(|accepted| Some(accepted.map(|(stream, _)| stream)))
    }
}

impl TcpListener {
    /// Binds to an address that other listeners may share (`SO_REUSEPORT`), and listens.
    pub(crate) fn bind_shared(address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_tcp(token))?;
        let flags = TcpBindFlags { reuse_port: true, only_v6: false };
        socket.with(|mut stream| stream.bind(&address.into(), flags))?;
        socket.listen_tcp(BACKLOG)?;
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
            stream.store_accepted_peers();
            stream.listen_pipe(BACKLOG)
        })?;
        Ok(Self(socket))
    }

    /// Accepts the next connection. Returns it and the address of the peer, which most often is
    /// unnamed.
    #[doc(alias = "uv_accept")]
    pub async fn accept(&self) -> io::Result<(UnixStream, unix::SocketAddr)> {
        poll_fn(|context| self.poll_accept(context)).await
    }

    /// Polls to accept the next connection.
    pub fn poll_accept(
        &self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<(UnixStream, unix::SocketAddr)>> {
        let (connection, peer) = ready!(self.0.poll_accept(context, unix_address))?;
        let core = self.0.core.clone();
        let socket = Socket::open(core, |engine, token| engine.open_pipe(token, false))?;
        let stream = UnixStream(socket.adopt(connection)?);
        Poll::Ready(Ok((stream, peer?)))
    }

    /// A stream of accepted connections. It does not end.
    pub fn incoming(&self) -> UnixIncoming<'_> {
        UnixIncoming(self)
    }

    /// The local address.
    pub fn local_addr(&self) -> io::Result<unix::SocketAddr> {
        unix_address(&self.0.with(|mut stream| stream.local_address())?)
    }
}

/// The stream of [`UnixListener::incoming`].
#[derive(Debug)]
#[must_use = "streams do nothing unless they are polled"]
pub struct UnixIncoming<'a>(&'a UnixListener);

impl Stream for UnixIncoming<'_> {
    type Item = io::Result<UnixStream>;

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<UnixStream>>> {
        self.0.poll_accept(context).map(|accepted| Some(accepted.map(|(stream, _)| stream)))
    }
}

impl AsRawFd for TcpListener {
    fn as_raw_fd(&self) -> RawFd {
        self.0.raw_fd()
    }
}

impl AsRawFd for UnixListener {
    fn as_raw_fd(&self) -> RawFd {
        self.0.raw_fd()
    }
}
