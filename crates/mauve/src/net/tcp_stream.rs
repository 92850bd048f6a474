//! TCP streams for tasks.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};
use mauve_core::CorkPolicy;
use mauve_sys::Errno;

use super::socket::Socket;
use crate::core::current;

/// A TCP connection for tasks. Dropping it closes it.
///
/// Every write is a system call by default. A stream with many small writes in a row can be
/// [corked](Self::set_cork_policy) instead.
#[derive(Debug)]
pub struct TcpStream(pub(super) Socket);

impl TcpStream {
    /// Connects to `address`, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_tcp_connect")]
    pub async fn connect(address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_tcp(token))?;
        let token = socket.token();
        socket.with(|mut stream| {
            stream.set_edge_triggered();
            stream.connect_tcp(token, &address.into())
        })?;
        socket.connected().await?;
        Ok(Self(socket))
    }

    /// The local address.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        let address = self.0.with(|mut stream| stream.local_address())?;
        address.to_socket_addr().ok_or_else(|| Errno::EAFNOSUPPORT.into())
    }

    /// The address of the peer.
    #[doc(alias = "uv_tcp_getpeername")]
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        let address = self.0.with(|mut stream| stream.peer_address())?;
        address.to_socket_addr().ok_or_else(|| Errno::EAFNOSUPPORT.into())
    }

    /// Sets which writes are corked. The default is none.
    ///
    /// Small corked writes are sent with one system call when the task waits, or before it performs
    /// any other operation on the loop or one of its sockets. A corked write returns before its
    /// bytes are sent. If sending fails, the next write or `flush` returns the error. So flush
    /// before the process exits, and before the thread blocks outside of the loop.
    ///
    /// If the send buffer is full when the stream is dropped, the loop stays alive and sends the
    /// corked bytes, as long as the peer reads at least once a minute. The end of a `block_on` does
    /// not wait for that; `flush` does.
    ///
    /// ```
    /// # use futures_lite::{AsyncReadExt, AsyncWriteExt};
    /// # use mauve::{CorkPolicy, Loop, net::{TcpListener, TcpStream}};
    /// # let lp: Loop = Loop::new()?;
    /// # lp.block_on(async {
    /// # let listener = TcpListener::bind("127.0.0.1:0".parse().unwrap())?;
    /// # let mut peer = TcpStream::connect(listener.local_addr()?).await?;
    /// let mut stream = listener.accept().await?;
    /// stream.set_cork_policy(CorkPolicy::Burst);
    /// for response in ["one, ", "two, ", "three"] {
    ///     stream.write_all(response.as_bytes()).await?;
    /// }
    /// stream.flush().await?; // Or wait for the next request.
    /// # let mut received = [0; 15];
    /// # peer.read_exact(&mut received).await?;
    /// # assert_eq!(&received, b"one, two, three");
    /// # std::io::Result::Ok(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn set_cork_policy(&self, policy: CorkPolicy) {
        // The error means that the loop is closed.
        let _ = self.0.with(|mut stream| {
            stream.set_cork_policy(policy);
            Ok(())
        });
    }

    /// Sets `TCP_NODELAY`: small packets are sent without delay.
    #[doc(alias = "uv_tcp_nodelay")]
    pub fn set_nodelay(&self, on: bool) -> io::Result<()> {
        Ok(self.0.with(|mut stream| stream.set_nodelay(on))?)
    }
}

impl TcpStream {
    /// Waits until the stream is readable or at its end. May complete spuriously.
    ///
    /// A waiting task needs no read buffer of its own, so one buffer can serve any number of tasks.
    ///
    /// ```
    /// # use futures_lite::AsyncWriteExt;
    /// # use mauve::{Loop, net::{TcpListener, TcpStream}};
    /// # let lp: Loop = Loop::new()?;
    /// # lp.block_on(async {
    /// # let listener = TcpListener::bind("127.0.0.1:0".parse().unwrap())?;
    /// # let mut peer = TcpStream::connect(listener.local_addr()?).await?;
    /// # let stream = listener.accept().await?;
    /// # peer.write_all(b"hello").await?;
    /// # let mut buffer = [0; 100];
    /// let count = loop {
    ///     stream.readable().await?;
    ///     match stream.try_read(&mut buffer) {
    ///         Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
    ///         result => break result?,
    ///     }
    /// };
    /// assert_eq!(&buffer[..count], b"hello");
    /// # std::io::Result::Ok(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub async fn readable(&self) -> io::Result<()> {
        poll_fn(|context| self.0.poll_readable(context)).await
    }

    /// Reads available bytes. Returns zero at the end of the stream, and `WouldBlock` if there are
    /// no bytes yet.
    pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.0.try_read(buffer)?)
    }
}

impl AsyncRead for TcpStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.0.poll_read(context, buffer)
    }
}

impl AsyncWrite for TcpStream {
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
