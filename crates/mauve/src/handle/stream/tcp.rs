//! TCP sockets, with callbacks.

use std::net::SocketAddr;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::time::Duration;

use mauve_core::Engine;
use mauve_core::handle::stream::{StreamMut, TcpBindFlags};
use mauve_sys::driver::Platform;
use mauve_sys::net::KeepAlive;
use mauve_sys::{Errno, Result};

use super::{Stream, StreamHandle};
use crate::LoopRef;
use crate::handle::AnyHandle;

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
/// let client = Tcp::new(&lp);
/// let stream = client.clone();
/// client.connect(server.local_addr()?, move |_, connected| {
///     connected.unwrap();
///     stream.write("hello").unwrap();
///     stream.read_start(|received, client, data| {
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

impl<S: 'static> Tcp<S> {
    /// Creates a handle without a socket.
    #[doc(alias = "uv_tcp_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(Stream::open(lp, Engine::open_tcp))
    }

    /// Takes over an open socket, in any state: connected, listening, or new.
    ///
    /// ```
    /// use std::io::Read;
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    /// let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    /// let (mut peer, _) = listener.accept().unwrap();
    ///
    /// let lp: Loop = Loop::new()?;
    /// let stream = Tcp::new(&lp);
    /// stream.open(client.into())?;
    /// stream.write("hello")?;
    /// stream.close();
    /// lp.run(RunMode::Default)?;
    /// let mut text = String::new();
    /// peer.read_to_string(&mut text).unwrap();
    /// assert_eq!(text, "hello");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_tcp_open")]
    pub fn open(&self, socket: OwnedFd) -> Result<()> {
        self.0.with(|mut stream| {
            let adopted = stream.open(socket.as_raw_fd(), true, true)?;
            mauve_sys::fd::set_nonblocking(socket.as_raw_fd(), true)?;
            Ok(stream.adopt(socket, adopted)?)
        })?
    }

    /// Binds to an address. `EADDRINUSE` is reported later, by `listen` or `connect`.
    #[doc(alias = "uv_tcp_bind")]
    pub fn bind(&self, address: SocketAddr) -> Result<()> {
        self.bind_with(address, TcpBindFlags::default())
    }

    /// Binds to an address, with flags.
    ///
    /// ```
    /// use mauve::{Loop, Tcp, TcpBindFlags};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let shared = TcpBindFlags { reuse_port: true, ..TcpBindFlags::default() };
    /// let (one, two) = (Tcp::new(&lp), Tcp::new(&lp));
    /// one.bind_with(([127, 0, 0, 1], 0).into(), shared)?;
    /// one.listen(128, |_, _, _| {})?;
    /// two.bind_with(one.local_addr()?, shared)?;
    /// two.listen(128, |_, _, _| {})?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_tcp_flags")]
    pub fn bind_with(&self, address: SocketAddr, flags: TcpBindFlags) -> Result<()> {
        self.0.with(|mut stream| stream.bind(&address.into(), flags))?
    }

    /// Listens for connections. `callback` gets each accepted connection as a stream of its own.
    ///
    /// A connection belongs to the values that refer to it, and to its read callback until that gets
    /// the end of the stream or an error. When the last of them is gone, queued writes are sent and
    /// the connection is closed. So dropping a connection closes it.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// let server = Tcp::new(&lp);
    /// server.bind(([127, 0, 0, 1], 0).into())?;
    /// server.listen(128, |connections, server, connection| {
    ///     // Dropped, and so closed.
    ///     drop(connection);
    ///     *connections += 1;
    ///     server.close();
    /// })?;
    /// let client = std::net::TcpStream::connect(server.local_addr()?).unwrap();
    /// let mut connections = 0;
    /// lp.run_with(&mut connections, RunMode::Default)?;
    /// assert_eq!(connections, 1);
    /// # drop(client);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_listen")]
    #[doc(alias = "uv_accept")]
    #[track_caller]
    pub fn listen(
        &self,
        backlog: i32,
        callback: impl FnMut(&mut S, &Self, Result<Self>) + 'static,
    ) -> Result<()> {
        self.0.listen(|mut stream| stream.listen_tcp(backlog), Engine::open_tcp, callback)
    }

    /// Connects to `address`, and calls `callback` with the result.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    /// let lp = Loop::<bool>::new()?;
    /// let client = Tcp::new(&lp);
    /// let handle = client.clone();
    /// client.connect(server.local_addr().unwrap(), move |is_connected, result| {
    ///     *is_connected = result.is_ok();
    ///     handle.close();
    /// })?;
    /// let mut is_connected = false;
    /// lp.run_with(&mut is_connected, RunMode::Default)?;
    /// assert!(is_connected);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_tcp_connect")]
    #[track_caller]
    pub fn connect(
        &self,
        address: SocketAddr,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        let connect =
            |mut stream: StreamMut<'_, Platform>, token| stream.connect_tcp(token, &address.into());
        self.0.request(connect, callback)
    }

    /// The local address.
    ///
    /// ```
    /// use mauve::{Loop, Tcp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let server = Tcp::new(&lp);
    /// server.bind(([127, 0, 0, 1], 0).into())?;
    /// println!("listening on {}", server.local_addr()?);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> Result<SocketAddr> {
        let address = self.0.with(|mut stream| stream.local_address())??;
        address.to_socket_addr().ok_or(Errno::EAFNOSUPPORT)
    }

    /// The address of the peer.
    #[doc(alias = "uv_tcp_getpeername")]
    pub fn peer_addr(&self) -> Result<SocketAddr> {
        let address = self.0.with(|mut stream| stream.peer_address())??;
        address.to_socket_addr().ok_or(Errno::EAFNOSUPPORT)
    }

    /// Sets `TCP_NODELAY`: small packets are sent without delay.
    #[doc(alias = "uv_tcp_nodelay")]
    pub fn set_nodelay(&self, on: bool) -> Result<()> {
        self.0.with(|mut stream| stream.set_nodelay(on))?
    }

    /// Enables keep-alive probes after `idle` without traffic. `None` disables them.
    #[doc(alias = "uv_tcp_keepalive")]
    pub fn set_keepalive(&self, idle: Option<Duration>) -> Result<()> {
        let probes = |idle: Duration| KeepAlive::after(idle.as_secs().max(1) as u32);
        self.0.with(|mut stream| stream.set_keepalive(idle.map(probes)))?
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
        self.0.with(|mut stream| stream.reset_on_close())??;
        self.close();
        Ok(())
    }

    /// [`close_reset`](Self::close_reset), with a callback in the close phase. The handle is closed
    /// even if the connection cannot be reset.
    #[doc(alias = "uv_tcp_close_reset")]
    #[track_caller]
    pub fn close_reset_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        let reset = self.0.with(|mut stream| stream.reset_on_close())?;
        self.close_with(callback)?;
        reset
    }

    /// Starts reading. `callback` gets the bytes as they arrive, `None` at the end of the stream,
    /// or an error after which nothing more is read.
    ///
    /// ```
    /// use std::io::Write;
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let lp = Loop::<Vec<u8>>::new()?;
    /// let server = Tcp::new(&lp);
    /// server.bind(([127, 0, 0, 1], 0).into())?;
    /// server.listen(1, |_, server, connection| {
    ///     let on_data = |received: &mut Vec<u8>, peer: &Tcp<_>, data: mauve::Result<Option<&[u8]>>| {
    ///         match data {
    ///             Ok(Some(bytes)) => received.extend(bytes),
    ///             Ok(None) => println!("the end"),
    ///             Err(error) => eprintln!("{:?}: {error}", peer.peer_addr()),
    ///         }
    ///     };
    ///     connection.unwrap().read_start(on_data).unwrap();
    ///     server.close();
    /// })?;
    /// let mut client = std::net::TcpStream::connect(server.local_addr()?).unwrap();
    /// client.write_all(b"hello").unwrap();
    /// drop(client);
    /// let mut received = Vec::new();
    /// lp.run_with(&mut received, RunMode::Default)?;
    /// assert_eq!(received, b"hello");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_read_start")]
    #[track_caller]
    pub fn read_start(
        &self,
        callback: impl FnMut(&mut S, &Self, Result<Option<&[u8]>>) + 'static,
    ) -> Result<()> {
        self.0.read_start(callback)
    }

    /// Stops reading. Does nothing if the stream is not reading.
    #[doc(alias = "uv_read_stop")]
    pub fn read_stop(&self) {
        self.0.read_stop();
    }

    /// Writes `bytes`: a `&str`, a byte string, a `Vec<u8>`, a `String`, and similar types. What
    /// cannot be written at once is queued. A vector is moved to the queue, not copied. To bound the
    /// queue, check [`write_queue_size`](Self::write_queue_size).
    ///
    /// An error that occurs after this call is not reported. [`write_with`](Self::write_with) does.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let server = Tcp::new(&lp);
    /// server.bind(([127, 0, 0, 1], 0).into())?;
    /// server.listen(1, |_, server, connection| {
    ///     let peer = connection.unwrap();
    ///     peer.write("text, ").unwrap();
    ///     peer.write(b"bytes, ").unwrap();
    ///     peer.write(vec![b'!'; 3]).unwrap();
    ///     server.close();
    ///     // Nothing refers to the connection any more: it is closed when all is sent.
    /// })?;
    /// # use std::io::Read;
    /// # let address = server.local_addr()?;
    /// # let client = std::thread::spawn(move || {
    /// #     let mut text = String::new();
    /// #     std::net::TcpStream::connect(address).unwrap().read_to_string(&mut text).unwrap();
    /// #     text
    /// # });
    /// lp.run(RunMode::Default)?;
    /// # assert_eq!(client.join().unwrap(), "text, bytes, !!!");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_write")]
    pub fn write(&self, bytes: impl AsRef<[u8]> + Into<Vec<u8>>) -> Result<()> {
        self.0.write(bytes)
    }

    /// [`write`](Self::write), and calls `callback` when all bytes are written, or with an error.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// # let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    /// # let address = listener.local_addr().unwrap();
    /// let lp = Loop::<bool>::new()?;
    /// let client = Tcp::new(&lp);
    /// let stream = client.clone();
    /// client.connect(address, move |_, connected| {
    ///     connected.unwrap();
    ///     let handle = stream.clone();
    ///     let done = move |written: &mut bool, result: mauve::Result<()>| {
    ///         *written = result.is_ok();
    ///         handle.close();
    ///     };
    ///     stream.write_with("hello", done).unwrap();
    /// })?;
    /// let mut written = false;
    /// lp.run_with(&mut written, RunMode::Default)?;
    /// assert!(written);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_write_cb")]
    #[track_caller]
    pub fn write_with(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        self.0.write_with(bytes, callback)
    }

    /// Writes as many bytes as possible without blocking or queueing, and returns their number.
    /// `EAGAIN` if none can be written.
    ///
    /// ```
    /// use mauve::{Errno, Loop, RunMode, Tcp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let server = Tcp::new(&lp);
    /// server.bind(([127, 0, 0, 1], 0).into())?;
    /// server.listen(1, |_, server, connection| {
    ///     let peer = connection.unwrap();
    ///     // The client does not read, so the buffers of the kernel become full.
    ///     let mut sent = 0;
    ///     while let Ok(count) = peer.try_write(&[0; 65536]) {
    ///         sent += count;
    ///     }
    ///     assert!(sent > 0 && peer.try_write(b"!") == Err(Errno::EAGAIN));
    ///     server.close();
    /// })?;
    /// let _client = std::net::TcpStream::connect(server.local_addr()?).unwrap();
    /// lp.run(RunMode::Default)?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_try_write")]
    pub fn try_write(&self, bytes: &[u8]) -> Result<usize> {
        self.0.try_write(bytes)
    }

    /// Shuts down the write side after all queued writes.
    #[doc(alias = "uv_shutdown")]
    pub fn shutdown(&self) -> Result<()> {
        self.0.shutdown(|_, _| {})
    }

    /// Shuts down the write side after all queued writes, then calls `callback`.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// let server = Tcp::new(&lp);
    /// server.bind(([127, 0, 0, 1], 0).into())?;
    /// server.listen(1, |_, server, connection| {
    ///     let peer = connection.unwrap();
    ///     peer.write("the last words").unwrap();
    ///     peer.shutdown_with(|done, result| *done = result.is_ok()).unwrap();
    ///     server.close();
    /// })?;
    /// let _client = std::net::TcpStream::connect(server.local_addr()?).unwrap();
    /// let mut done = false;
    /// lp.run_with(&mut done, RunMode::Default)?;
    /// assert!(done);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_shutdown_cb")]
    #[track_caller]
    pub fn shutdown_with(&self, callback: impl FnOnce(&mut S, Result<()>) + 'static) -> Result<()> {
        self.0.shutdown(callback)
    }

    /// Number of bytes that are queued for writing.
    #[doc(alias = "uv_stream_get_write_queue_size")]
    pub fn write_queue_size(&self) -> usize {
        self.0.write_queue_size()
    }

    /// Whether the stream is readable.
    #[doc(alias = "uv_is_readable")]
    pub fn is_readable(&self) -> bool {
        self.0.is_readable()
    }

    /// Whether the stream is writable.
    #[doc(alias = "uv_is_writable")]
    pub fn is_writable(&self) -> bool {
        self.0.is_writable()
    }

    /// The file descriptor, for logging and comparison. The handle owns it and may close it.
    #[doc(alias = "uv_fileno")]
    #[doc(alias = "as_raw_fd")]
    pub fn fileno(&self) -> Result<RawFd> {
        self.0.fileno()
    }

    /// Sets the descriptor to blocking or non-blocking mode.
    #[doc(alias = "uv_stream_set_blocking")]
    pub fn set_blocking(&self, blocking: bool) -> Result<()> {
        self.0.set_blocking(blocking)
    }
}

