//! TCP streams for tasks.

use std::io::{self, IoSlice};
use std::net::{Shutdown, SocketAddr};
use std::task::Context;
use std::time::Duration;

use mauve_core::Engine;
use mauve_sys::net;

use super::Direction;
use super::addr::{self, ToSocketAddrs};
use super::socket::{Socket, ip_address};
use super::stream::{impl_io, impl_stream};
use crate::core::current;
use crate::os_io::impl_socket_traits;

/// A TCP connection for tasks. Dropping it closes it.
///
/// Every write is a system call. `BufWriter` of `futures` combines many small ones.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use futures_lite::{AsyncReadExt, AsyncWriteExt};
/// use mauve::net::{TcpListener, TcpStream};
///
/// let listener = TcpListener::bind("127.0.0.1:0").await?;
/// let mut client = TcpStream::connect(listener.local_addr()?).await?;
/// let (mut server, _) = listener.accept().await?;
/// client.write_all(b"hello").await?;
/// let mut buffer = [0; 5];
/// server.read_exact(&mut buffer).await?;
/// assert_eq!(&buffer, b"hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct TcpStream(pub(super) Socket);

impl TcpStream {
    /// Connects to `address`, on the loop that runs on this thread. If there are several addresses,
    /// they are tried in turn.
    ///
    /// # Cancel safety
    /// If the future is dropped, the connection is given up and its socket closed.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_tcp_connect")]
    pub async fn connect(address: impl ToSocketAddrs) -> io::Result<Self> {
        addr::try_each(address, async |address| {
            let socket = Socket::open(current(), Engine::open_tcp)?;
            let token = socket.token();
            socket.with(|mut stream| stream.connect_tcp(token, &address.into()))?;
            socket.connected().await?;
            Ok(Self(socket))
        })
        .await
    }

    /// The local address.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        ip_address(&self.0.with(|mut stream| stream.local_address())?)
    }

    /// The address of the peer.
    #[doc(alias = "uv_tcp_getpeername")]
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        ip_address(&self.0.with(|mut stream| stream.peer_address())?)
    }

    /// Sets `TCP_NODELAY`: small packets are sent without delay.
    #[doc(alias = "uv_tcp_nodelay")]
    pub fn set_nodelay(&self, on: bool) -> io::Result<()> {
        Ok(self.0.with(|mut stream| stream.set_nodelay(on))?)
    }

    /// Whether `TCP_NODELAY` is set.
    pub fn nodelay(&self) -> io::Result<bool> {
        self.0.with_fd(net::nodelay)
    }

    /// Sets the time to live of packets, from 1 to 255.
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        self.0.set_ttl(ttl)
    }

    /// The time to live of packets.
    pub fn ttl(&self) -> io::Result<u32> {
        self.0.with_fd(net::ttl)
    }

    /// Sets `SO_LINGER`. With `Some(Duration::ZERO)`, closing the stream resets the connection.
    /// Otherwise, closing it may block the thread for that time.
    pub fn set_linger(&self, timeout: Option<Duration>) -> io::Result<()> {
        self.0.with_fd(|fd| net::set_linger(fd, timeout))
    }

    /// Sets `SO_LINGER` to zero: closing the stream resets the connection.
    pub fn set_zero_linger(&self) -> io::Result<()> {
        self.set_linger(Some(Duration::ZERO))
    }

    /// The value of `SO_LINGER`.
    pub fn linger(&self) -> io::Result<Option<Duration>> {
        self.0.with_fd(net::linger)
    }

    /// Takes the pending error of the socket (`SO_ERROR`).
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.0.with_fd(net::take_error)?.map(Into::into))
    }
}

impl_stream!(TcpStream, std::net::TcpStream, Engine::open_tcp);
