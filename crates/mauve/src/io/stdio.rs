//! The standard streams of this process.
//!
//! They may be files, pipes or terminals, and are shared with other processes. So they are not made
//! non-blocking: a thread of the pool reads and writes them.

use std::io::{self, Read as _, Write as _};
use std::pin::Pin;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use futures_io::{AsyncBufRead, AsyncRead, AsyncWrite};
use mauve_core::pool::Lane;

use crate::transfer::Transfer;
use crate::writes::Writes;

/// The most bytes of one transfer.
const MAX_TRANSFER: usize = 64 * 1024;

/// The standard input of this process. It is buffered, and all values share the buffer: bytes that
/// one has not used when it is dropped are read by the next.
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

/// The standard output of this process.
///
/// Bytes are accepted at once and written by a thread, in order. The next write or flush waits for that
/// and returns its error. A loop that is dropped waits for them, too. Call `flush` before the process
/// exits otherwise.
///
/// ```
/// use futures_lite::AsyncWriteExt;
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(mauve::io::stdout().write_all(b"hello\n"))?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn stdout() -> Stdout {
    Stdout(())
}

/// The standard error of this process. See [`stdout`].
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
    Stderr(())
}

/// The standard input of this process: see [`stdin`].
#[derive(Debug)]
pub struct Stdin {
    /// A read on the pool, which adds to [`UNREAD`]. It returns whether it has reached the end.
    in_flight: Option<Transfer<bool>>,
    /// Bytes that were taken from [`UNREAD`] for a caller that borrows them.
    buffer: Vec<u8>,
    /// Where the unread bytes of the buffer begin.
    start: usize,
}

/// Bytes that were read from the standard input and that no `Stdin` has taken. The pool's threads add
/// to it while they own the lock of [`io::stdin`].
static UNREAD: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn unread() -> MutexGuard<'static, Vec<u8>> {
    UNREAD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for input, and adds it to [`UNREAD`]. Returns whether the end was reached.
fn read_more() -> io::Result<bool> {
    let mut input = io::stdin().lock();
    // A read whose `Stdin` was dropped may have ended while this one waited for the lock.
    if !unread().is_empty() {
        return Ok(false);
    }
    let mut buffer = vec![0; MAX_TRANSFER];
    let count = input.read(&mut buffer)?;
    unread().extend_from_slice(&buffer[..count]);
    Ok(count == 0)
}

impl Stdin {
    /// Waits until [`UNREAD`] is not empty, and calls `take` with it. At the end it is empty.
    fn poll_unread<R>(
        &mut self,
        context: &Context<'_>,
        take: impl FnOnce(&mut Vec<u8>) -> R,
    ) -> Poll<io::Result<R>> {
        let mut is_end = false;
        loop {
            let mut bytes = unread();
            if is_end || !bytes.is_empty() {
                return Poll::Ready(Ok(take(&mut bytes)));
            }
            drop(bytes);
            let start = || Transfer::start(Lane::Blocking, read_more);
            let result = ready!(self.in_flight.get_or_insert_with(start).poll(context));
            self.in_flight = None;
            is_end = result?;
        }
    }
}

impl Drop for Stdin {
    fn drop(&mut self) {
        if self.start < self.buffer.len() {
            unread().splice(..0, self.buffer.drain(self.start..));
        }
    }
}

impl AsyncBufRead for Stdin {
    fn poll_fill_buf(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        if this.start == this.buffer.len() {
            this.buffer = ready!(this.poll_unread(context, std::mem::take))?;
            this.start = 0;
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
        if buffer.is_empty() {
            return Poll::Ready(Ok(0));
        }
        if self.start < self.buffer.len() {
            let count = (&self.buffer[self.start..]).read(buffer)?;
            self.consume(count);
            return Poll::Ready(Ok(count));
        }
        self.poll_unread(context, |bytes| {
            let count = bytes.len().min(buffer.len());
            for (to, from) in buffer.iter_mut().zip(bytes.drain(..count)) {
                *to = from;
            }
            count
        })
    }
}

/// The standard output of this process: see [`stdout`].
#[derive(Debug)]
pub struct Stdout(());

/// The standard error of this process: see [`stderr`].
#[derive(Debug)]
pub struct Stderr(());

fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn write_stderr(bytes: &[u8]) -> io::Result<()> {
    io::stderr().lock().write_all(bytes)
}

/// The writes of the two streams. All values share them, which keeps their order.
static STDOUT: LazyLock<Writes> = LazyLock::new(Writes::default);
static STDERR: LazyLock<Writes> = LazyLock::new(Writes::default);

macro_rules! impl_write {
    ($name:ident, $writes:ident, $write:ident) => {
        impl AsyncWrite for $name {
            fn poll_write(
                self: Pin<&mut Self>,
                context: &mut Context<'_>,
                bytes: &[u8],
            ) -> Poll<io::Result<usize>> {
                let bytes = &bytes[..bytes.len().min(MAX_TRANSFER)];
                let write = || {
                    let bytes = bytes.to_vec();
                    move || $write(&bytes)
                };
                $writes.poll_start(context, Lane::Blocking, write).map_ok(|()| bytes.len())
            }

            fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                $writes.poll_flush(context)
            }

            fn poll_close(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
                self.poll_flush(context)
            }
        }
    };
}

impl_write!(Stdout, STDOUT, write_stdout);
impl_write!(Stderr, STDERR, write_stderr);
