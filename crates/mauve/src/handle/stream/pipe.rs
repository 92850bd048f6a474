//! Unix domain sockets and pipes, with callbacks.

use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use mauve_core::{Engine, HandleId, Token};
use mauve_sys::Result;
use mauve_sys::driver::Platform;

use super::{Stream, StreamHandle};
use crate::LoopRef;
use crate::handle::AnyHandle;

/// A Unix domain socket, a pipe or a FIFO.
///
/// ```
/// use std::os::unix::net::UnixStream;
/// use mauve::{Loop, Pipe, RunMode};
///
/// let lp = Loop::<Vec<u8>>::new()?;
/// let (one, two) = UnixStream::pair().unwrap();
/// let (sender, receiver) = (Pipe::new(&lp), Pipe::new(&lp));
/// sender.open(one.into())?;
/// receiver.open(two.into())?;
/// receiver.read_start(|received, receiver, data| match data {
///     Ok(Some(bytes)) => received.extend(bytes),
///     _ => receiver.close(),
/// })?;
/// sender.write("hello")?;
/// sender.close();
/// let mut received = Vec::new();
/// lp.run_with(&mut received, RunMode::Default)?;
/// assert_eq!(received, b"hello");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_pipe_t")]
pub struct Pipe<S = ()>(Stream<S>);

/// Opens a pipe that passes no descriptors.
fn open_pipe(engine: &mut Engine<Platform>, token: Token) -> HandleId {
    engine.open_pipe(token, false)
}

