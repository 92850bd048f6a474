//! Streams of bytes: TCP, local sockets and pipes.
//!
//! There are two ways to use them:
//!
//! * [`Tcp`](crate::Tcp), [`Pipe`](crate::Pipe) and [`Tty`](crate::Tty) are handles with
//!   closures, like all others of this crate, and do what libuv's do.
//! * [`TcpStream`], [`TcpListener`], [`UnixStream`] and [`UnixListener`] are for tasks. They own
//!   their socket, which is closed when they are dropped, and implement
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

pub use listener::{TcpListener, UnixListener};
pub(crate) use slots::Sockets;
pub use stream::{TcpStream, UnixStream};
