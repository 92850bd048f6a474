//! UDP sockets for tasks.

use std::io::{self, IoSlice, Result as IoResult};
use std::net::{IpAddr, SocketAddr};
use std::task::{Context, Poll, ready};

use mauve_core::Engine;
use mauve_core::handle::udp::UdpMut;
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Address, Membership, MulticastGroup, MulticastInterface, datagram};
use mauve_sys::{Errno, Result};

use super::Direction;
use super::addr::{self, ToSocketAddrs};
use super::socket::Socket;
use crate::core::current;
use crate::os_io::impl_socket_traits;
use crate::udp_methods::{self, udp_methods};
use crate::{Datagram, UdpBindFlags};

/// A UDP socket for tasks. Dropping it closes it.
///
/// ```
/// use mauve::Loop;
/// use mauve::net::UdpSocket;
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let server = UdpSocket::bind("127.0.0.1:0").await?;
///     let client = UdpSocket::bind("127.0.0.1:0").await?;
///     client.send_to(b"hello", server.local_addr()?).await?;
///     let mut buffer = [0; 100];
///     let (count, from) = server.recv_from(&mut buffer).await?;
///     assert_eq!((&buffer[..count], from), (&b"hello"[..], client.local_addr()?));
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "uv_udp_t")]
#[derive(Debug)]
pub struct UdpSocket(pub(super) Socket);

