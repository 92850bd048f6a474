//! Unix domain sockets and pipes, with callbacks.

use std::path::Path;

use mauve_core::{Engine, HandleId, Token};
use mauve_sys::Result;
use mauve_sys::descriptor::{self, AsDescriptor as _};
use mauve_sys::driver::Platform;

use super::Stream;
use crate::LoopRef;

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

stream_type!(Pipe);

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
    #[doc(alias = "uv_pipe_open")]
    pub fn open(&self, fd: descriptor::Pipe) -> Result<()> {
        self.with(|mut stream| {
            let (readable, writable) = mauve_sys::fd::access_mode(fd.as_descriptor())?;
            let adopted = stream.open(fd.raw_descriptor(), readable, writable)?;
            mauve_sys::fd::set_nonblocking(fd.raw_descriptor(), true)?;
            Ok(stream.adopt(fd, adopted)?)
        })?
    }

    /// Binds to a path. The path is unlinked when the handle is closed.
    #[doc(alias = "uv_pipe_bind")]
    pub fn bind(&self, path: impl AsRef<Path>) -> Result<()> {
        self.with(|mut stream| stream.bind_pipe(path.as_ref().as_os_str().as_encoded_bytes()))?
    }

    /// Listens for connections. `callback` gets each accepted connection as a stream of its own.
    ///
    /// A connection belongs to the values that refer to it, to the callbacks of its requests, and to its
    /// read callback until that gets the end of the stream or an error. When the last of them is gone,
    /// queued writes are sent and the connection is closed. So dropping a connection closes it.
    #[doc(alias = "uv_listen")]
    #[doc(alias = "uv_accept")]
    #[track_caller]
    pub fn listen(
        &self,
        backlog: i32,
        callback: impl FnMut(&mut S, &Self, Result<Self>) + 'static,
    ) -> Result<()> {
        self.listen_with(|mut stream| stream.listen_pipe(backlog), open_pipe, callback)
    }

    /// Connects to the socket at `path`, and calls `callback` with the result.
    #[doc(alias = "uv_pipe_connect")]
    #[track_caller]
    pub fn connect(
        &self,
        path: impl AsRef<Path>,
        callback: impl FnOnce(&mut S, &Self, Result<()>) + 'static,
    ) -> Result<()> {
        let name = path.as_ref().as_os_str().as_encoded_bytes();
        self.request(|mut stream, token| stream.connect_pipe(token, name), callback)
    }
}
