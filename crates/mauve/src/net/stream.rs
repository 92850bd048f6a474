//! Connected streams.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_io::{AsyncRead, AsyncWrite};
use mauve_core::CorkPolicy;
use mauve_sys::Errno;

use super::socket::Socket;
use crate::core::current;

/// A TCP connection that belongs to a task. Dropping it closes it.
///
/// Every write is attempted at once: when it returns, its bytes are with the system. A stream that is
/// written to many times in a row can be [corked](Self::set_cork_policy) instead.
pub struct TcpStream(pub(super) Socket);

/// A connection over a local socket that belongs to a task. Dropping it closes it.
pub struct UnixStream(pub(super) Socket);

impl TcpStream {
    /// Connects to a peer, on the loop that runs on this thread.
    #[doc(alias = "uv_tcp_connect")]
    pub async fn connect(address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_tcp(token));
        let token = socket.token();
        socket.with(|mut stream| {
            stream.set_edge_triggered();
            stream.connect_tcp(token, &address.into())
        })?;
        socket.connected().await?;
        Ok(Self(socket))
    }

    /// The address of this side.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        let address = self.0.with(|mut stream| stream.local_address())?;
        address.to_socket_addr().ok_or_else(|| Errno::EAFNOSUPPORT.into())
    }

    /// The address of the other side.
    #[doc(alias = "uv_tcp_getpeername")]
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        let address = self.0.with(|mut stream| stream.peer_address())?;
        address.to_socket_addr().ok_or_else(|| Errno::EAFNOSUPPORT.into())
    }

    /// Says which writes are corked. By default none is.
    ///
    /// Small writes that are corked leave in one system call: when the task waits, or before it does
    /// anything else with the loop or one of its sockets. Such a write returns before its bytes are
    /// with the system. If the system refuses them, the next write or `flush` fails. So flush before
    /// the process ends, or the thread blocks by means that the loop does not know.
    ///
    /// If corked bytes find no room when the stream is dropped, because the peer is slow to read, the
    /// loop stays alive and sends them, as long as the peer takes something at least once a minute.
    /// The end of a `block_on` does not wait for that; `flush` does.
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
    /// for answer in ["one, ", "two, ", "three"] {
    ///     stream.write_all(answer.as_bytes()).await?;
    /// }
    /// stream.flush().await?; // Or wait for the next question.
    /// # let mut answers = [0; 15];
    /// # peer.read_exact(&mut answers).await?;
    /// # assert_eq!(&answers, b"one, two, three");
    /// # std::io::Result::Ok(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn set_cork_policy(&self, policy: CorkPolicy) {
        self.0.with(|mut stream| stream.set_cork_policy(policy));
    }

    /// Sends small packets at once, or does not.
    #[doc(alias = "uv_tcp_nodelay")]
    pub fn set_nodelay(&self, on: bool) -> io::Result<()> {
        Ok(self.0.with(|mut stream| stream.set_nodelay(on))?)
    }
}

impl UnixStream {
    /// A stream that somebody else gives its descriptor.
    pub(crate) fn unconnected(core: std::rc::Rc<crate::core::Core>) -> Self {
        Self(Socket::open(core, |engine, token| engine.open_pipe(token, false)))
    }

    /// The engine's name for it.
    pub(crate) fn id(&self) -> mauve_core::HandleId {
        self.0.id
    }

    /// Connects to the socket at a path, on the loop that runs on this thread.
    #[doc(alias = "uv_pipe_connect")]
    pub async fn connect(path: impl AsRef<Path>) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_pipe(token, false));
        let token = socket.token();
        let name = path.as_ref().as_os_str().as_bytes();
        socket.with(|mut stream| stream.connect_pipe(token, name))?;
        socket.connected().await?;
        Ok(Self(socket))
    }
}

macro_rules! byte_stream {
    ($name:ident) => {
        impl $name {
            /// Waits until there may be something to read, or the end. Tasks that wait like this
            /// need no memory to read into meanwhile: one buffer is enough for any number of them.
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

            /// Reads what is there: no bytes at the end, `WouldBlock` if there is nothing yet.
            pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
                Ok(self.0.try_read(buffer)?)
            }
        }

        impl AsyncRead for $name {
            fn poll_read(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                buffer: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                self.0.poll_read(context, buffer)
            }
        }

        impl AsyncWrite for $name {
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
    };
}

byte_stream!(TcpStream);
byte_stream!(UnixStream);
