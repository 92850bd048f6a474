//! TCP sockets that are neither connected nor listening yet.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use mauve_core::Engine;
use mauve_sys::descriptor::{self, AsDescriptor as _, BorrowedSocket};
use mauve_sys::net::{self, KeepAlive};

use super::socket::{Socket, ip_address};
use super::{TcpListener, TcpStream};
use crate::core::current;
use crate::os_io::impl_owner_traits;

/// A TCP socket whose options are set before it connects or listens.
///
/// ```
/// use mauve::Loop;
/// use mauve::net::TcpSocket;
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let socket = TcpSocket::new_v4()?;
///     socket.set_reuseport(true)?;
///     socket.bind("127.0.0.1:0".parse().unwrap())?;
///     let listener = socket.listen(1024)?;
///
///     let socket = TcpSocket::new_v4()?;
///     socket.set_send_buffer_size(64 * 1024)?;
///     let _stream = socket.connect(listener.local_addr()?).await?;
///     listener.accept().await
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TcpSocket(descriptor::Socket);

impl TcpSocket {
    /// Creates an IPv4 socket.
    pub fn new_v4() -> io::Result<Self> {
        Ok(Self(net::socket(net::AF_INET, net::SOCK_STREAM)?))
    }

    /// Creates an IPv6 socket.
    pub fn new_v6() -> io::Result<Self> {
        Ok(Self(net::socket(net::AF_INET6, net::SOCK_STREAM)?))
    }

    /// Sets `SO_REUSEADDR`: an address with connections in `TIME_WAIT` can be bound.
    pub fn set_reuseaddr(&self, on: bool) -> io::Result<()> {
        Ok(net::set_reuse_address(self.borrow(), on)?)
    }

    /// Whether `SO_REUSEADDR` is set.
    pub fn reuseaddr(&self) -> io::Result<bool> {
        Ok(net::reuse_address(self.borrow())?)
    }

    /// Sets `SO_REUSEPORT`: several sockets can listen on one address, and the kernel distributes
    /// connections to them.
    pub fn set_reuseport(&self, on: bool) -> io::Result<()> {
        Ok(net::set_reuse_port(self.borrow(), on)?)
    }

    /// Whether `SO_REUSEPORT` is set.
    pub fn reuseport(&self) -> io::Result<bool> {
        Ok(net::reuse_port(self.borrow())?)
    }

    /// Sets whether an IPv6 socket refuses IPv4 (`IPV6_V6ONLY`).
    pub fn set_only_v6(&self, on: bool) -> io::Result<()> {
        Ok(net::set_only_v6(self.borrow(), on)?)
    }

    /// Sends keep-alive probes after `idle` without traffic. `None` disables them, which is the
    /// default.
    pub fn set_keepalive(&self, idle: Option<Duration>) -> io::Result<()> {
        let probes = |idle: Duration| KeepAlive::after(idle.as_secs().max(1) as u32);
        Ok(net::set_keepalive(self.borrow(), idle.map(probes))?)
    }

    /// Whether keep-alive probes are sent.
    pub fn keepalive(&self) -> io::Result<bool> {
        Ok(net::keepalive(self.borrow())?)
    }

    /// Sets `TCP_NODELAY`: small packets are sent without delay.
    pub fn set_nodelay(&self, on: bool) -> io::Result<()> {
        Ok(net::set_nodelay(self.borrow(), on)?)
    }

    /// Whether `TCP_NODELAY` is set.
    pub fn nodelay(&self) -> io::Result<bool> {
        Ok(net::nodelay(self.borrow())?)
    }

    /// Sets `SO_LINGER`. With `Some(Duration::ZERO)`, closing the stream resets the connection.
    pub fn set_linger(&self, timeout: Option<Duration>) -> io::Result<()> {
        Ok(net::set_linger(self.borrow(), timeout)?)
    }

    /// The value of `SO_LINGER`.
    pub fn linger(&self) -> io::Result<Option<Duration>> {
        Ok(net::linger(self.borrow())?)
    }

    /// Sets the size of the send buffer (`SO_SNDBUF`). Linux doubles the value.
    pub fn set_send_buffer_size(&self, size: u32) -> io::Result<()> {
        Ok(net::set_buffer_size(self.borrow(), true, clamp(size))?)
    }

    /// The size of the send buffer.
    pub fn send_buffer_size(&self) -> io::Result<u32> {
        Ok(net::buffer_size(self.borrow(), true)?.unsigned_abs())
    }

    /// Sets the size of the receive buffer (`SO_RCVBUF`). Linux doubles the value.
    pub fn set_recv_buffer_size(&self, size: u32) -> io::Result<()> {
        Ok(net::set_buffer_size(self.borrow(), false, clamp(size))?)
    }

    /// The size of the receive buffer.
    pub fn recv_buffer_size(&self) -> io::Result<u32> {
        Ok(net::buffer_size(self.borrow(), false)?.unsigned_abs())
    }

    /// The local address.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        ip_address(&net::local_address(self.borrow())?)
    }

    /// Binds to an address.
    pub fn bind(&self, address: SocketAddr) -> io::Result<()> {
        Ok(net::bind(self.borrow(), &address.into())?)
    }

    /// Listens, on the loop that runs on this thread. At most `backlog` connections wait to be
    /// accepted.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn listen(self, backlog: u32) -> io::Result<TcpListener> {
        let socket = self.into_socket()?;
        socket.listen_tcp(clamp(backlog))?;
        Ok(TcpListener(socket))
    }

    /// Connects to `address`, on the loop that runs on this thread.
    ///
    /// # Cancel safety
    /// If the future is dropped, the connection is given up and its socket closed.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub async fn connect(self, address: SocketAddr) -> io::Result<TcpStream> {
        let socket = self.into_socket()?;
        let token = socket.token();
        socket.with(|mut stream| stream.connect_tcp(token, &address.into()))?;
        socket.connected().await?;
        Ok(TcpStream(socket))
    }

    fn borrow(&self) -> BorrowedSocket<'_> {
        self.0.as_descriptor()
    }

    fn into_socket(self) -> io::Result<Socket> {
        let socket = Socket::open(current(), Engine::open_tcp)?;
        socket.with(|mut stream| {
            stream.set_socket(self.0);
            Ok(())
        })?;
        Ok(socket)
    }
}

impl_owner_traits!(TcpSocket, |socket| socket.0);

fn clamp(value: u32) -> i32 {
    value.try_into().unwrap_or(i32::MAX)
}
