//! The two directions of a stream, as separate values.

use std::net::Shutdown;
use std::rc::Rc;

use super::TcpStream;
#[cfg(unix)]
use super::UnixStream;
use super::stream::impl_io;

/// The halves belong to different streams. Returned by `reunite`.
#[derive(Debug)]
pub struct ReuniteError<R, W>(pub R, pub W);

impl<R, W> std::fmt::Display for ReuniteError<R, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the halves belong to different streams")
    }
}

impl<R: std::fmt::Debug, W: std::fmt::Debug> std::error::Error for ReuniteError<R, W> {}

macro_rules! split {
    ($stream:ident, $read:ident, $write:ident, $owned_read:ident, $owned_write:ident) => {
        /// The read direction of a stream, borrowed. Created by `split`.
        #[derive(Debug)]
        pub struct $read<'a>(&'a $stream);

        /// The write direction of a stream, borrowed. Created by `split`.
        #[derive(Debug)]
        pub struct $write<'a>(&'a $stream);

        /// The read direction of a stream. Created by `into_split`.
        #[derive(Debug)]
        pub struct $owned_read(Rc<$stream>);

        /// The write direction of a stream. Created by `into_split`. Dropping it shuts the direction
        /// down, so that the peer reads the end of the stream.
        #[derive(Debug)]
        pub struct $owned_write {
            stream: Rc<$stream>,
            shuts_down: bool,
        }

        impl $stream {
            /// Splits the stream into its two directions, which borrow it.
            pub fn split(&mut self) -> ($read<'_>, $write<'_>) {
                ($read(self), $write(self))
            }

            /// Splits the stream into its two directions, which may be moved to different tasks. The
            /// socket is closed when both are dropped.
            ///
            /// ```
            /// # #[mauve::main]
            /// # async fn main() -> std::io::Result<()> {
            /// # use futures_lite::{AsyncReadExt, AsyncWriteExt};
            /// # use mauve::net::UnixStream;
            /// let (stream, mut peer) = UnixStream::pair()?;
            /// let (mut read, mut write) = stream.into_split();
            /// let writer = mauve::spawn(async move { write.write_all(b"ping").await });
            /// peer.read_exact(&mut [0; 4]).await?;
            /// writer.await??;
            /// // The write half was dropped, so the peer reads the end of the stream.
            /// assert_eq!(peer.read(&mut [0; 4]).await?, 0);
            /// drop(peer);
            /// assert_eq!(read.read(&mut [0; 4]).await?, 0);
            /// # Ok(())
            /// # }
            /// ```
            pub fn into_split(self) -> ($owned_read, $owned_write) {
                let stream = Rc::new(self);
                let write = $owned_write { stream: stream.clone(), shuts_down: true };
                ($owned_read(stream), write)
            }
        }

        impl $owned_read {
            /// Makes one stream of both halves.
            ///
            /// # Errors
            /// Returns the halves if they belong to different streams.
            pub fn reunite(
                self,
                write: $owned_write,
            ) -> Result<$stream, ReuniteError<$owned_read, $owned_write>> {
                if !Rc::ptr_eq(&self.0, &write.stream) {
                    return Err(ReuniteError(self, write));
                }
                write.forget();
                Ok(Rc::into_inner(self.0).expect("the other half was dropped"))
            }
        }

        impl $owned_write {
            /// Drops the half without shutting the direction down.
            pub fn forget(mut self) {
                self.shuts_down = false;
            }
        }

        impl Drop for $owned_write {
            fn drop(&mut self) {
                if self.shuts_down {
                    // The error means that the connection is closed already.
                    let _ = self.stream.0.shutdown(Shutdown::Write);
                }
            }
        }

        impl_io!(read $read<'_>, |half| half.0.0);
        impl_io!(read $owned_read, |half| half.0.0);
        impl_io!(write $write<'_>, |half| half.0.0);
        impl_io!(write $owned_write, |half| half.stream.0);

        split!(@as_ref $stream, $read<'_>, |half| half.0);
        split!(@as_ref $stream, $owned_read, |half| &half.0);
        split!(@as_ref $stream, $write<'_>, |half| half.0);
        split!(@as_ref $stream, $owned_write, |half| &half.stream);
    };
    (@as_ref $stream:ident, $half:ty, |$this:ident| $inner:expr) => {
        impl AsRef<$stream> for $half {
            fn as_ref(&self) -> &$stream {
                let $this = self;
                $inner
            }
        }
    };
}

split!(TcpStream, ReadHalf, WriteHalf, OwnedReadHalf, OwnedWriteHalf);
#[cfg(unix)]
split!(UnixStream, UnixReadHalf, UnixWriteHalf, UnixOwnedReadHalf, UnixOwnedWriteHalf);
