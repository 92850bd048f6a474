//! Streams for hyper.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncRead, AsyncWrite};
use hyper::rt::{Read, ReadBufCursor, Write};

/// Size of the read buffer that the connections of a thread share.
const BUFFER_SIZE: usize = 64 * 1024;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Calls `action` with the read buffer of this thread, or a new one if a stream that reads from another one
/// uses it.
fn with_buffer<R>(action: impl FnOnce(&mut [u8]) -> R) -> R {
    BUFFER.with(|buffer| match buffer.try_borrow_mut() {
        Ok(mut buffer) => {
            if buffer.is_empty() {
                buffer.resize(BUFFER_SIZE, 0);
            }
            action(&mut buffer)
        }
        Err(_) => action(&mut vec![0; BUFFER_SIZE]),
    })
}

/// A stream for hyper: [`TcpStream`](mauve::net::TcpStream), [`UnixStream`](mauve::net::UnixStream),
/// or any other that implements the traits of `futures-io`, such as a TLS stream.
///
/// An idle connection has no read buffer: the connections of a thread share one.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let lp: mauve::Loop = mauve::Loop::new()?;
/// # lp.block_on(async {
/// use mauve::net::UnixStream;
/// use mauve_hyper::MauveIo;
///
/// let (stream, _peer) = UnixStream::pair()?;
/// let io = MauveIo::new(stream);
/// assert!(io.get_ref().peer_cred()?.pid().is_some());
/// let _stream: UnixStream = io.into_inner();
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Debug)]
pub struct MauveIo<T> {
    stream: T,
    /// Bytes that were read before hyper got the stream. Read first.
    prefix: Vec<u8>,
}

impl<T> MauveIo<T> {
    /// Wraps a stream.
    pub fn new(stream: T) -> Self {
        Self::with_prefix(stream, Vec::new())
    }

    /// Wraps a stream from which `prefix` was read already. hyper reads it first.
    pub fn with_prefix(stream: T, prefix: Vec<u8>) -> Self {
        Self { stream, prefix }
    }

    /// The stream.
    pub fn get_ref(&self) -> &T {
        &self.stream
    }

    /// The stream, after an upgrade of the connection. Bytes of the
    /// [prefix](Self::with_prefix) that hyper has not read are lost.
    pub fn into_inner(self) -> T {
        self.stream
    }
}

impl<T: AsyncRead + Unpin> Read for MauveIo<T> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut cursor: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if !this.prefix.is_empty() {
            let count = cursor.remaining().min(this.prefix.len());
            cursor.put_slice(&this.prefix[..count]);
            this.prefix.drain(..count);
            return Poll::Ready(Ok(()));
        }
        with_buffer(|buffer| {
            let length = cursor.remaining().min(buffer.len());
            let stream = Pin::new(&mut this.stream);
            let count = ready!(stream.poll_read(context, &mut buffer[..length]))?;
            cursor.put_slice(&buffer[..count]);
            Poll::Ready(Ok(()))
        })
    }
}

impl<T: AsyncWrite + Unpin> Write for MauveIo<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_close(context)
    }
}