impl<S: 'static> Tcp<S> {
    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        self.0.handle.event_loop()
    }

    /// Whether the handle is active. A stream is while it reads, writes or listens.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.0.handle.is_active()
    }

    /// Whether the handle is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.0.handle.is_closing()
    }

    /// Whether the handle is referenced: it then keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.0.handle.has_ref()
    }

    /// References the handle. Handles are referenced when they are created.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.0.handle.ref_();
    }

    /// Unreferences the handle: it no longer keeps the loop alive.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let tcp = Tcp::new(&lp);
    /// tcp.bind(([127, 0, 0, 1], 0).into())?;
    /// tcp.listen(1, |_, _, _| {})?;
    /// tcp.unref();
    /// assert!(!lp.run(RunMode::Default)?, "nothing keeps the loop alive");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_unref")]
    pub fn unref(&self) {
        self.0.handle.unref();
    }

    /// Closes the handle. Does nothing if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.0.handle.close();
    }

    /// Closes the handle and calls `callback` in the close phase. `EINVAL` if it is closed already.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Tcp};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// Tcp::new(&lp).close_with(|closed| *closed = true)?;
    /// let mut closed = false;
    /// lp.run_with(&mut closed, RunMode::Default)?;
    /// assert!(closed);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        self.0.handle.close_with(callback)
    }
}

impl<S> Clone for Tcp<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Tcp<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Tcp<S>> for AnyHandle<S> {
    fn from(handle: Tcp<S>) -> Self {
        handle.0.into_any()
    }
}

impl<S> StreamHandle<S> for Tcp<S> {
    fn from_stream(stream: Stream<S>) -> Self {
        Self(stream)
    }

    fn into_stream(self) -> Stream<S> {
        self.0
    }
}
