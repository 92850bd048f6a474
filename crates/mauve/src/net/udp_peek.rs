//! Datagrams that are copied and stay in the receive queue.

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll, ready};

use mauve_sys::Result;
use mauve_sys::net::datagram;

use super::{Direction, UdpSocket};
use crate::Datagram;

impl UdpSocket {
    /// Waits for a datagram and copies it to `buffer`. Returns the number of copied bytes. The datagram
    /// stays in the queue, so the next `recv` returns it, too.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::net::UdpSocket;
    ///
    /// let socket = UdpSocket::bind("127.0.0.1:0").await?;
    /// socket.send_to(b"hello", socket.local_addr()?).await?;
    /// let mut start = [0; 2];
    /// assert_eq!(socket.peek(&mut start).await?, 2);
    /// assert_eq!(&start, b"he");
    /// assert_eq!(socket.recv(&mut [0; 8]).await?, 5);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the datagram stays in the queue.
    pub async fn peek(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.peek_from(buffer).await.map(|(size, _)| size)
    }

    /// [`peek`](Self::peek), and returns the address of the sender, too.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the datagram stays in the queue.
    pub async fn peek_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.0.wait(Direction::Read, |context| self.poll_peek_from(context, buffer)).await
    }

    /// Waits for a datagram and returns the address of its sender. The datagram stays in the queue.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the datagram stays in the queue.
    pub async fn peek_sender(&self) -> io::Result<SocketAddr> {
        self.peek_from(&mut []).await.map(|(_, from)| from)
    }

    /// Polls for a datagram, which stays in the queue. Every waker that this was called with is woken
    /// by the next datagram.
    pub fn poll_peek_from(
        &self,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<(usize, SocketAddr)>> {
        let mut datagram = datagram::Datagram::empty();
        ready!(self.poll_receive_with(context, || {
            self.peek_datagram(buffer, &mut datagram).map(|()| datagram.len)
        }))?;
        let datagram = Datagram::new(buffer, &datagram)?;
        Poll::Ready(Ok((datagram.bytes.len(), datagram.from)))
    }

    /// Copies a datagram to `buffer` if one has arrived. The datagram stays in the queue.
    ///
    /// # Errors
    /// `WouldBlock` if no datagram has arrived.
    pub fn try_peek(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.try_peek_from(buffer).map(|(size, _)| size)
    }

    /// [`try_peek`](Self::try_peek), and returns the address of the sender, too.
    pub fn try_peek_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        let mut datagram = datagram::Datagram::empty();
        self.peek_datagram(buffer, &mut datagram)?;
        let datagram = Datagram::new(buffer, &datagram)?;
        Ok((datagram.bytes.len(), datagram.from))
    }

    /// Returns the sender of a datagram if one has arrived. The datagram stays in the queue.
    ///
    /// # Errors
    /// `WouldBlock` if no datagram has arrived.
    pub fn try_peek_sender(&self) -> io::Result<SocketAddr> {
        self.try_peek_from(&mut []).map(|(_, from)| from)
    }

    fn peek_datagram(&self, buffer: &mut [u8], datagram: &mut datagram::Datagram) -> Result<()> {
        self.0.with_udp(|mut udp| datagram::peek(udp.fd()?, buffer, datagram))
    }
}
