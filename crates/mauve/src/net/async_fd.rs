//! Any descriptor, for tasks.

use std::fmt;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::task::{Context, Poll, ready};

use mauve_core::Engine;
use mauve_sys::driver::{Interest, Platform};
use mauve_sys::{Errno, fd};

use super::Direction;
use super::socket::Socket;
use crate::core::current;

/// Waits until a descriptor is readable or writable.
///
/// It is for descriptors that this crate has no type for: `eventfd`, `inotify`, a device, a socket
/// of a C library. The descriptor has to be in non-blocking mode, because an operation may be
/// attempted when it is not ready. The loop polls the descriptor only while a task waits for it.
///
/// ```
/// use std::io::{Read, Write};
/// use std::os::unix::net::UnixStream;
/// use mauve::net::AsyncFd;
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let (ours, mut theirs) = UnixStream::pair()?;
///     ours.set_nonblocking(true)?;
///     let ours = AsyncFd::new(ours)?;
///     theirs.write_all(b"hello")?;
///
///     let mut buffer = [0; 100];
///     let count = loop {
///         let mut guard = ours.readable().await?;
///         match guard.try_io(|fd| fd.get_ref().read(&mut buffer)) {
///             Ok(result) => break result?,
///             Err(_would_block) => continue,
///         }
///     };
///     assert_eq!(&buffer[..count], b"hello");
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AsyncFd<T: AsFd> {
    /// Before `inner`, because the loop stops polling before the descriptor is closed.
    socket: Socket,
    inner: T,
}

impl<T: AsFd> AsyncFd<T> {
    /// Creates an `AsyncFd`, on the loop that runs on this thread.
    ///
    /// # Errors
    /// `EPERM` if the descriptor cannot be polled (a regular file), `EEXIST` if the loop polls it
    /// already.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn new(inner: T) -> io::Result<Self> {
        let fd = inner.as_fd().as_raw_fd();
        let socket = Socket::try_open(current(), |engine, token| engine.open_poll(token, fd))?;
        Ok(Self { socket, inner })
    }

    /// The inner value.
    pub fn get_ref(&self) -> &T {
        &self.inner
    }

    /// The inner value. Its descriptor must stay the same.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.inner
    }

    /// Stops polling and returns the inner value.
    pub fn into_inner(self) -> T {
        drop(self.socket);
        self.inner
    }

    /// Waits until the descriptor is readable, or has an error or the end of a stream.
    ///
    /// # Errors
    /// `EINVAL` if the loop was dropped.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the next call finds the same readiness.
    pub async fn readable(&self) -> io::Result<AsyncFdReadyGuard<'_, T>> {
        let poll = |context: &mut Context<'_>| self.poll_ready(context, Interest::READABLE);
        self.socket.wait(Direction::Read, poll).await?;
        Ok(AsyncFdReadyGuard(self))
    }

    /// Waits until the descriptor is writable, or has an error.
    ///
    /// # Errors
    /// `EINVAL` if the loop was dropped.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the next call finds the same readiness.
    pub async fn writable(&self) -> io::Result<AsyncFdReadyGuard<'_, T>> {
        let poll = |context: &mut Context<'_>| self.poll_ready(context, Interest::WRITABLE);
        self.socket.wait(Direction::Write, poll).await?;
        Ok(AsyncFdReadyGuard(self))
    }

    /// Calls `operation` until it does not return `WouldBlock`, and waits for readability or
    /// writability in between.
    ///
    /// ```
    /// use std::os::unix::net::UnixDatagram;
    /// use mauve::Interest;
    /// use mauve::net::AsyncFd;
    ///
    /// let lp: mauve::Loop = mauve::Loop::new()?;
    /// lp.block_on(async {
    ///     let (ours, theirs) = UnixDatagram::pair()?;
    ///     ours.set_nonblocking(true)?;
    ///     let ours = AsyncFd::new(ours)?;
    ///     theirs.send(b"hello")?;
    ///     let mut buffer = [0; 8];
    ///     let count = ours.async_io(Interest::READABLE, |socket| socket.recv(&mut buffer)).await?;
    ///     assert_eq!(count, 5);
    ///     std::io::Result::Ok(())
    /// })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Cancel safety
    /// If the future is dropped before it completes, each call of `operation` has returned `WouldBlock`.
    pub async fn async_io<R>(
        &self,
        interest: Interest,
        mut operation: impl FnMut(&T) -> io::Result<R>,
    ) -> io::Result<R> {
        let poll = |context: &mut Context<'_>| {
            ready!(self.socket.poll_budget(context));
            if self.socket.core.is_closed() {
                return Poll::Ready(Err(Errno::EINVAL.into()));
            }
            match operation(&self.inner) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ready!(self.socket.wait_polled(context, interest))?;
                    Poll::Pending
                }
                result => self.socket.finish(result),
            }
        };
        self.socket.wait(Direction::of(interest), poll).await
    }

    /// Polls for readability. Every waker that it was called with is woken by the next event, and kept
    /// until then.
    pub fn poll_read_ready(
        &self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<AsyncFdReadyGuard<'_, T>>> {
        self.poll_ready(context, Interest::READABLE).map_ok(|()| AsyncFdReadyGuard(self))
    }

    /// As [`poll_read_ready`](Self::poll_read_ready), for writability.
    pub fn poll_write_ready(
        &self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<AsyncFdReadyGuard<'_, T>>> {
        self.poll_ready(context, Interest::WRITABLE).map_ok(|()| AsyncFdReadyGuard(self))
    }

    fn poll_ready(&self, context: &Context<'_>, interest: Interest) -> Poll<io::Result<()>> {
        ready!(self.socket.poll_budget(context));
        let is_ready = match interest {
            Interest::WRITABLE => fd::is_writable(self.inner.as_fd()),
            _ => fd::is_readable(self.inner.as_fd()),
        };
        if is_ready? && !self.socket.core.is_closed() {
            return self.socket.finish(Ok(()));
        }
        self.socket.wait_polled(context, interest)
    }
}

