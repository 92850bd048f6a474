//! What TCP and Unix streams have in common.

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
                poll_fn(|context| self.0.poll_readable(context)).await
            }

            /// Waits until the stream is writable. May complete spuriously.
            pub async fn writable(&self) -> io::Result<()> {
                poll_fn(|context| self.0.poll_writable(context)).await
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

            /// Waits for bytes and copies them to `buffer`. They stay in the stream. Returns zero at
            /// the end of the stream.
            pub async fn peek(&self, buffer: &mut [u8]) -> io::Result<usize> {
                poll_fn(|context| self.0.poll_peek(context, buffer)).await
            }

            /// Shuts down the read or write direction, or both. Bytes that are corked should be
            /// flushed first.
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
            ///
            /// # Errors
            /// `EBUSY` if corked bytes are not sent yet.
            pub fn into_std(self) -> io::Result<$std> {
                Ok(self.0.into_fd()?.into())
            }
        }

        impl AsRawFd for $stream {
            /// The descriptor. -1 if the loop was dropped, which closes it.
            fn as_raw_fd(&self) -> RawFd {
                self.0.raw_fd()
            }
        }

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

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.0.poll_flush(context)
            }

            fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.0.poll_close(context)
            }
        }
    };
}

pub(super) use impl_stream;
