//! Terminals, with callbacks.

use std::io::IsTerminal as _;
use std::os::fd::{AsFd, OwnedFd, RawFd};

use mauve_core::handle::stream::Terminal;
use mauve_sys::tty::{self, Mode};
use mauve_sys::{Errno, Result};

use super::{Stream, StreamHandle};
use crate::LoopRef;
use crate::handle::AnyHandle;

/// A terminal.
///
/// ```
/// use std::io::IsTerminal;
/// use std::os::fd::AsFd;
/// use mauve::{Loop, Tty};
///
/// let lp: Loop = Loop::new()?;
/// let stdout = std::io::stdout();
/// if stdout.is_terminal() {
///     let terminal = Tty::new(&lp, stdout.as_fd().try_clone_to_owned()?)?;
///     let (columns, rows) = terminal.window_size()?;
///     terminal.write(format!("{columns} columns, {rows} rows\n"))?;
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "uv_tty_t")]
pub struct Tty<S = ()>(Stream<S>);

impl<S: 'static> Tty<S> {
    /// Creates a handle for the terminal of an open descriptor, such as standard input. The
    /// terminal is reopened, so that non-blocking mode does not affect other users of the
    /// descriptor. `EINVAL` if it is not a terminal.
    ///
    /// ```
    /// use mauve::{Errno, Loop, Tty};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let file = std::fs::File::open("/dev/null")?;
    /// assert_eq!(Tty::new(&lp, file.into()).unwrap_err(), Errno::EINVAL);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[doc(alias = "uv_tty_init")]
    pub fn new(lp: &LoopRef<S>, mut terminal: OwnedFd) -> Result<Self> {
        if !terminal.is_terminal() {
            return Err(Errno::EINVAL);
        }
        let reopened = tty::reopen(&mut terminal)?;
        let blocks = reopened.is_none();
        let fd = reopened.unwrap_or(terminal);
        let (readable, writable) = mauve_sys::fd::access_mode(fd.as_fd())?;
        let terminal = Terminal { fd, readable, writable, blocks };
        Ok(Self(Stream::open(lp, |engine, token| engine.open_tty(token, terminal))))
    }

    /// Sets the terminal mode. [`tty_reset_mode`](crate::tty_reset_mode) restores the original one.
    ///
    /// ```
    /// use std::io::IsTerminal;
    /// use std::os::fd::AsFd;
    /// use mauve::{Loop, Tty, TtyMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let stdin = std::io::stdin();
    /// if stdin.is_terminal() {
    ///     let terminal = Tty::new(&lp, stdin.as_fd().try_clone_to_owned()?)?;
    ///     // Keys arrive one by one, without an echo.
    ///     terminal.set_mode(TtyMode::Raw)?;
    ///     mauve::tty_reset_mode()?;
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[doc(alias = "uv_tty_set_mode")]
    pub fn set_mode(&self, mode: Mode) -> Result<()> {
        self.0.with(|mut stream| stream.set_tty_mode(mode))?
    }

    /// The window size: columns and rows.
    #[doc(alias = "uv_tty_get_winsize")]
    pub fn window_size(&self) -> Result<(u16, u16)> {
        self.0.with(|mut stream| tty::window_size(stream.fd()?))?
    }

    /// Starts reading. `callback` gets the bytes as they arrive, `None` at the end of the stream,
    /// or an error after which nothing more is read.
    #[doc(alias = "uv_read_start")]
    #[track_caller]
    pub fn read_start(
        &self,
        callback: impl FnMut(&mut S, &Self, Result<Option<&[u8]>>) + 'static,
    ) -> Result<()> {
        self.0.read_start(callback)
    }

    /// Stops reading. Does nothing if the stream is not reading.
    #[doc(alias = "uv_read_stop")]
    pub fn read_stop(&self) {
        self.0.read_stop();
    }

    /// Writes `bytes`: a `&str`, a byte string, a `Vec<u8>`, a `String`, and similar types. What
    /// cannot be written at once is queued. A vector is moved to the queue, not copied. To bound the
    /// queue, check [`write_queue_size`](Self::write_queue_size).
    ///
    /// An error that occurs after this call is not reported. [`write_with`](Self::write_with) does.
    #[doc(alias = "uv_write")]
    pub fn write(&self, bytes: impl AsRef<[u8]> + Into<Vec<u8>>) -> Result<()> {
        self.0.write(bytes)
    }

    /// [`write`](Self::write), and calls `callback` when all bytes are written, or with an error.
    #[doc(alias = "uv_write_cb")]
    #[track_caller]
    pub fn write_with(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        self.0.write_with(bytes, callback)
    }

    /// Writes as many bytes as possible without blocking or queueing, and returns their number.
    /// `EAGAIN` if none can be written.
    #[doc(alias = "uv_try_write")]
    pub fn try_write(&self, bytes: &[u8]) -> Result<usize> {
        self.0.try_write(bytes)
    }

    /// Shuts down the write side after all queued writes.
    #[doc(alias = "uv_shutdown")]
    pub fn shutdown(&self) -> Result<()> {
        self.0.shutdown(|_, _| {})
    }

    /// Shuts down the write side after all queued writes, then calls `callback`.
    #[doc(alias = "uv_shutdown_cb")]
    #[track_caller]
    pub fn shutdown_with(&self, callback: impl FnOnce(&mut S, Result<()>) + 'static) -> Result<()> {
        self.0.shutdown(callback)
    }

    /// Number of bytes that are queued for writing.
    #[doc(alias = "uv_stream_get_write_queue_size")]
    pub fn write_queue_size(&self) -> usize {
        self.0.write_queue_size()
    }

    /// Whether the stream is readable.
    #[doc(alias = "uv_is_readable")]
    pub fn is_readable(&self) -> bool {
        self.0.is_readable()
    }

    /// Whether the stream is writable.
    #[doc(alias = "uv_is_writable")]
    pub fn is_writable(&self) -> bool {
        self.0.is_writable()
    }

    /// The file descriptor, for logging and comparison. The handle owns it and may close it.
    #[doc(alias = "uv_fileno")]
    #[doc(alias = "as_raw_fd")]
    pub fn fileno(&self) -> Result<RawFd> {
        self.0.fileno()
    }

    /// Sets the descriptor to blocking or non-blocking mode.
    #[doc(alias = "uv_stream_set_blocking")]
    pub fn set_blocking(&self, blocking: bool) -> Result<()> {
        self.0.set_blocking(blocking)
    }
}

