//! TCP sockets, pipes and terminals, with callbacks.

/// Implements what the types of streams have in common, for a type that wraps a [`Stream`].
macro_rules! stream_type {
    ($name:ident) => {
        wrapper_type!($name(Stream<S>));

        impl<S> From<$name<S>> for Stream<S> {
            fn from(stream: $name<S>) -> Self {
                stream.0
            }
        }

        /// `EINVAL` if the stream is of another kind.
        impl<S: 'static> TryFrom<Stream<S>> for $name<S> {
            type Error = mauve_sys::Errno;

            fn try_from(stream: Stream<S>) -> mauve_sys::Result<Self> {
                if stream.kind() == mauve_core::HandleKind::$name {
                    Ok(Self(stream))
                } else {
                    Err(mauve_sys::Errno::EINVAL)
                }
            }
        }

        impl<S> super::StreamType<S> for $name<S> {
            fn from_stream(stream: Stream<S>) -> Self {
                Self(stream)
            }
        }

        impl<S: 'static> $name<S> {
            /// [`Stream::read_start`], with a callback that gets the stream in its own type.
            #[doc(alias = "uv_read_start")]
            #[track_caller]
            pub fn read_start(
                &self,
                callback: impl FnMut(&mut S, &Self, mauve_sys::Result<Option<&[u8]>>) + 'static,
            ) -> mauve_sys::Result<()> {
                self.read_as(callback)
            }

            /// [`Stream::write_with`], with a callback that gets the stream in its own type.
            #[doc(alias = "uv_write_cb")]
            #[track_caller]
            pub fn write_with(
                &self,
                bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
                callback: impl FnOnce(&mut S, &Self, mauve_sys::Result<()>) + 'static,
            ) -> mauve_sys::Result<()> {
                self.write_as(bytes, callback)
            }

            /// [`Stream::shutdown_with`], with a callback that gets the stream in its own type.
            #[doc(alias = "uv_shutdown_cb")]
            #[track_caller]
            pub fn shutdown_with(
                &self,
                callback: impl FnOnce(&mut S, &Self, mauve_sys::Result<()>) + 'static,
            ) -> mauve_sys::Result<()> {
                self.shutdown_as(callback)
            }
        }
    };
}

mod owner;
mod pipe;
mod tcp;
mod tty;

use std::io::IoSlice;
use std::ops::Deref;
use std::rc::Rc;

use mauve_core::handle::stream::{Connection, ReadOutcome, StreamMut, WriteBytes};
use mauve_core::{Completion, Engine, HandleId, Token, trace};
use mauve_sys::descriptor::{AsDescriptor as _, RawDescriptor};
use mauve_sys::driver::Platform;
use mauve_sys::fd::can_try_write;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use owner::ConnectionOwner;
pub use pipe::Pipe;
pub use tcp::Tcp;
pub use tty::Tty;

use super::AnyHandle;
use crate::LoopRef;
use crate::targets::{NO_TARGET, Report};

/// The bytes of a write, without those that were sent before. A vector is moved to the queue.
struct Unsent<B> {
    bytes: B,
    sent: usize,
}