impl Socket {
    /// Registers the task to be woken when a polled descriptor is ready. Ready only with an error.
    fn wait_polled(&self, context: &Context<'_>, interest: Interest) -> Poll<io::Result<()>> {
        match interest {
            Interest::WRITABLE => self.wait_write(context)?,
            _ => self.wait_read(context)?,
        }
        let interest = self.core.targets.poll_interest(self.key);
        let start = |engine: &mut Engine<Platform>| {
            engine.poll(self.id).ok_or(Errno::EINVAL)?.start(interest)
        };
        match self.core.engine_result(start) {
            Ok(()) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }
}

impl<T: AsFd> AsFd for AsyncFd<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inner.as_fd()
    }
}

impl<T: AsFd> AsRawFd for AsyncFd<T> {
    fn as_raw_fd(&self) -> RawFd {
        self.inner.as_fd().as_raw_fd()
    }
}

/// A descriptor that was ready. Returned by [`AsyncFd::readable`] and [`AsyncFd::writable`].
#[derive(Debug)]
#[must_use = "the descriptor is ready: perform an operation with `try_io`"]
pub struct AsyncFdReadyGuard<'a, T: AsFd>(&'a AsyncFd<T>);

impl<'a, T: AsFd> AsyncFdReadyGuard<'a, T> {
    /// Performs an operation.
    ///
    /// # Errors
    /// [`TryIoError`] if it returns `WouldBlock`: wait for readiness again.
    pub fn try_io<R>(
        &mut self,
        operation: impl FnOnce(&'a AsyncFd<T>) -> io::Result<R>,
    ) -> Result<io::Result<R>, TryIoError> {
        match operation(self.0) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => Err(TryIoError(())),
            result => Ok(result),
        }
    }

    /// Does nothing: readiness is not cached. It is here for code that was written for tokio.
    pub fn clear_ready(&mut self) {}

    /// The `AsyncFd`.
    pub fn get_ref(&self) -> &'a AsyncFd<T> {
        self.0
    }

    /// The inner value of the `AsyncFd`.
    pub fn get_inner(&self) -> &'a T {
        self.0.get_ref()
    }
}

/// The operation of [`AsyncFdReadyGuard::try_io`] has returned `WouldBlock`.
#[derive(Debug)]
pub struct TryIoError(());

impl fmt::Display for TryIoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the operation would block")
    }
}

impl std::error::Error for TryIoError {}
