//! What TCP and Unix streams have in common.

/// Implements the traits of types with a descriptor.
macro_rules! impl_fd {
    ($socket:ty) => {
        impl std::os::fd::AsRawFd for $socket {
            /// The descriptor. -1 if the loop was dropped, which closes it.
            fn as_raw_fd(&self) -> std::os::fd::RawFd {
                self.0.raw_fd()
            }
        }

        impl std::os::fd::AsFd for $socket {
            /// A duplicate of the descriptor, which is closed when the value is dropped. The original
            /// belongs to the loop, which may be dropped first.
            ///
            /// # Panics
            /// Panics if the loop was dropped, or if no descriptor is left.
            fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
                self.0.borrow_fd()
            }
        }
    };
}

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
            pub async fn readable(&self) -> io::Result<()> {
                self.0.wait(Direction::Read, |context| self.0.poll_readable(context)).await
            }

            /// Waits until the stream is writable. May complete spuriously.
            ///
            /// ```
            /// # #[mauve::main]
            /// # async fn main() -> std::io::Result<()> {
            /// # use mauve::net::UnixStream;
            /// # let (stream, _peer) = UnixStream::pair()?;
            /// stream.writable().await?;
            /// assert_eq!(stream.try_write(b"hello")?, 5);
            /// # Ok(())
            /// # }
            /// ```
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
            ///
            /// ```
            /// # #[mauve::main]
            /// # async fn main() -> std::io::Result<()> {
            /// # use mauve::net::UnixStream;
            /// use std::io::IoSlice;
            ///
            /// # let (stream, _peer) = UnixStream::pair()?;
            /// let slices = [IoSlice::new(b"hello "), IoSlice::new(b"world")];
            /// assert_eq!(stream.try_write_vectored(&slices)?, 11);
            /// # Ok(())
            /// # }
            /// ```
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
            /// stream.readable().await?;
            /// assert_eq!(stream.try_io(Interest::READABLE, || same.read(&mut [0; 8]))?, 5);
            /// # Ok(())
            /// # }
            /// ```
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
            /// ```
            /// # #[mauve::main]
            /// # async fn main() -> std::io::Result<()> {
            /// # use futures_lite::{AsyncReadExt, AsyncWriteExt};
            /// # use mauve::net::UnixStream;
            /// # let (mut stream, mut peer) = UnixStream::pair()?;
            /// peer.write_all(b"GET / HTTP/1.1").await?;
            /// let mut method = [0; 3];
            /// assert_eq!(stream.peek(&mut method).await?, 3);
            /// assert_eq!(&method, b"GET");
            /// # stream.read_exact(&mut method).await?;
            /// # assert_eq!(&method, b"GET");
            /// # Ok(())
            /// # }
            /// ```
            pub async fn peek(&self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.wait(Direction::Read, |context| self.0.poll_peek(context, buffer)).await
            }

            /// Shuts down the read or write direction, or both.
            ///
            /// ```
            /// # #[mauve::main]
            /// # async fn main() -> std::io::Result<()> {
            /// # use futures_lite::AsyncReadExt;
            /// # use mauve::net::UnixStream;
            /// use std::net::Shutdown;
            ///
            /// # let (stream, mut peer) = UnixStream::pair()?;
            /// stream.shutdown(Shutdown::Write)?;
            /// assert_eq!(peer.read(&mut [0; 8]).await?, 0);
            /// # Ok(())
            /// # }
            /// ```
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

        impl_fd!($stream);

        impl_stream!(@io $stream);
        impl_stream!(@io &$stream);
    };
    (@io $stream:ty) => {
        impl AsyncRead for $stream {
            fn poll_read(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                buffer: &mut [u8],
            ) -> Poll<io::Result<usize>> {
                self.0.poll_read(context, buffer)
            }
        }

        impl AsyncWrite for $stream {
            fn poll_write(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                self.0.poll_write(context, &[IoSlice::new(bytes)])
            }

            fn poll_write_vectored(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                slices: &[IoSlice<'_>],
            ) -> Poll<io::Result<usize>> {
                self.0.poll_write(context, slices)
            }

            fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
                Poll::Ready(self.0.flush())
            }

            fn poll_close(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
                Poll::Ready(self.0.shutdown(Shutdown::Write))
            }
        }
    };
}

pub(super) use {impl_fd, impl_stream};