impl<B: AsRef<[u8]> + Into<Vec<u8>>> WriteBytes for Unsent<B> {
    fn with_slices<R>(&self, use_slices: impl FnOnce(&[IoSlice<'_>], usize) -> R) -> R {
        let bytes = &self.bytes.as_ref()[self.sent..];
        use_slices(&[IoSlice::new(bytes)], bytes.len())
    }

    fn into_payload(self) -> Payload {
        let mut payload = Payload::owned(self.bytes);
        payload.advance(self.sent);
        payload
    }
}

/// A byte stream: a [`Tcp`] connection, a [`Pipe`] or a [`Tty`]. These types dereference to it.
///
/// ```
/// use mauve::{Loop, Pipe, RunMode, Stream, Tcp};
///
/// let (reader, writer) = std::io::pipe().unwrap();
/// let lp = Loop::<Vec<u8>>::new()?;
/// let (input, output) = (Pipe::new(&lp), Pipe::new(&lp));
/// input.open(reader.into())?;
/// output.open(writer.into())?;
/// let stream = Stream::from(output);
/// stream.write_with("hello", |_, stream, result| {
///     result.unwrap();
///     stream.close();
/// })?;
/// input.read_start(|received, input, data| match data {
///     Ok(Some(bytes)) => received.extend(bytes),
///     _ => input.close(),
/// })?;
/// let mut received = Vec::new();
/// lp.run_with(&mut received, RunMode::Default)?;
/// assert_eq!(received, b"hello");
/// assert!(Tcp::try_from(stream).is_err(), "the stream is a pipe");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_stream_t")]
pub struct Stream<S = ()> {
    handle: AnyHandle<S>,
    /// Set for a connection that `listen` has accepted.
    owner: Option<Rc<ConnectionOwner>>,
}

/// A type of stream, as which callbacks get theirs.
trait StreamType<S>: Into<Stream<S>> {
    fn from_stream(stream: Stream<S>) -> Self;
}

impl<S> StreamType<S> for Stream<S> {
    fn from_stream(stream: Stream<S>) -> Self {
        stream
    }
}

impl<S> Deref for Stream<S> {
    type Target = AnyHandle<S>;

    fn deref(&self) -> &AnyHandle<S> {
        &self.handle
    }
}

/// An accepted connection is no longer closed when nothing refers to it.
impl<S> From<Stream<S>> for AnyHandle<S> {
    fn from(stream: Stream<S>) -> Self {
        if let Some(owner) = &stream.owner {
            owner.release();
        }
        stream.handle
    }
}

impl<S> Clone for Stream<S> {
    fn clone(&self) -> Self {
        Self { handle: self.handle.clone(), owner: self.owner.clone() }
    }
}

impl<S> std::fmt::Debug for Stream<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.handle.fmt(f)
    }
}