impl UdpSocket {
    /// Creates a socket and binds it to `address`, on the loop that runs on this thread.
    ///
    /// # Cancel safety
    /// If the future is dropped while a name is looked up, no socket was bound.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_udp_bind")]
    pub async fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        addr::try_each(address, async |address| Self::bind_with(address, UdpBindFlags::default()))
            .await
    }

    /// Creates a socket and binds it, with flags. Does not wait, because no name is looked up.
    pub fn bind_with(address: SocketAddr, flags: UdpBindFlags) -> io::Result<Self> {
        let socket = Socket::open(current(), Engine::open_udp)?;
        let this = Self(socket);
        this.with(|mut udp| udp.bind(&address.into(), flags))?;
        Ok(this)
    }

    /// Takes over a socket of the standard library, on the loop that runs on this thread. The socket is
    /// set to non-blocking mode.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_udp_open")]
    pub fn from_std(socket: std::net::UdpSocket) -> io::Result<Self> {
        let this = Self(Socket::open(current(), Engine::open_udp)?);
        this.0.adopt_udp_fd(socket.into())?;
        Ok(this)
    }

    /// Returns the socket to the standard library. It stays in non-blocking mode.
    pub fn into_std(self) -> io::Result<std::net::UdpSocket> {
        Ok(self.0.into_udp_fd()?.into())
    }

    /// Performs an operation on the engine's socket.
    fn with<R>(&self, operation: impl FnOnce(UdpMut<'_, Platform>) -> Result<R>) -> io::Result<R> {
        Ok(self.0.with_udp(operation)?)
    }

    /// Connects the socket to a peer: it sends to this peer by default, and receives from it alone.
    ///
    /// # Cancel safety
    /// If the future is dropped while a name is looked up, the socket was not connected.
    #[doc(alias = "uv_udp_connect")]
    pub async fn connect(&self, peer: impl ToSocketAddrs) -> io::Result<()> {
        addr::try_each(peer, async |peer| self.with(|mut udp| udp.connect(&peer.into()))).await
    }

    udp_methods!(IoResult);

    /// The time to live of datagrams.
    pub fn ttl(&self) -> io::Result<u32> {
        self.with(|mut udp| net::ttl(udp.fd()?))
    }

    /// Takes the pending error of the socket (`SO_ERROR`), such as a datagram that was refused.
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.with(|mut udp| net::take_error(udp.fd()?))?.map(Into::into))
    }

    /// Whether the socket may send to broadcast addresses.
    pub fn broadcast(&self) -> io::Result<bool> {
        self.with(|mut udp| net::broadcast(udp.fd()?))
    }

    /// Sends a datagram to `to`, or to the first of several addresses. Waits until the send buffer has room.
    ///
    /// # Errors
    /// `EISCONN` if the socket is connected: [`send`](Self::send) sends to its peer.
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, the datagram was not sent.
    #[doc(alias = "uv_udp_send")]
    pub async fn send_to(&self, bytes: &[u8], to: impl ToSocketAddrs) -> io::Result<usize> {
        let to = match addr::only(to) {
            Ok(address) => address,
            Err(resolution) => addr::first(resolution).await?,
        };
        self.send_one(bytes, Some(to)).await
    }

    /// Sends a datagram to the connected peer. See [`send_to`](Self::send_to).
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, the datagram was not sent.
    pub async fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        self.send_one(bytes, None).await
    }

    async fn send_one(&self, bytes: &[u8], to: Option<SocketAddr>) -> io::Result<usize> {
        let to = to.map(Into::into);
        self.when_writable(|| self.send_now(bytes, to.as_ref())).await
    }

    pub(super) fn send_now(&self, bytes: &[u8], to: Option<&Address>) -> Result<usize> {
        self.0.with_udp(|mut udp| udp.try_send(&[IoSlice::new(bytes)], to))
    }

    /// Sends datagrams, each with its bytes and its destination, with as few system calls as possible.
    /// Waits until the first one is sent, and returns how many were sent. See
    /// [`try_send_many`](Self::try_send_many).
    ///
    /// A server that receives several datagrams at a time answers them with one call:
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::net::UdpSocket;
    ///
    /// let server = UdpSocket::bind("127.0.0.1:0").await?;
    /// let client = UdpSocket::bind("127.0.0.1:0").await?;
    /// let to = server.local_addr()?;
    /// assert_eq!(client.send_many(&[(b"one", to), (b"two", to)]).await?, 2);
    ///
    /// let mut buffers = [[0; 100]; 2];
    /// let mut replies = Vec::new();
    /// for buffer in &mut buffers {
    ///     let (count, from) = server.recv_from(buffer).await?;
    ///     replies.push((&buffer[..count], from));
    /// }
    /// let mut unsent = &replies[..];
    /// while !unsent.is_empty() {
    ///     unsent = &unsent[server.send_many(unsent).await?..];
    /// }
    /// assert_eq!(client.recv(&mut [0; 100]).await?, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of the first datagram. If another one fails, those before it were sent.
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, no datagram was sent.
    pub async fn send_many(&self, datagrams: &[(&[u8], SocketAddr)]) -> io::Result<usize> {
        let attempt = || self.0.with_udp(|mut udp| udp_methods::send_many(&mut udp, datagrams));
        self.when_writable(attempt).await
    }

    /// Sends all of `bytes` as datagrams of `segment_size` bytes each. See
    /// [`try_send_segmented`](Self::try_send_segmented).
    ///
    /// # Cancel safety
    /// Not cancel safe: if the future is dropped, the first segments may have been sent.
    pub async fn send_segmented(
        &self,
        bytes: &[u8],
        to: impl Into<Option<SocketAddr>>,
        segment_size: u16,
    ) -> io::Result<()> {
        let to = to.into().map(Into::into);
        let mut sent = 0;
        while sent < bytes.len() {
            let rest = &bytes[sent..];
            let attempt = |mut udp: UdpMut<'_, Platform>| {
                udp.try_send_segmented(rest, to.as_ref(), segment_size)
            };
            sent += self.when_writable(|| self.0.with_udp(attempt)).await?;
        }
        Ok(())
    }

    /// Receives a datagram. Returns its size and its sender. Bytes that do not fit into `buffer`
    /// are lost.
    ///
    /// # Cancel safety
    /// No datagram is lost if the future is dropped before it completes.
    pub async fn recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        let datagram = self.recv_datagram(buffer).await?;
        Ok((datagram.bytes.len(), datagram.from))
    }

    /// Receives a datagram from the connected peer. Returns its size.
    ///
    /// # Cancel safety
    /// No datagram is lost if the future is dropped before it completes.
    pub async fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.recv_datagram(buffer).await?.bytes.len())
    }

    /// Receives a datagram with its metadata.
    ///
    /// # Cancel safety
    /// No datagram is lost if the future is dropped before it completes.
    pub async fn recv_datagram<'a>(&self, buffer: &'a mut [u8]) -> io::Result<Datagram<'a>> {
        let mut datagram = datagram::Datagram::empty();
        let poll = |context: &mut Context<'_>| self.poll_receive(context, buffer, &mut datagram);
        self.0.wait(Direction::Read, poll).await?;
        Ok(Datagram::new(buffer, &datagram)?)
    }

    pub(super) fn poll_receive(
        &self,
        context: &Context<'_>,
        buffer: &mut [u8],
        datagram: &mut datagram::Datagram,
    ) -> Poll<io::Result<()>> {
        let receive = || match self.0.is_drained() {
            // The next event says that there is another one.
            true => Err(Errno::EAGAIN),
            false => self.receive(buffer, datagram).map(|()| datagram.len),
        };
        self.poll_receive_with(context, receive).map_ok(drop)
    }

    /// Calls `attempt`, which returns a size. If it returns `EAGAIN`, registers the task to be woken by
    /// the next datagram.
    #[inline]
    pub(super) fn poll_receive_with(
        &self,
        context: &Context<'_>,
        attempt: impl FnOnce() -> Result<usize>,
    ) -> Poll<io::Result<usize>> {
        ready!(self.0.poll_budget(context));
        match attempt() {
            Err(Errno::EAGAIN) => {}
            result => {
                return self.0.finish_transfer(result);
            }
        }
        let start = || self.0.with_udp(|mut udp| udp.start_receiving());
        match self.0.wait_readable(context, start) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    /// Receives a datagram without waiting.
    pub(super) fn receive(
        &self,
        buffer: &mut [u8],
        datagram: &mut datagram::Datagram,
    ) -> Result<()> {
        let received = self.0.with_udp(|mut udp| udp.receive(buffer, datagram));
        if received == Err(Errno::EAGAIN) {
            self.0.set_drained();
        }
        received
    }

    /// Calls `attempt` until it does not return `EAGAIN`, and waits for writability in between.
    async fn when_writable(&self, mut attempt: impl FnMut() -> Result<usize>) -> io::Result<usize> {
        let poll = |context: &mut Context<'_>| self.poll_send_with(context, &mut attempt);
        self.0.wait(Direction::Write, poll).await
    }

    /// Calls `attempt`. If it returns `EAGAIN`, registers the task to be woken when there is room.
    pub(super) fn poll_send_with(
        &self,
        context: &Context<'_>,
        attempt: impl FnOnce() -> Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let socket = &self.0;
        ready!(socket.poll_budget(context));
        match attempt() {
            Err(Errno::EAGAIN) => {
                socket.wait_write(context)?;
                let started = socket.with_udp(|mut udp| {
                    udp.await_room();
                    Ok(())
                });
                started.map_or_else(|error| Poll::Ready(Err(error.into())), |()| Poll::Pending)
            }
            result => socket.finish_transfer(result),
        }
    }
}

impl_socket_traits!(UdpSocket, |socket| socket.0);
