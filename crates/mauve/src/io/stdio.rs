//! The standard streams of this process.
//!
//! They may be files, pipes or terminals, and are shared with other processes. So they are not made
//! non-blocking: a thread of the pool reads and writes them.

use std::io::{self, Read as _, Write as _};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead, AsyncWrite};
use mauve_core::pool::Lane;

use crate::transfer::Transfer;

/// The most bytes of one transfer.
const MAX_TRANSFER: usize = 64 * 1024;

/// The standard input of this process. It is buffered.
///
/// A read that waits for input occupies a thread of [`spawn_blocking`](crate::spawn_blocking). If
/// its future is dropped, the next read returns its bytes.
///
/// ```no_run
/// use mauve::io::{lines, stdin};
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let mut lines = lines(stdin());
///     while let Some(line) = lines.next_line().await? {
///         println!("{line}");
///     }
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn stdin() -> Stdin {
    Stdin { in_flight: None, buffer: Vec::new(), start: 0 }
}

/// The standard output of this process. A write completes when the kernel has the bytes.
///
/// ```
/// use futures_lite::AsyncWriteExt;
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(mauve::io::stdout().write_all(b"hello\n"))?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn stdout() -> Stdout {
    Stdout(Output { in_flight: None })
}

/// The standard error of this process. A write completes when the kernel has the bytes.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use futures_lite::AsyncWriteExt;
///
/// let mut errors = mauve::io::stderr();
/// errors.write_all(b"cannot read the configuration\n").await?;
/// errors.flush().await?;
/// # Ok(())
/// # }
/// ```
pub fn stderr() -> Stderr {
    Stderr(Output { in_flight: None })
}

/// The standard input of this process: see [`stdin`].
///
/// ```
/// use mauve::io;
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// # if std::env::args().count() == usize::MAX {
/// lp.block_on(async {
///     let mut lines = io::lines(io::stdin());
///     while let Some(line) = lines.next_line().await? {
///         println!("{line}");
///     }
///     std::io::Result::Ok(())
/// })?;
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Stdin {
    in_flight: Option<Transfer>,
    buffer: Vec<u8>,
    /// Where the unread bytes of the buffer begin.
    start: usize,
}

impl AsyncBufRead for Stdin {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        if this.start == this.buffer.len() {
            let transfer = this.in_flight.get_or_insert_with(|| {
                this.start = 0;
                let mut buffer = std::mem::take(&mut this.buffer);
                buffer.resize(MAX_TRANSFER, 0);
                Transfer::start_with_buffer(Lane::Blocking, buffer, |buffer| {
                    let count = io::stdin().read(buffer)?;
                    buffer.truncate(count);
                    Ok(count as u64)
                })
            });
            let result = ready!(transfer.poll(context));
            this.in_flight = None;
            (this.buffer, _) = result?;
        }
        Poll::Ready(Ok(&this.buffer[this.start..]))
    }

    fn consume(mut self: Pin<&mut Self>, count: usize) {
        self.start = (self.start + count).min(self.buffer.len());
    }
}

impl AsyncRead for Stdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let available = ready!(self.as_mut().poll_fill_buf(context))?;
        let count = available.len().min(buffer.len());
        buffer[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Poll::Ready(Ok(count))
    }
}

/// A write in flight, and a copy of its bytes.
#[derive(Debug)]
struct Output {
    in_flight: Option<(Transfer, Vec<u8>)>,
}

impl Output {
    fn poll_write(
        &mut self,
        context: &Context<'_>,
        bytes: &[u8],
        write: fn(&[u8]) -> io::Result<()>,
    ) -> Poll<io::Result<usize>> {
        let bytes = &bytes[..bytes.len().min(MAX_TRANSFER)];
        loop {
            match &mut self.in_flight {
                Some((transfer, begun)) if begun == bytes => {
                    let result = ready!(transfer.poll(context));
                    self.in_flight = None;
                    return Poll::Ready(result.map(|(_, count)| count as usize));
                }
                // Another write, whose future was dropped.
                Some(_) => ready!(self.poll_idle(context))?,
                None => {
                    let work = move |bytes: &mut Vec<u8>| {
                        write(bytes)?;
                        Ok(bytes.len() as u64)
                    };
                    let transfer =
                        Transfer::start_with_buffer(Lane::Blocking, bytes.to_vec(), work);
                    self.in_flight = Some((transfer, bytes.to_vec()));
                }
            }
        }
    }

    fn poll_idle(&mut self, context: &Context<'_>) -> Poll<io::Result<()>> {
        if let Some((transfer, _)) = &mut self.in_flight {
            let result = ready!(transfer.poll(context));
            self.in_flight = None;
            result?;
        }
        Poll::Ready(Ok(()))
    }
}

/// The standard output of this process: see [`stdout`].
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use futures_lite::AsyncWriteExt;
///
/// let mut stdout = mauve::io::stdout();
/// stdout.write_all(b"hello\n").await?;
/// stdout.flush().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Stdout(Output);

/// The standard error of this process: see [`stderr`].
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use futures_lite::AsyncWriteExt;
///
/// mauve::io::stderr().write_all(b"not found\n").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Stderr(Output);

fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn write_stderr(bytes: &[u8]) -> io::Result<()> {
    io::stderr().lock().write_all(bytes)
}

macro_rules! impl_write {
    ($name:ident, $write:ident) => {
        impl AsyncWrite for $name {
            fn poll_write(
                mut self: Pin<&mut Self>,
                context: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                self.0.poll_write(context, bytes, $write)
            }

            fn poll_flush(
                mut self: Pin<&mut Self>,
                context: &mut Context<'_>,
            ) -> Poll<io::Result<()>> {
                self.0.poll_idle(context)
            }

            fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.poll_flush(context)
            }
        }
    };
}

impl_write!(Stdout, write_stdout);
impl_write!(Stderr, write_stderr);
