//! What the streams and other sockets of tasks have in common.

/// Implements the methods and traits that all streams have. `$std` is the type of the standard
/// library, and `$open` opens a stream of the engine.
macro_rules! impl_stream {
    ($stream:ident, $std:ty, $open:expr) => {
        impl $stream {
            /// Waits until the stream is readable or at its end. May complete spuriously.
            ///
            /// A waiting task needs no read buffer of its own, so one buffer can serve any number of
            /// tasks.
            ///
            /// ```
            /// # use futures_lite::AsyncWriteExt;
            /// # use mauve::{Loop, net::UnixStream};
            /// # let lp: Loop = Loop::new()?;
            /// # lp.block_on(async {
            /// # let (stream, mut peer) = UnixStream::pair()?;
            /// # peer.write_all(b"hello").await?;
            /// # let mut buffer = [0; 100];
            /// let count = loop {
            ///     stream.readable().await?;
            ///     match stream.try_read(&mut buffer) {
            ///         Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            ///         result => break result?,
            ///     }
            /// };
            /// assert_eq!(&buffer[..count], b"hello");
            /// # std::io::Result::Ok(())
            /// # })?;
            /// # Ok::<(), std::io::Error>(())
            /// ```
            ///
            /// # Cancel safety
            /// Nothing is lost if the future is dropped: the next call finds the same readiness.
            pub async fn readable(&self) -> io::Result<()> {
                self.0.wait(Direction::Read, |context| self.0.poll_readable(context)).await
            }

            /// Waits until the stream is writable. May complete spuriously.
            ///
            /// # Cancel safety
            /// Nothing is lost if the future is dropped: the next call finds the same readiness.
            pub async fn writable(&self) -> io::Result<()> {
                self.0.wait(Direction::Write, |context| self.0.poll_writable(context)).await
            }

            /// Reads available bytes. Returns zero at the end of the stream, and `WouldBlock` if
            /// there are no bytes yet.
            pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
                Ok(self.0.try_read(buffer)?)
            }

            /// Writes as many bytes as possible without waiting, and returns their number.
            /// `WouldBlock` if none can be written.
            pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
                Ok(self.0.try_write(&[IoSlice::new(bytes)])?)
            }

            /// [`try_write`](Self::try_write), for several slices.
            pub fn try_write_vectored(&self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
                Ok(self.0.try_write(slices)?)
            }

            /// Performs an operation of the caller on the socket. Waits for readability or writability
            /// while it returns `WouldBlock`.
            ///
            /// ```
            /// # #[mauve::main]
            /// # async fn main() -> std::io::Result<()> {
            /// # use futures_lite::AsyncWriteExt;
            /// use std::io::Read;
            /// use mauve::Interest;
            /// # use mauve::net::UnixStream;
            ///
            /// let (socket, peer) = std::os::unix::net::UnixStream::pair()?;
            /// let mut same = socket.try_clone()?;
            /// let stream = UnixStream::from_std(socket)?;
            /// UnixStream::from_std(peer)?.write_all(b"hello").await?;
            /// let mut buffer = [0; 8];
            /// let count = stream.async_io(Interest::READABLE, || same.read(&mut buffer)).await?;
            /// assert_eq!(count, 5);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # Cancel safety
            /// If the future is dropped before it completes, each call of `operation` has returned `WouldBlock`.
            pub async fn async_io<R>(
                &self,
                interest: mauve_sys::driver::Interest,
                mut operation: impl FnMut() -> io::Result<R>,
            ) -> io::Result<R> {
                let direction = Direction::of(interest);
                let poll = |context: &mut Context<'_>| {
                    self.0.poll_io(context, direction, &mut operation)
                };
                self.0.wait(direction, poll).await
            }

            /// Performs an operation of the caller on the socket, after [`readable`](Self::readable) or
            /// [`writable`](Self::writable). If a read returns `WouldBlock`, `readable` waits again.
            pub fn try_io<R>(
                &self,
                interest: mauve_sys::driver::Interest,
                operation: impl FnMut() -> io::Result<R>,
            ) -> io::Result<R> {
                self.0.try_io(Direction::of(interest), operation)
            }

            /// Waits for bytes and copies them to `buffer`. They stay in the stream. Returns zero at
            /// the end of the stream.
            ///
            /// # Cancel safety
            /// Nothing is lost if the future is dropped: the bytes stay in the stream.
            pub async fn peek(&self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.wait(Direction::Read, |context| self.0.poll_peek(context, buffer)).await
            }

            /// Shuts down the read or write direction, or both.
            pub fn shutdown(&self, how: Shutdown) -> io::Result<()> {
                self.0.shutdown(how)
            }

            /// Takes over a connected socket of the standard library, on the loop that runs on this
            /// thread. The socket is set to non-blocking mode.
            ///
            /// # Panics
            /// Panics if no loop runs on this thread.
            pub fn from_std(stream: $std) -> io::Result<Self> {
                let socket = Socket::open(current(), $open)?;
                socket.adopt_fd(stream.into())?;
                Ok(Self(socket))
            }

            /// Returns the socket to the standard library. It stays in non-blocking mode.
            pub fn into_std(self) -> io::Result<$std> {
                Ok(self.0.into_fd()?.into())
            }
        }

        impl_socket_traits!($stream, |stream| stream.0);

        impl_io!(read $stream, |stream| stream.0);
        impl_io!(read &$stream, |stream| stream.0);
        impl_io!(write $stream, |stream| stream.0);
        impl_io!(write &$stream, |stream| stream.0);
    };
}

/// Implements `AsyncRead` or `AsyncWrite` for a type whose [`Socket`](super::socket::Socket) is `$socket`.
macro_rules! impl_io {
    (read $type:ty, |$this:ident| $socket:expr) => {
        impl futures_io::AsyncRead for $type {
            fn poll_read(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
                buffer: &mut [u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                let $this = &*self;
                $socket.poll_read(context, buffer)
            }
        }
    };
    (write $type:ty, |$this:ident| $socket:expr) => {
        impl futures_io::AsyncWrite for $type {
            fn poll_write(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
                bytes: &[u8],
            ) -> std::task::Poll<std::io::Result<usize>> {
                let $this = &*self;
                $socket.poll_write(context, &[std::io::IoSlice::new(bytes)])
            }

            fn poll_write_vectored(
                self: std::pin::Pin<&mut Self>,
                context: &mut std::task::Context<'_>,
                slices: &[std::io::IoSlice<'_>],
            ) -> std::task::Poll<std::io::Result<usize>> {
                let $this = &*self;
                $socket.poll_write(context, slices)
            }

            fn poll_flush(
                self: std::pin::Pin<&mut Self>,
                _context: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                let $this = &*self;
                std::task::Poll::Ready($socket.flush())
            }

            fn poll_close(
                self: std::pin::Pin<&mut Self>,
                _context: &mut std::task::Context<'_>,
            ) -> std::task::Poll<std::io::Result<()>> {
                let $this = &*self;
                std::task::Poll::Ready($socket.shutdown(std::net::Shutdown::Write))
            }
        }
    };
}

pub(crate) use impl_io;
pub(super) use impl_stream;