impl<S: 'static> Tty<S> {
    /// The loop of the handle.
    #[doc(alias = "uv_handle_get_loop")]
    pub fn event_loop(&self) -> &LoopRef<S> {
        self.0.handle.event_loop()
    }

    /// Whether the handle is active. A stream is while it reads, writes or listens.
    #[doc(alias = "uv_is_active")]
    pub fn is_active(&self) -> bool {
        self.0.handle.is_active()
    }

    /// Whether the handle is closing or closed.
    #[doc(alias = "uv_is_closing")]
    pub fn is_closing(&self) -> bool {
        self.0.handle.is_closing()
    }

    /// Whether the handle is referenced: it then keeps the loop alive while it is active.
    #[doc(alias = "uv_has_ref")]
    pub fn has_ref(&self) -> bool {
        self.0.handle.has_ref()
    }

    /// References the handle. Handles are referenced when they are created.
    #[doc(alias = "uv_ref")]
    pub fn ref_(&self) {
        self.0.handle.ref_();
    }

    /// Unreferences the handle: it no longer keeps the loop alive.
    #[doc(alias = "uv_unref")]
    pub fn unref(&self) {
        self.0.handle.unref();
    }

    /// Closes the handle. Does nothing if it is closed already.
    #[doc(alias = "uv_close")]
    pub fn close(&self) {
        self.0.handle.close();
    }

    /// Closes the handle and calls `callback` in the close phase. `EINVAL` if it is closed already.
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        self.0.handle.close_with(callback)
    }
}

impl<S> Clone for Tty<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Tty<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Tty<S>> for AnyHandle<S> {
    fn from(handle: Tty<S>) -> Self {
        handle.0.into_any()
    }
}

impl<S> StreamHandle<S> for Tty<S> {
    fn from_stream(stream: Stream<S>) -> Self {
        Self(stream)
    }

    fn into_stream(self) -> Stream<S> {
        self.0
    }
}
