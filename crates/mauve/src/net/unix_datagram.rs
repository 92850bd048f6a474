//! Unix domain datagram sockets for tasks.

use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::os::unix::net::{self, SocketAddr};
use std::path::Path;
use std::time::Duration;

use mauve_sys::driver::Interest;

use super::AsyncFd;

/// A Unix domain datagram socket for tasks. Dropping it closes it. Its path is not unlinked.
///
/// ```
/// use mauve::net::UnixDatagram;
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let (one, two) = UnixDatagram::pair()?;
///     one.send(b"hello").await?;
///     let mut buffer = [0; 100];
///     let count = two.recv(&mut buffer).await?;
///     assert_eq!(&buffer[..count], b"hello");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UnixDatagram(AsyncFd<net::UnixDatagram>);

/// How often `send_to` tries again while the receiver has no room. The kernel reports that room only to
/// sockets that are connected to the receiver.
const FULL_RECEIVER_RETRY: Duration = Duration::from_millis(1);

impl UnixDatagram {
    /// Creates a socket and binds it to a path, on the loop that runs on this thread.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// # use mauve::net::UnixDatagram;
    /// # let directory = mauve::fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
    /// let path = directory.join("log");
    /// let server = UnixDatagram::bind(&path)?;
    /// let client = UnixDatagram::unbound()?;
    /// client.send_to(b"started", &path).await?;
    /// let mut buffer = [0; 16];
    /// assert_eq!(server.recv(&mut buffer).await?, 7);
    /// # mauve::fs::remove_dir_all(directory).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn bind(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::from_std(net::UnixDatagram::bind(path)?)
    }

    /// Creates a socket without an address, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn unbound() -> io::Result<Self> {
        Self::from_std(net::UnixDatagram::unbound()?)
    }

    /// Creates two connected sockets, on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn pair() -> io::Result<(Self, Self)> {
        let (one, two) = net::UnixDatagram::pair()?;
        Ok((Self::from_std(one)?, Self::from_std(two)?))
    }

    /// Takes over a socket of the standard library, on the loop that runs on this thread. The socket
    /// is set to non-blocking mode.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn from_std(socket: net::UnixDatagram) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Ok(Self(AsyncFd::new(socket)?))
    }

    /// Returns the socket to the standard library. It stays in non-blocking mode.
    pub fn into_std(self) -> io::Result<net::UnixDatagram> {
        Ok(self.0.into_inner())
    }

    /// Connects the socket to a path: it sends to that socket, and receives from it alone.
    pub fn connect(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.0.get_ref().connect(path)
    }

    /// Sends a datagram to the connected socket. Waits until there is room.
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, the datagram was not sent.
    pub async fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.async_io(Interest::WRITABLE, |socket| socket.send(bytes)).await
    }

    /// Sends a datagram to the socket at `path`. Waits until there is room.
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, the datagram was not sent.
    pub async fn send_to(&self, bytes: &[u8], path: impl AsRef<Path>) -> io::Result<usize> {
        let path = path.as_ref();
        loop {
            let mut attempts = 0;
            let send = |socket: &net::UnixDatagram| {
                attempts += 1;
                match socket.send_to(bytes, path) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock && attempts > 1 => Ok(None),
                    result => result.map(Some),
                }
            };
            if let Some(count) = self.0.async_io(Interest::WRITABLE, send).await? {
                return Ok(count);
            }
            // This socket has room, so the receiver has none.
            crate::sleep(FULL_RECEIVER_RETRY).await;
        }
    }

    /// Receives a datagram. Returns its size. Bytes that do not fit into `buffer` are lost.
    ///
    /// # Cancel safety
    /// No datagram is lost if the future is dropped before it completes.
    pub async fn recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.async_io(Interest::READABLE, |socket| socket.recv(buffer)).await
    }

    /// Receives a datagram. Returns its size and the address of its sender.
    ///
    /// # Cancel safety
    /// No datagram is lost if the future is dropped before it completes.
    pub async fn recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.0.async_io(Interest::READABLE, |socket| socket.recv_from(buffer)).await
    }

    /// Sends a datagram to the connected socket without waiting. `WouldBlock` if there is no room.
    pub fn try_send(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.get_ref().send(bytes)
    }

    /// Receives a datagram without waiting. `WouldBlock` if there is none.
    pub fn try_recv(&self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.get_ref().recv(buffer)
    }

    /// Sends a datagram to the socket at `path` without waiting. `WouldBlock` if there is no room.
    pub fn try_send_to(&self, bytes: &[u8], path: impl AsRef<Path>) -> io::Result<usize> {
        self.0.get_ref().send_to(bytes, path)
    }

    /// Receives a datagram without waiting. Returns its size and the address of its sender. `WouldBlock`
    /// if there is none.
    pub fn try_recv_from(&self, buffer: &mut [u8]) -> io::Result<(usize, SocketAddr)> {
        self.0.get_ref().recv_from(buffer)
    }

    /// Takes the pending error of the socket (`SO_ERROR`).
    pub fn take_error(&self) -> io::Result<Option<io::Error>> {
        self.0.get_ref().take_error()
    }

    /// Waits until the socket is readable.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the next call finds the same readiness.
    pub async fn readable(&self) -> io::Result<()> {
        self.0.readable().await.map(drop)
    }

    /// Waits until the socket is writable.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the next call finds the same readiness.
    pub async fn writable(&self) -> io::Result<()> {
        self.0.writable().await.map(drop)
    }

    /// The local address.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().local_addr()
    }

    /// The address of the connected socket.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.get_ref().peer_addr()
    }

    /// Shuts down the read or write direction, or both.
    pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.0.get_ref().shutdown(how)
    }
}

impl AsFd for UnixDatagram {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl AsRawFd for UnixDatagram {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}
