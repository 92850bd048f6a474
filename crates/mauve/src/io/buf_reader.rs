//! A reader with a buffer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead};
use pin_project_lite::pin_project;

const CAPACITY: usize = 8 * 1024;

pin_project! {
    /// Adds a buffer to a reader, as [`std::io::BufReader`].
    #[derive(Debug)]
    pub struct BufReader<R> {
        #[pin]
        inner: R,
        buffer: Box<[u8]>,
        start: usize,
        end: usize,
    }
}

impl<R: AsyncRead> BufReader<R> {
    /// Adds a buffer of 8 KiB.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::io::{BufReader, lines};
    ///
    /// let mut reader = lines(BufReader::new(&b"one\ntwo\n"[..]));
    /// assert_eq!(reader.next_line().await?.as_deref(), Some("one"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(inner: R) -> Self {
        Self::with_capacity(CAPACITY, inner)
    }

    /// Adds a buffer of `capacity` bytes.
    pub fn with_capacity(capacity: usize, inner: R) -> Self {
        Self { inner, buffer: vec![0; capacity].into(), start: 0, end: 0 }
    }

    /// The bytes that were read and not consumed.
    pub fn buffer(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The reader.
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The reader. Reading from it directly loses the buffered bytes.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The reader. Buffered bytes are lost.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use futures_lite::AsyncReadExt;
    /// use mauve::io::BufReader;
    ///
    /// let mut reader = BufReader::with_capacity(4, &b"0123456789"[..]);
    /// reader.read_exact(&mut [0; 2]).await?;
    /// assert_eq!(reader.buffer(), b"23", "read, but not consumed");
    /// // The four bytes of the buffer were read, so the rest begins after them.
    /// assert_eq!(reader.into_inner(), b"456789");
    /// # Ok(())
    /// # }
    /// ```
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: AsyncRead> AsyncBufRead for BufReader<R> {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.project();
        if *this.start == *this.end {
            *this.end = ready!(this.inner.poll_read(context, this.buffer))?;
            *this.start = 0;
        }
        Poll::Ready(Ok(&this.buffer[*this.start..*this.end]))
    }

    fn consume(self: Pin<&mut Self>, count: usize) {
        let this = self.project();
        *this.start = (*this.start + count).min(*this.end);
    }
}

impl<R: AsyncRead> AsyncRead for BufReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if self.start == self.end && buffer.len() >= self.buffer.len() {
            return self.project().inner.poll_read(context, buffer);
        }
        let available = ready!(self.as_mut().poll_fill_buf(context))?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Poll::Ready(Ok(count))
    }
}