impl<S: 'static> Stream<S> {
    fn open(lp: &LoopRef<S>, open: impl FnOnce(&mut Engine<Platform>, Token) -> HandleId) -> Self {
        Self { handle: AnyHandle::open(lp, open), owner: None }
    }

    /// Performs an operation on the engine's stream. `EINVAL` if it is closed.
    fn with<R>(&self, operation: impl FnOnce(StreamMut<'_, Platform>) -> R) -> Result<R> {
        self.lp.core.engine_result(|engine| {
            let stream = engine.stream(self.id).ok_or(Errno::EINVAL)?;
            Ok(operation(stream))
        })
    }

    /// Starts a request on the stream. `callback` gets the stream, as a `T`, and the result.
    #[track_caller]
    fn request<T: StreamType<S>>(
        &self,
        start: impl FnOnce(StreamMut<'_, Platform>, Token) -> Result<()>,
        callback: impl FnOnce(&mut S, &T, Result<()>) + 'static,
    ) -> Result<()> {
        // An accepted connection is open as long as it has a request.
        let owner = self.owner.clone();
        let callback = move |state: &mut S, handle, report: Report<'_>| {
            if let Report::Event(
                Completion::Connect { result, .. }
                | Completion::Write { result, .. }
                | Completion::Shutdown { result, .. },
            ) = report
            {
                callback(state, &T::from_stream(Self { handle, owner }), *result);
            }
        };
        self.handle.request(callback, |engine, id, token| {
            start(engine.stream(id).ok_or(Errno::EINVAL)?, token)
        })
    }

    /// Starts reading. `callback` gets the bytes as they arrive, `None` at the end of the stream,
    /// or an error after which nothing more is read.
    #[doc(alias = "uv_read_start")]
    #[track_caller]
    pub fn read_start(
        &self,
        callback: impl FnMut(&mut S, &Self, Result<Option<&[u8]>>) + 'static,
    ) -> Result<()> {
        self.read_as(callback)
    }

    #[track_caller]
    fn read_as<T: StreamType<S>>(
        &self,
        mut callback: impl FnMut(&mut S, &T, Result<Option<&[u8]>>) + 'static,
    ) -> Result<()> {
        self.with(|mut stream| stream.start_reading())??;
        // A connection is open as long as it reads.
        let mut owner = self.owner.clone();
        self.set_event(move |state, handle, report| {
            let mut stream = Self { handle, owner: owner.take() };
            let mut buffer = stream.lp.core.take_buffer();
            let mut read = match report {
                Report::Event(Completion::Readable(_)) => {
                    stream.with(|mut stream| stream.read(&mut buffer))
                }
                Report::Event(Completion::ReadEnd(_)) => Ok(ReadOutcome::End),
                Report::Event(Completion::ReadFailed { error, .. }) => {
                    Ok(ReadOutcome::Failed(*error))
                }
                // Completions that do not concern reading.
                _ => Ok(ReadOutcome::WouldBlock),
            };
            let mut ended = false;
            loop {
                let this = T::from_stream(stream);
                match read {
                    Ok(ReadOutcome::Data(count)) => {
                        callback(state, &this, Ok(Some(&buffer[..count])));
                    }
                    Ok(ReadOutcome::WouldBlock) => {}
                    Ok(ReadOutcome::End) => {
                        ended = true;
                        callback(state, &this, Ok(None));
                    }
                    Ok(ReadOutcome::Failed(error)) | Err(error) => {
                        ended = true;
                        callback(state, &this, Err(error));
                    }
                }
                stream = this.into();
                // More data of the same event.
                if read != Ok(ReadOutcome::Data(buffer.len())) || !stream.may_read_more() {
                    break;
                }
                read = stream.with(|mut stream| stream.read(&mut buffer));
            }
            stream.lp.core.return_buffer(buffer);
            owner = stream.owner;
            let handle = stream.handle;
            if ended && owner.is_some() && handle.is_running_event() {
                handle.remove_event();
            }
            handle
        });
        Ok(())
    }

    /// Stops reading. Does nothing if the stream is not reading.
    #[doc(alias = "uv_read_stop")]
    pub fn read_stop(&self) {
        // The error means that the stream is closed, and therefore does not read.
        let _ = self.with(|mut stream| stream.stop_reading());
        if self.owner.is_some() {
            self.remove_event();
        }
    }

    /// Writes `bytes`: a `&str`, a byte string, a `Vec<u8>`, a `String`, and similar types. What
    /// cannot be written at once is queued. A vector is moved to the queue, not copied. To bound the
    /// queue, check [`write_queue_size`](Self::write_queue_size).
    ///
    /// An error that occurs after this call is not reported. [`write_with`](Self::write_with) does.
    #[doc(alias = "uv_write")]
    pub fn write(&self, bytes: impl AsRef<[u8]> + Into<Vec<u8>>) -> Result<()> {
        self.lp.core.engine_result(|engine| {
            let mut stream = engine.stream(self.id).ok_or(Errno::EINVAL)?;
            let slice = bytes.as_ref();
            let sent = match stream.try_write(&[IoSlice::new(slice)], None) {
                Ok(sent) if sent == slice.len() => return Ok(()),
                // The second attempt returns the error of a stream that is not writable. The error of
                // a broken connection is not reported.
                sent => sent.unwrap_or(0),
            };
            stream.write(NO_TARGET, Unsent { bytes, sent }, None).map(drop)
        })
    }

    /// [`write`](Self::write), and calls `callback` when all bytes are written, or with an error.
    #[doc(alias = "uv_write_cb")]
    #[track_caller]
    pub fn write_with(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        callback: impl FnOnce(&mut S, &Self, Result<()>) + 'static,
    ) -> Result<()> {
        self.write_as(bytes, callback)
    }

    #[track_caller]
    fn write_as<T: StreamType<S>>(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        callback: impl FnOnce(&mut S, &T, Result<()>) + 'static,
    ) -> Result<()> {
        let unsent = Unsent { bytes, sent: 0 };
        self.request(|mut stream, token| stream.write(token, unsent, None).map(drop), callback)
    }

    /// Writes as many bytes as possible without blocking or queueing, and returns their number.
    /// `EAGAIN` if none can be written, and always for a pipe on Windows, as in libuv.
    #[doc(alias = "uv_try_write")]
    pub fn try_write(&self, bytes: &[u8]) -> Result<usize> {
        let slices = [IoSlice::new(bytes)];
        self.with(|mut stream| {
            if !can_try_write(stream.fd()?) {
                return Err(Errno::EAGAIN);
            }
            stream.try_write(&slices, None)
        })?
    }

    /// Shuts down the write side after all queued writes.
    #[doc(alias = "uv_shutdown")]
    pub fn shutdown(&self) -> Result<()> {
        self.shutdown_with(|_, _, _| {})
    }

    /// Shuts down the write side after all queued writes, then calls `callback`.
    #[doc(alias = "uv_shutdown_cb")]
    #[track_caller]
    pub fn shutdown_with(
        &self,
        callback: impl FnOnce(&mut S, &Self, Result<()>) + 'static,
    ) -> Result<()> {
        self.shutdown_as(callback)
    }

    #[track_caller]
    fn shutdown_as<T: StreamType<S>>(
        &self,
        callback: impl FnOnce(&mut S, &T, Result<()>) + 'static,
    ) -> Result<()> {
        self.request(|mut stream, token| stream.shut_down(token), callback)
    }

    /// Number of bytes that are queued for writing.
    #[doc(alias = "uv_stream_get_write_queue_size")]
    pub fn write_queue_size(&self) -> usize {
        self.with(|mut stream| stream.unsent()).unwrap_or(0)
    }

    /// Whether the stream is readable.
    #[doc(alias = "uv_is_readable")]
    pub fn is_readable(&self) -> bool {
        self.with(|mut stream| stream.is_readable()).unwrap_or(false)
    }

    /// Whether the stream is writable.
    #[doc(alias = "uv_is_writable")]
    pub fn is_writable(&self) -> bool {
        self.with(|mut stream| stream.is_writable()).unwrap_or(false)
    }

    /// The file descriptor, for logging and comparison. The handle owns it and may close it.
    #[doc(alias = "uv_fileno")]
    #[doc(alias = "as_raw_fd")]
    pub fn raw_descriptor(&self) -> Result<RawDescriptor> {
        self.with(|mut stream| stream.fd().map(|fd| fd.raw_descriptor()))?
    }

    /// Sets the descriptor to blocking or non-blocking mode.
    #[doc(alias = "uv_stream_set_blocking")]
    pub fn set_blocking(&self, blocking: bool) -> Result<()> {
        self.with(|mut stream| stream.set_blocking(blocking))?
    }

    /// Listens with the engine's function `listen`. Each connection becomes a handle that `open`
    /// creates.
    #[track_caller]
    fn listen_with<T: StreamType<S>>(
        &self,
        listen: impl FnOnce(StreamMut<'_, Platform>) -> Result<()>,
        open: fn(&mut Engine<Platform>, Token) -> HandleId,
        mut callback: impl FnMut(&mut S, &T, Result<T>) + 'static,
    ) -> Result<()> {
        self.with(listen)??;
        self.set_event(move |state, handle, report| {
            let mut stream = Self { handle, owner: None };
            let mut connection = match report {
                Report::Event(Completion::Connection { result: Err(error), .. }) => Err(*error),
                _ => stream.accept(open),
            };
            loop {
                let this = T::from_stream(stream);
                callback(state, &this, connection.map(T::from_stream));
                stream = this.into();
                // The next connection of a burst.
                connection = match stream.accept_next() {
                    Ok(true) => stream.accept(open),
                    Ok(false) => return stream.handle,
                    Err(error) => Err(error),
                };
            }
        });
        Ok(())
    }

    /// Whether the running callback is to be called again with more data of the same event. A trace
    /// records each call, so it takes all steps from the engine.
    fn may_read_more(&self) -> bool {
        !trace::is_on()
            && self.may_call_again()
            && self.with(|mut stream| stream.may_read_more()) == Ok(true)
    }

    /// As [`may_read_more`](Self::may_read_more), for a listener. Accepts the next connection, if there
    /// is one.
    fn accept_next(&self) -> Result<bool> {
        if trace::is_on() || !self.may_call_again() {
            return Ok(false);
        }
        // A listener that was closed accepts none.
        self.with(|mut stream| stream.accept_next()).unwrap_or(Ok(false))
    }

    /// Accepts a connection as a stream of its own, which is closed when the last reference to it is
    /// dropped.
    fn accept(&self, open: fn(&mut Engine<Platform>, Token) -> HandleId) -> Result<Self> {
        let connection = self.with(|mut stream| stream.take())??;
        let mut accepted = Self::open(&self.lp, open);
        let AnyHandle { lp, id, .. } = &accepted.handle;
        accepted.owner = Some(Rc::new(ConnectionOwner::new(lp.core.clone(), *id)));
        accepted.adopt(connection)?;
        Ok(accepted)
    }

    /// Gives the stream the descriptor of an accepted connection.
    fn adopt(&self, connection: Connection) -> Result<()> {
        self.with(|mut stream| {
            let adopted = stream.open(connection.fd.raw_descriptor(), true, true)?;
            stream.adopt_connection(connection, adopted)
        })?
    }
}
