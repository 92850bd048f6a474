//! TCP sockets, with callbacks.

use std::net::SocketAddr;
use std::time::Duration;

use mauve_core::Engine;
use mauve_core::handle::stream::{StreamMut, TcpBindFlags};
use mauve_sys::descriptor::{AsDescriptor as _, Socket};
use mauve_sys::driver::Platform;
use mauve_sys::net::KeepAlive;
use mauve_sys::{Errno, Result};

use super::Stream;
use crate::LoopRef;

/// A TCP connection, or a listening socket.
///
/// ```
/// use mauve::{Loop, RunMode, Tcp};
///
/// // An echo server, and a client that sends one message.
/// let lp = Loop::<Vec<u8>>::new()?;
/// let server = Tcp::new(&lp);
/// server.bind("127.0.0.1:0".parse().unwrap())?;
/// server.listen(128, |_, server, connection| {
///     let peer = connection.unwrap();
///     peer.read_start(|_, peer, data| match data {
///         Ok(Some(bytes)) => peer.write(bytes).unwrap(),
///         _ => peer.close(),
///     })
///     .unwrap();
///     server.close();
/// })?;
///
/// Tcp::new(&lp).connect(server.local_addr()?, |_, client, connected| {
///     connected.unwrap();
///     client.write("hello").unwrap();
///     client.read_start(|received, client, data| {
///         received.extend(data.unwrap().unwrap());
///         client.close();
///     })
///     .unwrap();
/// })?;
///
/// let mut received = Vec::new();
/// lp.run_with(&mut received, RunMode::Default)?;
/// assert_eq!(received, b"hello");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_tcp_t")]
pub struct Tcp<S = ()>(Stream<S>);

stream_type!(Tcp);

impl<S: 'static> Tcp<S> {
    /// Creates a handle without a socket.
    #[doc(alias = "uv_tcp_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(Stream::open(lp, Engine::open_tcp))
    }

    /// Takes over an open socket, in any state: connected, listening, or new.
    #[doc(alias = "uv_tcp_open")]
    pub fn open(&self, socket: Socket) -> Result<()> {
        self.with(|mut stream| {
            let adopted = stream.open(socket.raw_descriptor(), true, true)?;
            mauve_sys::fd::set_nonblocking(socket.raw_descriptor(), true)?;
            Ok(stream.adopt(socket, adopted)?)
        })?
    }

    /// Binds to an address. `EADDRINUSE` is reported later, by `listen` or `connect`.
    #[doc(alias = "uv_tcp_bind")]
    pub fn bind(&self, address: SocketAddr) -> Result<()> {
        self.bind_with(address, TcpBindFlags::default())
    }

    /// Binds to an address, with flags.
    #[doc(alias = "uv_tcp_flags")]
    pub fn bind_with(&self, address: SocketAddr, flags: TcpBindFlags) -> Result<()> {
        self.with(|mut stream| stream.bind(&address.into(), flags))?
    }

    /// Listens for connections. `callback` gets each accepted connection as a stream of its own.
    ///
    /// A connection belongs to the values that refer to it, to the callbacks of its requests, and to its
    /// read callback until that gets the end of the stream or an error. When the last of them is gone,
    /// queued writes are sent and the connection is closed. So dropping a connection closes it.
    #[doc(alias = "uv_listen")]
    #[doc(alias = "uv_accept")]
    #[track_caller]
    pub fn listen(
        &self,
        backlog: i32,
        callback: impl FnMut(&mut S, &Self, Result<Self>) + 'static,
    ) -> Result<()> {
        self.listen_with(|mut stream| stream.listen_tcp(backlog), Engine::open_tcp, callback)
    }

    /// Connects to `address`, and calls `callback` with the result.
    #[doc(alias = "uv_tcp_connect")]
    #[track_caller]
    pub fn connect(
        &self,
        address: SocketAddr,
        callback: impl FnOnce(&mut S, &Self, Result<()>) + 'static,
    ) -> Result<()> {
        let connect =
            |mut stream: StreamMut<'_, Platform>, token| stream.connect_tcp(token, &address.into());
        self.request(connect, callback)
    }

    /// The local address.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> Result<SocketAddr> {
        let address = self.with(|mut stream| stream.local_address())??;
        address.to_socket_addr().ok_or(Errno::EAFNOSUPPORT)
    }

    /// The address of the peer.
    #[doc(alias = "uv_tcp_getpeername")]
    pub fn peer_addr(&self) -> Result<SocketAddr> {
        let address = self.with(|mut stream| stream.peer_address())??;
        address.to_socket_addr().ok_or(Errno::EAFNOSUPPORT)
    }

    /// Sets `TCP_NODELAY`: small packets are sent without delay.
    #[doc(alias = "uv_tcp_nodelay")]
    pub fn set_nodelay(&self, on: bool) -> Result<()> {
        self.with(|mut stream| stream.set_nodelay(on))?
    }

    /// Enables keep-alive probes after `idle` without traffic. `None` disables them.
    #[doc(alias = "uv_tcp_keepalive")]
    pub fn set_keepalive(&self, idle: Option<Duration>) -> Result<()> {
        let probes = |idle: Duration| KeepAlive::after(idle.as_secs().max(1) as u32);
        self.with(|mut stream| stream.set_keepalive(idle.map(probes)))?
    }

    /// Closes the handle and resets the connection: the peer gets an RST instead of a FIN.
    ///
    /// ```
    /// use std::io::{ErrorKind, Read};
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let server = Tcp::new(&lp);
    /// server.bind(([127, 0, 0, 1], 0).into())?;
    /// server.listen(1, |_, server, connection| {
    ///     connection.unwrap().close_reset().unwrap();
    ///     server.close();
    /// })?;
    /// let mut client = std::net::TcpStream::connect(server.local_addr()?).unwrap();
    /// lp.run(RunMode::Default)?;
    /// assert_eq!(client.read(&mut [0]).unwrap_err().kind(), ErrorKind::ConnectionReset);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_tcp_close_reset")]
    pub fn close_reset(&self) -> Result<()> {
        self.with(|mut stream| stream.reset_on_close())??;
        self.close();
        Ok(())
    }

    /// [`close_reset`](Self::close_reset), with a callback in the close phase. The handle is closed
    /// even if the connection cannot be reset.
    #[doc(alias = "uv_tcp_close_reset")]
    #[track_caller]
    pub fn close_reset_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        let reset = self.with(|mut stream| stream.reset_on_close())?;
        self.close_with(callback)?;
        reset
    }
}
