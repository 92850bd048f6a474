//! UDP sockets for tasks.

use std::io::{self, IoSlice};
use std::net::{IpAddr, SocketAddr};
use std::task::{Context, Poll, ready};

use mauve_core::handle::udp::UdpMut;
use mauve_sys::driver::Platform;
use mauve_sys::net::{self, Address, Membership, MulticastGroup, MulticastInterface, datagram};
use mauve_sys::{Errno, Result};

use super::Direction;
use super::addr::{self, ToSocketAddrs};
use super::socket::Socket;
use super::stream::impl_fd;
use crate::core::current;
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
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_udp_bind")]
    pub async fn bind(address: impl ToSocketAddrs) -> io::Result<Self> {
        addr::try_each(address, async |address| Self::bind_with(address, UdpBindFlags::default()))
            .await
    }

    /// Creates a socket and binds it, with flags. Does not wait, because no name is looked up.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::UdpBindFlags;
    /// # use mauve::net::UdpSocket;
    ///
    /// let flags = UdpBindFlags { reuse_address: true, ..UdpBindFlags::default() };
    /// let socket = UdpSocket::bind_with(([127, 0, 0, 1], 0).into(), flags)?;
    /// assert!(socket.local_addr()?.port() > 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn bind_with(address: SocketAddr, flags: UdpBindFlags) -> io::Result<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_udp(token))?;
        let this = Self(socket);
        this.with(|mut udp| udp.bind(&address.into(), flags))?;
        Ok(this)
    }

    /// Takes over a socket of the standard library, on the loop that runs on this thread. The socket is
    /// set to non-blocking mode.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UdpSocket;
    /// let socket = std::net::UdpSocket::bind("127.0.0.1:0")?;
    /// let socket = UdpSocket::from_std(socket)?;
    /// let socket = socket.into_std()?;
    /// socket.set_nonblocking(false)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[doc(alias = "uv_udp_open")]
    pub fn from_std(socket: std::net::UdpSocket) -> io::Result<Self> {
        let this = Self(Socket::open(current(), |engine, token| engine.open_udp(token))?);
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
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UdpSocket;
    /// let server = UdpSocket::bind("127.0.0.1:0").await?;
    /// let client = UdpSocket::bind("127.0.0.1:0").await?;
    /// client.connect(server.local_addr()?).await?;
    /// client.send(b"hello").await?;
    /// let mut buffer = [0; 8];
    /// assert_eq!(server.recv(&mut buffer).await?, 5);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_udp_connect")]
    pub async fn connect(&self, peer: impl ToSocketAddrs) -> io::Result<()> {
        addr::try_each(peer, async |peer| self.with(|mut udp| udp.connect(&peer.into()))).await
    }

    /// Dissolves the connection.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UdpSocket;
    /// let socket = UdpSocket::bind("127.0.0.1:0").await?;
    /// socket.connect("127.0.0.1:9").await?;
    /// assert_eq!(socket.peer_addr()?.port(), 9);
    /// socket.disconnect()?;
    /// assert!(socket.peer_addr().is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn disconnect(&self) -> io::Result<()> {
        self.with(|mut udp| udp.disconnect())
    }

    /// The local address.
    #[doc(alias = "uv_udp_getsockname")]
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.with(|mut udp| udp.local_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
    }

    /// The address of the peer.
    #[doc(alias = "uv_udp_getpeername")]
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.with(|mut udp| udp.peer_address()?.to_socket_addr().ok_or(Errno::EAFNOSUPPORT))
    }

    /// Sends a datagram without queueing, and returns its size. `EAGAIN` if it cannot be sent at
    /// once.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UdpSocket;
    /// let server = UdpSocket::bind("127.0.0.1:0").await?;
    /// let client = UdpSocket::bind("127.0.0.1:0").await?;
    /// assert_eq!(client.try_send(b"hello", server.local_addr()?)?, 5);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_udp_try_send")]
    pub fn try_send(&self, bytes: &[u8], to: impl Into<Option<SocketAddr>>) -> io::Result<usize> {
        let to = to.into().map(Into::into);
        self.with(|mut udp| udp.try_send(&[IoSlice::new(bytes)], to.as_ref()))
    }

    /// Sends `bytes` as datagrams of `segment_size` bytes each; the last one may be shorter. With
    /// generic segmentation offload (GSO) this costs little more than sending one. Sends as many as
    /// possible without queueing, and returns the number of bytes sent.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::net::UdpSocket;
    ///
    /// let socket = UdpSocket::bind("127.0.0.1:0").await?;
    /// assert_eq!(socket.try_send_segmented(&[7; 150], socket.local_addr()?, 100)?, 150);
    /// assert_eq!(socket.recv(&mut [0; 1000]).await?, 100);
    /// assert_eq!(socket.recv(&mut [0; 1000]).await?, 50);
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "UDP_SEGMENT")]
    pub fn try_send_segmented(
        &self,
        bytes: &[u8],
        to: impl Into<Option<SocketAddr>>,
        segment_size: u16,
    ) -> io::Result<usize> {
        let to = to.into().map(Into::into);
        self.with(|mut udp| udp.try_send_segmented(bytes, to.as_ref(), segment_size))
    }

    /// Enables generic receive offload (GRO): the kernel may merge datagrams of one sender, see
    /// [`Datagram::segment_size`](crate::Datagram::segment_size).
    #[doc(alias = "UDP_GRO")]
    pub fn set_receive_offload(&self, on: bool) -> io::Result<()> {
        self.with(|mut udp| udp.set_receive_offload(on))
    }

    /// Joins a multicast group.
    #[doc(alias = "uv_udp_set_membership")]
    pub fn join_multicast(&self, group: MulticastGroup) -> io::Result<()> {
        self.with(|mut udp| udp.set_membership(group, Membership::Join))
    }

    /// Leaves a multicast group.
    #[doc(alias = "uv_udp_set_membership")]
    pub fn leave_multicast(&self, group: MulticastGroup) -> io::Result<()> {
        self.with(|mut udp| udp.set_membership(group, Membership::Leave))
    }

    /// Joins a multicast group for datagrams of one source.
    #[doc(alias = "uv_udp_set_source_membership")]
    pub fn join_multicast_source(&self, group: MulticastGroup, source: IpAddr) -> io::Result<()> {
        self.with(|mut udp| udp.set_source_membership(group, source, Membership::Join))
    }

    /// Leaves a multicast group for datagrams of one source.
    #[doc(alias = "uv_udp_set_source_membership")]
    pub fn leave_multicast_source(&self, group: MulticastGroup, source: IpAddr) -> io::Result<()> {
        self.with(|mut udp| udp.set_source_membership(group, source, Membership::Leave))
    }

    /// Sets the interface for outgoing multicast datagrams. `None` lets the kernel choose.
    #[doc(alias = "uv_udp_set_multicast_interface")]
    pub fn set_multicast_interface(
        &self,
        interface: impl Into<Option<MulticastInterface>>,
    ) -> io::Result<()> {
        self.with(|mut udp| udp.set_multicast_interface(interface.into()))
    }

    /// Sets whether multicast datagrams are looped back to this host.
    #[doc(alias = "uv_udp_set_multicast_loop")]
    pub fn set_multicast_loop(&self, on: bool) -> io::Result<()> {
        self.with(|mut udp| udp.set_multicast_loop(on.into()))
    }

    /// Sets the time to live of multicast datagrams. Zero keeps them on this host.
    #[doc(alias = "uv_udp_set_multicast_ttl")]
    pub fn set_multicast_ttl(&self, ttl: u8) -> io::Result<()> {
        self.with(|mut udp| udp.set_multicast_ttl(ttl.into()))
    }

    /// Sets the time to live of datagrams, from 1 to 255.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UdpSocket;
    /// let socket = UdpSocket::bind("127.0.0.1:0").await?;
    /// socket.set_ttl(32)?;
    /// socket.set_broadcast(true)?;
    /// socket.set_multicast_ttl(1)?;
    /// socket.set_multicast_loop(false)?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_udp_set_ttl")]
    pub fn set_ttl(&self, ttl: u8) -> io::Result<()> {
        self.with(|mut udp| udp.set_ttl(ttl.into()))
    }

    /// The time to live of datagrams.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let socket = mauve::net::UdpSocket::bind("127.0.0.1:0").await?;
    /// socket.set_ttl(32)?;
    /// assert_eq!(socket.ttl()?, 32);
    /// # Ok(())
    /// # }
    /// ```
    pub fn ttl(&self) -> io::Result<u32> {
        self.with(|mut udp| net::ttl(udp.fd()?))
    }

    /// Takes the pending error of the socket (`SO_ERROR`), such as a datagram that was refused.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let socket = mauve::net::UdpSocket::bind("127.0.0.1:0").await?;
    /// assert!(socket.take_error()?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        Ok(self.with(|mut udp| net::take_error(udp.fd()?))?.map(Into::into))
    }

    /// Whether the socket may send to broadcast addresses.
    pub fn broadcast(&self) -> io::Result<bool> {
        self.with(|mut udp| net::broadcast(udp.fd()?))
    }

    /// Sets whether the socket may send to broadcast addresses.
    #[doc(alias = "uv_udp_set_broadcast")]
    pub fn set_broadcast(&self, on: bool) -> io::Result<()> {
        self.with(|mut udp| udp.set_broadcast(on))
    }

    /// Sends a datagram to `to`, or to the first of several addresses. Waits until the send buffer has room.
    ///
    /// # Errors
    /// `EISCONN` if the socket is connected: [`send`](Self::send) sends to its peer.
    #[doc(alias = "uv_udp_send")]
    pub async fn send_to(&self, bytes: &[u8], to: impl ToSocketAddrs) -> io::Result<usize> {
        let to = match addr::only(to) {
            Ok(address) => address,
            Err(resolution) => addr::first(resolution).await?,
        };
        self.send_one(bytes, Some(to)).await
    }

    /// Sends a datagram to the connected peer. See [`send_to`](Self::send_to).
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

    /// Sends all of `bytes` as datagrams of `segment_size` bytes each. See
    /// [`try_send_segmented`](Self::try_send_segmented).
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UdpSocket;
    /// let server = UdpSocket::bind("127.0.0.1:0").await?;
    /// let client = UdpSocket::bind("127.0.0.1:0").await?;
    /// client.send_segmented(&[7; 1000], server.local_addr()?, 400).await?;
    /// let mut buffer = [0; 1000];
    /// for size in [400, 400, 200] {
    ///     assert_eq!(server.recv(&mut buffer).await?, size);
    /// }
    /// # Ok(())
    /// # }
    /// ```
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
    pub async fn recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        let datagram = self.recv_datagram(buffer).await?;
        Ok((datagram.bytes.len(), datagram.from))
    }

    /// Receives a datagram from the connected peer. Returns its size.
    pub async fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.recv_datagram(buffer).await?.bytes.len())
    }

    /// Receives a datagram with its metadata.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UdpSocket;
    /// let server = UdpSocket::bind("127.0.0.1:0").await?;
    /// let client = UdpSocket::bind("127.0.0.1:0").await?;
    /// client.send_to(b"hello", server.local_addr()?).await?;
    /// let mut buffer = [0; 3];
    /// let datagram = server.recv_datagram(&mut buffer).await?;
    /// assert_eq!((datagram.bytes, datagram.truncated), (&b"hel"[..], true));
    /// # Ok(())
    /// # }
    /// ```
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
    ) -> Poll<Result<()>> {
        let receive = || self.receive(buffer, datagram).map(|()| datagram.len);
        self.poll_receive_with(context, receive).map(|result| result.map(drop))
    }

    /// Calls `attempt`, which returns a size. If it returns `EAGAIN`, registers the task to be woken by
    /// the next datagram.
    #[inline]
    pub(super) fn poll_receive_with(
        &self,
        context: &Context<'_>,
        attempt: impl FnOnce() -> Result<usize>,
    ) -> Poll<Result<usize>> {
        ready!(self.0.poll_budget(context));
        match attempt() {
            Err(Errno::EAGAIN) => {}
            result => {
                self.0.core.executor.spend_budget_for(result.unwrap_or(0));
                return Poll::Ready(result);
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
        self.0.with_udp(|mut udp| udp.receive(buffer, datagram))
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
                socket.wait_write(context);
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

impl_fd!(UdpSocket);
