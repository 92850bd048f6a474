//! Datagrams, for tasks.

use std::future::poll_fn;
use std::io::{IoSlice, Result as IoResult};
use std::net::{IpAddr, SocketAddr};
use std::task::{Context, Poll};

use mauve_core::CorkPolicy;
use mauve_core::handle::udp::UdpMut;
use mauve_sys::driver::Platform;
use mauve_sys::net::{Membership, MulticastGroup, MulticastInterface, datagram};
use mauve_sys::{Errno, Result};

use super::socket::Socket;
use crate::core::current;
use crate::handle::datagram_methods;
use crate::{Datagram, UdpBindFlags};

/// A socket for datagrams that belongs to a task. Dropping it closes it.
///
/// ```
/// use mauve::Loop;
/// use mauve::net::UdpSocket;
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let server = UdpSocket::bind("127.0.0.1:0".parse().unwrap())?;
///     let client = UdpSocket::bind("127.0.0.1:0".parse().unwrap())?;
///     client.send_to(b"hello", server.local_addr()?).await?;
///     let mut buffer = [0; 100];
///     let (count, from) = server.recv_from(&mut buffer).await?;
///     assert_eq!((&buffer[..count], from), (&b"hello"[..], client.local_addr()?));
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "uv_udp_t")]
pub struct UdpSocket {
    socket: Socket,
}

impl UdpSocket {
    /// Makes a socket at an address, on the loop that runs on this thread.
    #[doc(alias = "uv_udp_bind")]
    pub fn bind(address: SocketAddr) -> IoResult<Self> {
        Self::bind_with(address, UdpBindFlags::default())
    }

    /// Makes a socket at an address, with flags.
    pub fn bind_with(address: SocketAddr, flags: UdpBindFlags) -> IoResult<Self> {
        let socket = Socket::open(current(), |engine, token| engine.open_udp(token));
        let this = Self { socket };
        this.with(|mut udp| udp.bind(&address.into(), flags))?;
        Ok(this)
    }

    /// Does one operation on the socket.
    fn with<R>(&self, operation: impl FnOnce(UdpMut<'_, Platform>) -> Result<R>) -> IoResult<R> {
        Ok(self.socket.with_udp(operation)?)
    }

    datagram_methods!(IoResult);

    /// Says whether datagrams are corked. By default none is; every policy but `Off` has the same
    /// effect.
    ///
    /// Small datagrams of one size that a task sends to one peer without waiting in between are
    /// corked, all but the first four. They leave in one system call when the task waits, or before
    /// it does anything else with the loop or one of its sockets than to receive on this one. If the
    /// system refuses one of them, the next send fails.
    pub fn set_cork_policy(&self, policy: CorkPolicy) {
        self.socket.with_udp(|mut udp| udp.set_cork_policy(policy));
    }

    /// Sends a datagram, as soon as there is room for it.
    #[doc(alias = "uv_udp_send")]
    pub async fn send_to(&self, bytes: &[u8], to: SocketAddr) -> IoResult<usize> {
        self.send_one(bytes, Some(to)).await
    }

    /// Sends a datagram to the peer that the socket is connected with. See
    /// [`send_to`](Self::send_to).
    pub async fn send(&self, bytes: &[u8]) -> IoResult<usize> {
        self.send_one(bytes, None).await
    }

    async fn send_one(&self, bytes: &[u8], to: Option<SocketAddr>) -> IoResult<usize> {
        let (token, to) = (self.socket.token(), to.map(Into::into));
        let socket = &self.socket;
        self.when_room(|| {
            socket.core.engine_for_write(|engine| {
                let mut udp = engine.udp(socket.id).expect("open until dropped");
                udp.try_send_or_cork(token, bytes, to.as_ref())
            })
        })
        .await
    }

    /// Sends `bytes` as datagrams of `segment` bytes each, see
    /// [`try_send_segmented`](Self::try_send_segmented), all of them.
    pub async fn send_segmented(
        &self,
        bytes: &[u8],
        to: impl Into<Option<SocketAddr>>,
        segment: u16,
    ) -> IoResult<()> {
        let to = to.into().map(Into::into);
        let mut sent = 0;
        while sent < bytes.len() {
            let rest = &bytes[sent..];
            let attempt =
                |mut udp: UdpMut<'_, Platform>| udp.try_send_segmented(rest, to.as_ref(), segment);
            sent += self.when_room(|| self.socket.with_udp(attempt)).await?;
        }
        Ok(())
    }

    /// Waits for a datagram; returns its size and who sent it. What does not fit into `buffer` is
    /// lost.
    pub async fn recv_from(&self, buffer: &mut [u8]) -> IoResult<(usize, SocketAddr)> {
        let datagram = self.recv_datagram(buffer).await?;
        Ok((datagram.bytes.len(), datagram.from))
    }

    /// Waits for a datagram of the peer that the socket is connected with; returns its size.
    pub async fn recv(&self, buffer: &mut [u8]) -> IoResult<usize> {
        Ok(self.recv_datagram(buffer).await?.bytes.len())
    }

    /// Waits for a datagram, with all that is known about it.
    pub async fn recv_datagram<'a>(&self, buffer: &'a mut [u8]) -> IoResult<Datagram<'a>> {
        let mut datagram = datagram::Datagram::empty();
        poll_fn(|context| self.poll_receive(context, buffer, &mut datagram)).await?;
        Ok(Datagram::new(buffer, &datagram)?)
    }

    fn poll_receive(
        &self,
        context: &Context<'_>,
        buffer: &mut [u8],
        datagram: &mut datagram::Datagram,
    ) -> Poll<Result<()>> {
        match self.try_receive(buffer, datagram) {
            Err(Errno::EAGAIN) => {}
            result => return Poll::Ready(result),
        }
        let start = || self.socket.with_udp(|mut udp| udp.start_receiving());
        match self.socket.await_readable(context, start) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    /// Receives a datagram that is there. Leaves this socket's own datagrams corked: an echo server
    /// receives and sends in turns.
    fn try_receive(&self, buffer: &mut [u8], datagram: &mut datagram::Datagram) -> Result<()> {
        let socket = &self.socket;
        socket.core.engine_for_write(|engine| {
            engine.flush_other_cork(socket.id);
            engine.udp(socket.id).expect("open until dropped").receive(buffer, datagram)
        })
    }

    /// Tries something whenever there is room, until there is enough.
    async fn when_room<R>(&self, mut attempt: impl FnMut() -> Result<R>) -> IoResult<R> {
        let socket = &self.socket;
        let poll = |context: &mut Context<'_>| match attempt() {
            Err(Errno::EAGAIN) => {
                socket.await_writing(context);
                socket.with_udp(|mut udp| udp.await_room());
                Poll::Pending
            }
            result => Poll::Ready(result),
        };
        Ok(poll_fn(poll).await?)
    }
}
