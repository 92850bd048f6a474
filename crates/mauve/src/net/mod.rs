//! Streams of bytes, and datagrams: TCP, local sockets and pipes, UDP.
//!
//! There are two ways to use them:
//!
//! * [`Tcp`](crate::Tcp), [`Pipe`](crate::Pipe), [`Tty`](crate::Tty) and [`Udp`](crate::Udp) are
//!   handles with closures, like all others of this crate, and do what libuv's do.
//! * [`TcpStream`], [`TcpListener`], [`UnixStream`], [`UnixListener`] and [`UdpSocket`] are for
//!   tasks. They own their socket, which is closed when they are dropped. Streams implement
//!   [`AsyncRead`](futures_io::AsyncRead) and [`AsyncWrite`](futures_io::AsyncWrite).
//!
//! ```
//! use futures_lite::{AsyncReadExt, AsyncWriteExt};
//! use mauve::Loop;
//! use mauve::net::{TcpListener, TcpStream};
//!
//! let lp: Loop = Loop::new()?;
//! lp.block_on(async {
//!     let listener = TcpListener::bind("127.0.0.1:0".parse().unwrap())?;
//!     let address = listener.local_addr()?;
//!     mauve::spawn(async move {
//!         let mut peer = listener.accept().await?;
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

mod listener;
mod slots;
mod socket;
mod stream;
mod udp;

pub use listener::{TcpListener, UnixListener};
pub use mauve_sys::net::{MulticastGroup, MulticastInterface};
pub(crate) use slots::{Reader, Sockets};
pub use stream::{TcpStream, UnixStream};
pub use udp::UdpSocket;
