//! Listening sockets for tasks.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use mauve_core::Engine;
use mauve_core::handle::stream::TcpBindFlags;
use mauve_sys::{Errno, net};

use super::TcpStream;
use super::addr::{self, ToSocketAddrs};
use super::socket::{Socket, ip_address};
use crate::core::current;

/// Maximum number of connections that wait to be accepted.
pub(super) const BACKLOG: i32 = 1024;

/// How long accepting pauses while there are no resources for another connection.
pub(super) const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Whether an error of `accept` concerns one connection.
pub(super) fn is_of_connection(error: &io::Error) -> bool {
    let errnos = [Errno::ECONNABORTED, Errno::ECONNRESET, Errno::EPROTO, Errno::EINTR];
    errnos.contains(&Errno::of(error))
}

/// Whether an error of `accept` says that the process has no resources for another connection.
pub(super) fn is_of_resources(error: &io::Error) -> bool {
    let errnos = [Errno::EMFILE, Errno::ENFILE, Errno::ENOBUFS, Errno::ENOMEM];
    errnos.contains(&Errno::of(error))
}

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

impl TcpListener {
    /// Binds to an address and listens, on the loop that runs on this thread. If there are several
    /// addresses, the first one that can be bound is used.
    ///
    /// To set options of the socket first, use [`TcpSocket`](super::TcpSocket).
    ///
    /// # Cancel safety
    /// If the future is dropped while a name is looked up, no socket was bound.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_listen")]
    pub async fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        addr::try_each(address, async |address| {
            let socket = Socket::open(current(), Engine::open_tcp)?;
            socket.with(|mut stream| stream.bind(&address.into(), TcpBindFlags::default()))?;
            socket.listen_tcp(BACKLOG)?;
            Ok(Self(socket))
        })
        .await
    }

    /// Binds to an address that other listeners may share (`SO_REUSEPORT`), and listens.
    pub(crate) fn bind_shared(address: SocketAddr) -> io::Result<Self> {
        let socket = Socket::open(current(), Engine::open_tcp)?;
        let flags = TcpBindFlags { reuse_port: true, only_v6: false };
        socket.with(|mut stream| stream.bind(&address.into(), flags))?;
        socket.listen_tcp(BACKLOG)?;
        Ok(Self(socket))
    }

    /// Takes over a listening socket of the standard library, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn from_std(listener: std::net::TcpListener) -> io::Result<Self> {
        let socket = Socket::open(current(), Engine::open_tcp)?;
        socket.adopt_fd(listener.into())?;
        socket.listen_tcp(BACKLOG)?;
        Ok(Self(socket))
    }

    /// Returns the socket to the standard library. It stays in non-blocking mode. Connections that no task
    /// has accepted stay queued.
    pub fn into_std(self) -> io::Result<std::net::TcpListener> {
        Ok(self.0.into_fd()?.into())
    }

    /// Sets the time to live of packets of accepted connections, from 1 to 255.
    pub fn set_ttl(&self, ttl: u32) -> io::Result<()> {
        self.0.set_ttl(ttl)
    }

    /// The time to live of packets.
    pub fn ttl(&self) -> io::Result<u32> {
        self.0.with_fd(net::ttl)
    }
}

/// Implements what all listeners have in common.
macro_rules! impl_listener {
    ($listener:ident -> $stream:ident($open:expr), $address:ty, $convert:ident, $incoming:ident) => {
        impl $listener {
            /// Accepts the next connection. Returns it and the address of the peer, which is most often
            /// unnamed for a Unix domain socket.
            ///
            /// # Errors
            /// `EMFILE` or `ENFILE` if no descriptor is left. The connection stays queued, so wait a
            /// moment before the next call.
            ///
            /// # Cancel safety
            /// No connection is lost if the future is dropped before it completes.
            #[doc(alias = "uv_accept")]
            pub async fn accept(&self) -> std::io::Result<($stream, $address)> {
                self.0
                    .wait($crate::targets::Direction::Read, |context| self.poll_accept(context))
                    .await
            }

            /// Accepts the next connection, as a server does: an error of one connection is skipped,
            /// and accepting pauses for a moment while the process has no free descriptor or memory.
            ///
            /// # Errors
            /// That of a listener that cannot accept any more.
            ///
            /// # Cancel safety
            /// No connection is lost if the future is dropped before it completes.
            pub async fn accept_next(&self) -> std::io::Result<($stream, $address)> {
                loop {
                    match self.accept().await {
                        Err(error) if $crate::net::listener::is_of_connection(&error) => {}
                        Err(error) if $crate::net::listener::is_of_resources(&error) => {
                            $crate::sleep($crate::net::listener::ACCEPT_PAUSE).await
                        }
                        accepted => return accepted,
                    }
                }
            }

            /// Polls to accept the next connection. Every waker that it was called with is woken by the
            /// next connection, and kept until then.
            pub fn poll_accept(
                &self,
                context: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<($stream, $address)>> {
                let (connection, peer) = std::task::ready!(self.0.poll_accept(context, $convert))?;
                let socket = $crate::net::socket::Socket::open(self.0.core.clone(), $open)?;
                let stream = $stream(socket.adopt(connection)?);
                std::task::Poll::Ready(Ok((stream, peer?)))
            }

            /// A stream of accepted connections. It does not end.
            pub fn incoming(&self) -> $incoming<'_> {
                $incoming(self)
            }

            /// The local address.
            #[doc(alias = "getsockname")]
            pub fn local_addr(&self) -> std::io::Result<$address> {
                $convert(&self.0.with(|mut stream| stream.local_address())?)
            }
        }

        /// A stream of accepted connections, made by `incoming`.
        #[derive(Debug)]
        #[must_use = "streams do nothing unless they are polled"]
        pub struct $incoming<'a>(&'a $listener);

        impl futures_core::Stream for $incoming<'_> {
            type Item = std::io::Result<$stream>;

            fn poll_next(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Option<std::io::Result<$stream>>> {
                self.0.poll_accept(context).map(|accepted| Some(accepted.map(|(stream, _)| stream)))
            }
        }

        $crate::os_io::impl_socket_traits!($listener, |listener| listener.0);
    };
}

#[allow(unused_imports)] // For listeners of Unix sockets.
pub(super) use impl_listener;

impl_listener!(TcpListener -> TcpStream(Engine::open_tcp), SocketAddr, ip_address, Incoming);
