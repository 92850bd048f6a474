//! TCP, Unix domain sockets and UDP, for tasks.
//!
//! There are two sets of types:
//!
//! * [`Tcp`](crate::Tcp), [`Pipe`](crate::Pipe), [`Tty`](crate::Tty) and [`Udp`](crate::Udp) are
//!   handles with callbacks, like all handles of this crate.
//! * [`TcpStream`], [`TcpListener`], [`UnixStream`], [`UnixListener`], [`UnixDatagram`] and
//!   [`UdpSocket`] are for tasks. They own their socket and close it when they are dropped. Streams
//!   implement [`AsyncRead`](futures_io::AsyncRead) and [`AsyncWrite`](futures_io::AsyncWrite).
//!   [`AsyncFd`] is for any other descriptor. Windows has the types for IP only.
//!
//! The traits are [cancel safe](crate::io#cancel-safety), and each function says what dropping its future does.
//!
//! Any number of tasks may wait for one socket. If the loop is dropped first, operations on its
//! sockets return `EINVAL`. A task yields to the loop after 128 operations in one poll.
//!
//! ```
//! use futures_lite::{AsyncReadExt, AsyncWriteExt};
//! use mauve::Loop;
//! use mauve::net::{TcpListener, TcpStream};
//!
//! let lp: Loop = Loop::new()?;
//! lp.block_on(async {
//!     let listener = TcpListener::bind("127.0.0.1:0").await?;
//!     let address = listener.local_addr()?;
//!     mauve::spawn(async move {
//!         let (mut peer, _) = listener.accept().await?;
//!         peer.write_all(b"hello").await?;
//!         std::io::Result::Ok(())
//!     });
//!     let mut text = String::new();
//!     TcpStream::connect(address).await?.read_to_string(&mut text).await?;
//!     assert_eq!(text, "hello");
//!     std::io::Result::Ok(())
//! })?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod addr;
#[cfg(unix)]
mod async_fd;
mod listener;
mod pipe_stream;
pub(crate) mod socket;
mod split;
mod stream;
mod tcp_socket;
mod tcp_stream;
mod udp_peek;
mod udp_ready;
mod udp_socket;
#[cfg(unix)]
mod unix_datagram;
#[cfg(unix)]
mod unix_listener;
#[cfg(unix)]
mod unix_stream;

use crate::targets::Direction;
pub use addr::ToSocketAddrs;
#[cfg(unix)]
pub use async_fd::{AsyncFd, AsyncFdReadyGuard, TryIoError};
pub use listener::{Incoming, TcpListener};
#[doc(inline)]
pub use mauve_sys::net::{MulticastGroup, MulticastInterface};
pub(crate) use pipe_stream::PipeStream;
pub use split::{OwnedReadHalf, OwnedWriteHalf, ReadHalf, ReuniteError, WriteHalf};
#[cfg(unix)]
pub use split::{UnixOwnedReadHalf, UnixOwnedWriteHalf, UnixReadHalf, UnixWriteHalf};
pub(crate) use stream::impl_io;
pub use tcp_socket::TcpSocket;
pub use tcp_stream::TcpStream;
pub use udp_socket::UdpSocket;
#[cfg(unix)]
pub use unix_datagram::UnixDatagram;
#[cfg(unix)]
pub use unix_listener::{UnixIncoming, UnixListener};
#[cfg(unix)]
pub use unix_stream::{UCred, UnixStream};