impl<S: 'static> Pipe<S> {
    /// Creates a handle without a descriptor.
    #[doc(alias = "uv_pipe_init")]
    pub fn new(lp: &LoopRef<S>) -> Self {
        Self(Stream::open(lp, open_pipe))
    }

    /// Takes over an open descriptor: one end of a pipe, or a Unix domain socket.
    ///
    /// ```
    /// use std::io::Write;
    /// use mauve::{Loop, Pipe, RunMode};
    ///
    /// let (reader, mut writer) = std::io::pipe().unwrap();
    /// let lp = Loop::<usize>::new()?;
    /// let pipe = Pipe::new(&lp);
    /// pipe.open(reader.into())?;
    /// assert!(pipe.is_readable() && !pipe.is_writable());
    /// pipe.read_start(|received, pipe, data| match data {
    ///     Ok(Some(bytes)) => *received += bytes.len(),
    ///     _ => pipe.close(),
    /// })?;
    /// writer.write_all(b"hello").unwrap();
    /// drop(writer);
    /// let mut received = 0;
    /// lp.run_with(&mut received, RunMode::Default)?;
    /// assert_eq!(received, 5);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_pipe_open")]
    pub fn open(&self, fd: OwnedFd) -> Result<()> {
        self.0.with(|mut stream| {
            let (readable, writable) = mauve_sys::fd::access_mode(fd.as_fd())?;
            let adopted = stream.open(fd.as_raw_fd(), readable, writable)?;
            mauve_sys::fd::set_nonblocking(fd.as_raw_fd(), true)?;
            Ok(stream.adopt(fd, adopted)?)
        })?
    }

    /// Binds to a path. The path is unlinked when the handle is closed.
    #[doc(alias = "uv_pipe_bind")]
    pub fn bind(&self, path: impl AsRef<Path>) -> Result<()> {
        self.0.with(|mut stream| stream.bind_pipe(path.as_ref().as_os_str().as_bytes()))?
    }

    /// Listens for connections. `callback` gets each accepted connection as a stream of its own.
    ///
    /// A connection belongs to the values that refer to it, and to its read callback until that gets
    /// the end of the stream or an error. When the last of them is gone, queued writes are sent and
    /// the connection is closed. So dropping a connection closes it.
    ///
    /// ```
    /// use mauve::{Loop, Pipe, RunMode};
    ///
    /// # let path = std::env::temp_dir().join(format!("example-{}", std::process::id()));
    /// let lp: Loop = Loop::new()?;
    /// let server = Pipe::new(&lp);
    /// server.bind(&path)?;
    /// server.listen(128, |_, server, connection| {
    ///     connection.unwrap().write("hello").unwrap();
    ///     server.close();
    /// })?;
    /// # use std::io::Read;
    /// let mut client = std::os::unix::net::UnixStream::connect(&path).unwrap();
    /// lp.run(RunMode::Default)?;
    /// let mut text = String::new();
    /// client.read_to_string(&mut text).unwrap();
    /// assert_eq!(text, "hello");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_listen")]
    #[doc(alias = "uv_accept")]
    #[track_caller]
    pub fn listen(
        &self,
        backlog: i32,
        callback: impl FnMut(&mut S, &Self, Result<Self>) + 'static,
    ) -> Result<()> {
        self.0.listen(|mut stream| stream.listen_pipe(backlog), open_pipe, callback)
    }

    /// Connects to the socket at `path`, and calls `callback` with the result.
    ///
    /// ```
    /// use mauve::{Errno, Loop, Pipe, RunMode};
    ///
    /// let lp = Loop::<Option<Errno>>::new()?;
    /// let client = Pipe::new(&lp);
    /// client.connect("no such socket", |error, result| *error = result.err())?;
    /// let mut error = None;
    /// lp.run_with(&mut error, RunMode::Default)?;
    /// assert_eq!(error, Some(Errno::ENOENT));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_pipe_connect")]
    #[track_caller]
    pub fn connect(
        &self,
        path: impl AsRef<Path>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        let name = path.as_ref().as_os_str().as_bytes();
        self.0.request(|mut stream, token| stream.connect_pipe(token, name), callback)
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
    ///
    /// ```
    /// use std::io::Write;
    /// use mauve::{Loop, Pipe, RunMode};
    ///
    /// let (reader, mut writer) = std::io::pipe().unwrap();
    /// let lp = Loop::<usize>::new()?;
    /// let pipe = Pipe::new(&lp);
    /// pipe.open(reader.into())?;
    /// pipe.read_start(|received, pipe, data| {
    ///     *received += data.unwrap().unwrap().len();
    ///     pipe.read_stop();
    /// })?;
    /// writer.write_all(b"hello").unwrap();
    /// let mut received = 0;
    /// assert!(!lp.run_with(&mut received, RunMode::Default)?, "nothing keeps the loop alive");
    /// assert_eq!(received, 5);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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
    ///
    /// ```
    /// use mauve::{Errno, Loop, Pipe, RunMode};
    ///
    /// let (reader, writer) = std::io::pipe().unwrap();
    /// drop(reader);
    /// let lp = Loop::<Option<Errno>>::new()?;
    /// let pipe = Pipe::new(&lp);
    /// pipe.open(writer.into())?;
    /// pipe.write_with("hello", |error, result| *error = result.err())?;
    /// let mut error = None;
    /// lp.run_with(&mut error, RunMode::Default)?;
    /// assert_eq!(error, Some(Errno::EPIPE));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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

impl<S: 'static> Pipe<S> {
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
    ///
    /// ```
    /// use mauve::{Loop, Pipe, RunMode};
    ///
    /// let lp = Loop::<bool>::new()?;
    /// Pipe::new(&lp).close_with(|closed| *closed = true)?;
    /// let mut closed = false;
    /// lp.run_with(&mut closed, RunMode::Default)?;
    /// assert!(closed);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_close")]
    #[track_caller]
    pub fn close_with(&self, callback: impl FnOnce(&mut S) + 'static) -> Result<()> {
        self.0.handle.close_with(callback)
    }
}

impl<S> Pipe<S> {
    /// The engine's id, for [`Process::spawn`](super::super::Process::spawn).
    pub(in crate::handle) fn id(&self) -> HandleId {
        self.0.handle.id
    }
}

impl<S> Clone for Pipe<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S> std::fmt::Debug for Pipe<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<S> From<Pipe<S>> for AnyHandle<S> {
    fn from(handle: Pipe<S>) -> Self {
        handle.0.into_any()
    }
}

impl<S> StreamHandle<S> for Pipe<S> {
    fn from_stream(stream: Stream<S>) -> Self {
        Self(stream)
    }

    fn into_stream(self) -> Stream<S> {
        self.0
    }
}
