//! Reading lines.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_io::AsyncBufRead;

/// The lines of a buffered reader.
pub fn lines<R: AsyncBufRead + Unpin>(reader: R) -> Lines<R> {
    Lines { reader, line: Vec::new() }
}

/// The lines of a buffered reader: see [`lines`].
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let mut lines = mauve::io::lines(&b"one\r\ntwo"[..]);
/// assert_eq!(lines.next_line().await?.as_deref(), Some("one"));
/// assert_eq!(lines.next_line().await?.as_deref(), Some("two"));
/// assert_eq!(lines.next_line().await?, None);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Lines<R> {
    reader: R,
    /// The line so far.
    line: Vec<u8>,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// The next line, without its line ending. `None` at the end.
    ///
    /// # Errors
    /// Those of the reader, and `InvalidData` if the line is not UTF-8.
    ///
    /// # Cancel safety
    /// No bytes are lost if the future is dropped before it completes.
    pub async fn next_line(&mut self) -> io::Result<Option<String>> {
        poll_fn(|context| self.poll_next_line(context)).await
    }

    /// Polls for the next line.
    pub fn poll_next_line(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<Option<String>>> {
        loop {
            let available = ready!(Pin::new(&mut self.reader).poll_fill_buf(context))?;
            if available.is_empty() {
                let end = self.line.is_empty();
                return Poll::Ready(if end { Ok(None) } else { self.take_line().map(Some) });
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let count = newline.map_or(available.len(), |at| at + 1);
            self.line.extend_from_slice(&available[..count]);
            Pin::new(&mut self.reader).consume(count);
            if newline.is_some() {
                return Poll::Ready(self.take_line().map(Some));
            }
        }
    }

    /// The reader.
    pub fn into_inner(self) -> R {
        self.reader
    }

    fn take_line(&mut self) -> io::Result<String> {
        let mut line = std::mem::take(&mut self.line);
        if line.last() == Some(&b'\n') {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        String::from_utf8(line).map_err(invalid)
    }
}

/// The lines, as a stream.
impl<R: AsyncBufRead + Unpin> Stream for Lines<R> {
    type Item = io::Result<String>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_next_line(context).map(Result::transpose)
    }
}
