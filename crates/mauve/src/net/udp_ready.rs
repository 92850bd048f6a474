//! Readiness of UDP sockets, and operations that do not wait.

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll, ready};

use mauve_sys::Errno;
use mauve_sys::driver::Interest;
use mauve_sys::fd;
use mauve_sys::net::datagram;

use super::{Direction, UdpSocket};
use crate::Datagram;

impl UdpSocket {
    /// Waits until a datagram or an error can be received. May be spurious.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::net::UdpSocket;
    ///
    /// let socket = UdpSocket::bind("127.0.0.1:0").await?;
    /// socket.send_to(b"hello", socket.local_addr()?).await?;
    /// socket.readable().await?;
    /// assert_eq!(socket.try_recv(&mut [0; 8])?, 5);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the next call finds the same readiness.
    pub async fn readable(&self) -> io::Result<()> {
        self.0.wait(Direction::Read, |context| self.poll_readable(context)).await
    }

    fn poll_readable(&self, context: &Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.0.poll_budget(context));
        match self.0.with_udp(|mut udp| fd::is_readable(udp.fd()?)) {
            Ok(false) => {
                let start = || self.0.with_udp(|mut udp| udp.start_receiving());
                match self.0.wait_readable(context, start) {
                    Ok(()) => Poll::Pending,
                    Err(error) => Poll::Ready(Err(error)),
                }
            }
            result => self.0.finish(result.map(drop).map_err(Into::into)),
        }
    }

    /// Waits until a datagram can be sent. May be spurious.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the next call finds the same readiness.
    pub async fn writable(&self) -> io::Result<()> {
        let is_writable = || match self.0.with_udp(|mut udp| fd::is_writable(udp.fd()?)) {
            Ok(false) => Err(Errno::EAGAIN),
            result => result.map(|_| 0),
        };
        let poll = |context: &mut Context<'_>| self.poll_send_with(context, is_writable);
        self.0.wait(Direction::Write, poll).await.map(drop)
    }

    /// Receives a datagram if one has arrived, and returns its size. What exceeds the buffer is lost.
    ///
    /// # Errors
    /// `WouldBlock` if no datagram has arrived.
    pub fn try_recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.try_recv_from(buffer).map(|(size, _)| size)
    }

    /// [`try_recv`](Self::try_recv), and returns the address of the sender, too.
    pub fn try_recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        let mut datagram = datagram::Datagram::empty();
        self.receive(buffer, &mut datagram)?;
        let datagram = Datagram::new(buffer, &datagram)?;
        Ok((datagram.bytes.len(), datagram.from))
    }

    /// Polls to receive a datagram. Returns its size and the address of the sender. Every waker that
    /// this was called with is woken by the next datagram.
    pub fn poll_recv_from(
        &self,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<(usize, SocketAddr)>> {
        let mut datagram = datagram::Datagram::empty();
        ready!(self.poll_receive(context, buffer, &mut datagram))?;
        let datagram = Datagram::new(buffer, &datagram)?;
        Poll::Ready(Ok((datagram.bytes.len(), datagram.from)))
    }

    /// Polls to send a datagram. Returns its size.
    pub fn poll_send_to(
        &self,
        context: &mut Context<'_>,
        bytes: &[u8],
        to: SocketAddr,
    ) -> Poll<io::Result<usize>> {
        self.poll_send_with(context, || self.send_now(bytes, Some(&to.into())))
    }

    /// Polls to receive a datagram from the connected peer. Returns its size.
    pub fn poll_recv(
        &self,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_recv_from(context, buffer).map(|received| received.map(|(size, _)| size))
    }

    /// Polls to send a datagram to the connected peer. Returns its size.
    pub fn poll_send(&self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_send_with(context, || self.send_now(bytes, None))
    }

    /// Sends a datagram to `to` without queueing, and returns its size. As
    /// [`try_send`](Self::try_send), with tokio's name.
    ///
    /// # Errors
    /// `WouldBlock` if it cannot be sent at once.
    pub fn try_send_to(&self, bytes: &[u8], to: SocketAddr) -> io::Result<usize> {
        self.try_send(bytes, to)
    }

    /// Performs an operation of the caller on the socket. Waits for readability or writability while
    /// it returns `WouldBlock`.
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, each call of `operation` has returned `WouldBlock`.
    pub async fn async_io<R>(
        &self,
        interest: Interest,
        mut operation: impl FnMut() -> io::Result<R>,
    ) -> io::Result<R> {
        let mut output = None;
        let mut attempt = || match operation() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Errno::EAGAIN),
            result => {
                output = Some(result);
                Ok(0)
            }
        };
        if interest == Interest::WRITABLE {
            let poll = |context: &mut Context<'_>| self.poll_send_with(context, &mut attempt);
            self.0.wait(Direction::Write, poll).await?;
        } else {
            let poll = |context: &mut Context<'_>| self.poll_receive_with(context, &mut attempt);
            self.0.wait(Direction::Read, poll).await?;
        }
        output.expect("the attempt has succeeded")
    }
}
