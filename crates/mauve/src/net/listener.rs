//! Listening sockets for tasks.

use std::io;
use std::net::SocketAddr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net as unix;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use mauve_core::handle::stream::TcpBindFlags;
use mauve_sys::net;

use super::addr::{self, ToSocketAddrs};
use super::socket::{Socket, ip_address, unix_address};
use super::stream::impl_fd;
use super::{Direction, TcpStream, UnixStream};
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
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use mauve::net::{UnixListener, UnixStream};
///
/// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let listener = UnixListener::bind(directory.join("socket"))?;
/// let _client = UnixStream::connect(directory.join("socket")).await?;
/// let (_stream, _) = listener.accept().await?;
/// # mauve::fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
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
    ///
    /// # Errors
    /// `EMFILE` or `ENFILE` if no descriptor is left. The connection stays queued, so wait a moment
    /// before the next call.
    #[doc(alias = "uv_accept")]
    pub async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        self.0.wait(Direction::Read, |context| self.poll_accept(context)).await
    }

    /// Polls to accept the next connection. Every waker that it was called with is woken by the next
    /// connection, and kept until then.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::{TcpListener, TcpStream};
    /// let listener = TcpListener::bind("127.0.0.1:0").await?;
    /// let _client = TcpStream::connect(listener.local_addr()?).await?;
    /// let (_stream, _) = std::future::poll_fn(|context| listener.poll_accept(context)).await?;
    /// # Ok(())
    /// # }
    /// ```
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
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::TcpListener;
    /// let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    /// let address = listener.local_addr()?;
    /// let listener = TcpListener::from_std(listener)?;
    /// assert_eq!(listener.local_addr()?, address);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn from_std(listener: std::net::TcpListener) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_tcp(token))?;
        socket.adopt_fd(listener.into())?;
        socket.listen_tcp(BACKLOG)?;
        Ok(Self(socket))
    }

    /// Returns the socket to the standard library. It stays in non-blocking mode. A connection that the
    /// loop has accepted, but no task has taken, is closed.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::TcpListener;
    /// let listener = TcpListener::bind("127.0.0.1:0").await?.into_std()?;
    /// listener.set_nonblocking(false)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn into_std(self) -> io::Result<std::net::TcpListener> {
        Ok(self.0.into_fd()?.into())
    }

    /// The local address.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        ip_address(&self.0.with(|mut stream| stream.local_address())?)
    }

    /// Sets the time to live of packets of accepted connections, from 1 to 255.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let listener = mauve::net::TcpListener::bind("127.0.0.1:0").await?;
    /// listener.set_ttl(42)?;
    /// assert_eq!(listener.ttl()?, 42);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        self.0.set_ttl(ttl)
    }

    /// The time to live of packets.
    pub fn ttl(&self) -> io::Result<u32> {
        self.0.with_fd(net::ttl)
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
            stream.accept_on_demand();
            stream.listen_pipe(BACKLOG)
        })?;
        Ok(Self(socket))
    }

    /// Accepts the next connection. Returns it and the address of the peer, which most often is
    /// unnamed.
    #[doc(alias = "uv_accept")]
    pub async fn accept(&self) -> io::Result<(UnixStream, unix::SocketAddr)> {
        self.0.wait(Direction::Read, |context| self.poll_accept(context)).await
    }

    /// Polls to accept the next connection. Every waker that it was called with is woken by the next
    /// connection, and kept until then.
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

    /// Takes over a listener of the standard library, on the loop that runs on this thread. The socket
    /// is set to non-blocking mode. Its path is not unlinked when the listener is dropped.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn from_std(listener: unix::UnixListener) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_pipe(token, false))?;
        socket.adopt_fd(listener.into())?;
        socket.with(|mut stream| {
            stream.accept_on_demand();
            stream.listen_pipe(BACKLOG)
        })?;
        Ok(Self(socket))
    }

    /// Returns the socket to the standard library. It stays in non-blocking mode. Its path is not
    /// unlinked. A connection that the loop has accepted, but no task has taken, is closed.
    pub fn into_std(self) -> io::Result<unix::UnixListener> {
        self.0.with(|mut stream| {
            stream.forget_path();
            Ok(())
        })?;
        Ok(self.0.into_fd()?.into())
    }

    /// The local address.
    pub fn local_addr(&self) -> io::Result<unix::SocketAddr> {
        unix_address(&self.0.with(|mut stream| stream.local_address())?)
    }

    /// Takes the pending error of the socket (`SO_ERROR`).
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.0.with_fd(net::take_error)?.map(Into::into))
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

impl_fd!(TcpListener);
impl_fd!(UnixListener);
