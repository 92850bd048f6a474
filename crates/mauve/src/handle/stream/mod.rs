//! TCP sockets, pipes and terminals, with callbacks.

mod owner;
mod pipe;
mod tcp;
mod tty;

use std::io::IoSlice;
use std::os::fd::{AsRawFd, RawFd};
use std::rc::Rc;

use mauve_core::handle::stream::{Connection, ReadOutcome, StreamMut};
use mauve_core::{Completion, Engine, HandleId, Token, trace};
use mauve_sys::driver::Platform;
use mauve_sys::payload::Payload;
use mauve_sys::{Errno, Result};

use owner::ConnectionOwner;
pub use pipe::Pipe;
pub use tcp::Tcp;
pub use tty::Tty;

use super::AnyHandle;
use crate::LoopRef;
use crate::core::{NO_CALLBACK, handle_token};

/// Up to this size, bytes that cannot be written at once are copied. Larger buffers are moved into
/// the engine before the first attempt, which allocates for borrowed bytes.
pub(super) const MAX_COPY: usize = 16 << 10;

/// The shared implementation of [`Tcp`], [`Pipe`] and [`Tty`].
struct Stream<S> {
    handle: AnyHandle<S>,
    /// Set for a connection that `listen` has accepted.
    owner: Option<Rc<ConnectionOwner>>,
}

/// Conversion between a type of stream and its implementation.
trait StreamHandle<S> {
    fn from_stream(stream: Stream<S>) -> Self;
    fn into_stream(self) -> Stream<S>;
}

impl<S> Stream<S> {
    fn new(handle: AnyHandle<S>) -> Self {
        Self { handle, owner: None }
    }

    /// The handle. It is not closed when it is dropped.
    fn into_any(self) -> AnyHandle<S> {
        if let Some(owner) = &self.owner {
            owner.release();
        }
        self.handle
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
        let open = |key| Ok(lp.core.engine(|engine| open(engine, handle_token(key))));
        Self::new(AnyHandle::open(lp, open).expect("opening a stream cannot fail"))
    }

    /// Performs an operation on the engine's stream. `EINVAL` if it is closed.
    fn with<R>(&self, operation: impl FnOnce(StreamMut<'_, Platform>) -> R) -> Result<R> {
        self.handle.lp.core.engine_result(|engine| {
            let stream = engine.stream(self.handle.id).ok_or(Errno::EINVAL)?;
            Ok(operation(stream))
        })
    }

    /// Starts a request on the stream. `callback` gets its result.
    #[track_caller]
    fn request(
        &self,
        start: impl FnOnce(StreamMut<'_, Platform>, Token) -> Result<()>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        self.handle.request(on_result(callback), |engine, id, token| {
            start(engine.stream(id).ok_or(Errno::EINVAL)?, token)
        })
    }

    #[track_caller]
    fn read_start<T: StreamHandle<S>>(
        &self,
        mut callback: impl FnMut(&mut S, &T, Result<Option<&[u8]>>) + 'static,
    ) -> Result<()> {
        self.with(|mut stream| stream.start_reading())??;
        // A connection is open as long as it reads.
        let mut owner = self.owner.clone();
        self.handle.on_event(move |state, handle, completion| {
            let mut stream = Self { handle, owner: owner.take() };
            let mut buffer = stream.handle.lp.core.take_buffer();
            let mut read = match *completion {
                Completion::Readable(_) => stream.with(|mut stream| stream.read(&mut buffer)),
                Completion::ReadEnd(_) => Ok(ReadOutcome::End),
                Completion::ReadFailed { error, .. } => Ok(ReadOutcome::Failed(error)),
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
                stream = this.into_stream();
                // More data of the same event.
                if read != Ok(ReadOutcome::Data(buffer.len())) || !stream.may_read_more() {
                    break;
                }
                read = stream.with(|mut stream| stream.read(&mut buffer));
            }
            stream.handle.lp.core.return_buffer(buffer);
            owner = stream.owner;
            if ended && owner.is_some() && stream.handle.is_running_event() {
                stream.handle.remove_event();
            }
            stream.handle
        });
        Ok(())
    }

    fn read_stop(&self) {
        // The error means that the stream is closed, and therefore does not read.
        let _ = self.with(|mut stream| stream.stop_reading());
        if self.owner.is_some() {
            self.handle.remove_event();
        }
    }

    /// Writes `bytes`. Small buffers are copied only if they cannot be written at once.
    fn write(&self, bytes: impl AsRef<[u8]> + Into<Vec<u8>>) -> Result<()> {
        self.handle.lp.core.engine_result(|engine| {
            let mut stream = engine.stream(self.handle.id).ok_or(Errno::EINVAL)?;
            let slice = bytes.as_ref();
            if slice.len() > MAX_COPY {
                return stream.write(NO_CALLBACK, Payload::owned(bytes), None);
            }
            let copy = || Payload::owned(slice);
            stream.write_unreported(NO_CALLBACK, &[IoSlice::new(slice)], copy)
        })
    }

    /// As [`write`](Self::write). `callback` gets the result.
    #[track_caller]
    fn write_with(
        &self,
        bytes: impl AsRef<[u8]> + Into<Vec<u8>>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        self.handle.request(on_result(callback), |engine, id, token| {
            let mut stream = engine.stream(id).ok_or(Errno::EINVAL)?;
            let slice = bytes.as_ref();
            if slice.len() > MAX_COPY {
                return stream.write(token, Payload::owned(bytes), None);
            }
            let copy = || Payload::owned(slice);
            stream.write_or_keep(token, &[IoSlice::new(slice)], copy).map(drop)
        })
    }

    fn try_write(&self, bytes: &[u8]) -> Result<usize> {
        let slices = [IoSlice::new(bytes)];
        self.with(|mut stream| stream.try_write(&slices, None))?
    }

    #[track_caller]
    fn shutdown(&self, callback: impl FnOnce(&mut S, Result<()>) + 'static) -> Result<()> {
        let start = |mut stream: StreamMut<'_, Platform>, token| stream.shut_down(token);
        match self.owner.clone() {
            None => self.request(start, callback),
            // An accepted connection is not closed before it is shut down.
            Some(owner) => self.request(start, move |state, result| {
                callback(state, result);
                drop(owner);
            }),
        }
    }

    fn write_queue_size(&self) -> usize {
        self.with(|mut stream| stream.unsent()).unwrap_or(0)
    }

    fn is_readable(&self) -> bool {
        self.with(|mut stream| stream.is_readable()).unwrap_or(false)
    }

    fn is_writable(&self) -> bool {
        self.with(|mut stream| stream.is_writable()).unwrap_or(false)
    }

    fn fileno(&self) -> Result<RawFd> {
        self.with(|mut stream| stream.fd().map(|fd| fd.as_raw_fd()))?
    }

    fn set_blocking(&self, blocking: bool) -> Result<()> {
        self.with(|mut stream| stream.set_blocking(blocking))?
    }

    /// Listens with the engine's function `listen`. Each connection becomes a handle that `open`
    /// creates.
    #[track_caller]
    fn listen<T: StreamHandle<S>>(
        &self,
        listen: impl FnOnce(StreamMut<'_, Platform>) -> Result<()>,
        open: fn(&mut Engine<Platform>, Token) -> HandleId,
        mut callback: impl FnMut(&mut S, &T, Result<T>) + 'static,
    ) -> Result<()> {
        self.with(listen)??;
        self.handle.on_event(move |state, handle, completion| {
            let mut stream = Self::new(handle);
            let mut connection = match *completion {
                Completion::Connection { result: Err(error), .. } => Err(error),
                _ => stream.accept(open),
            };
            loop {
                let this = T::from_stream(stream);
                callback(state, &this, connection.map(T::from_stream));
                stream = this.into_stream();
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
            && self.handle.may_call_again()
            && self.with(|mut stream| stream.may_read_more()) == Ok(true)
    }

    /// As [`may_read_more`](Self::may_read_more), for a listener. Accepts the next connection, if there
    /// is one.
    fn accept_next(&self) -> Result<bool> {
        if trace::is_on() || !self.handle.may_call_again() {
            return Ok(false);
        }
        // A listener that was closed accepts none.
        self.with(|mut stream| stream.accept_next()).unwrap_or(Ok(false))
    }

    /// Accepts a connection as a stream of its own, which is closed when the last reference to it is
    /// dropped.
    fn accept(&self, open: fn(&mut Engine<Platform>, Token) -> HandleId) -> Result<Self> {
        let connection = self.with(|mut stream| stream.take())??;
        let mut accepted = Self::open(&self.handle.lp, open);
        let AnyHandle { lp, id, .. } = &accepted.handle;
        accepted.owner = Some(Rc::new(ConnectionOwner::new(lp.core.clone(), *id)));
        accepted.adopt(connection)?;
        Ok(accepted)
    }

    /// Gives the stream the descriptor of an accepted connection.
    fn adopt(&self, connection: Connection) -> Result<()> {
        self.with(|mut stream| {
            let adopted = stream.open(connection.fd.as_raw_fd(), true, true)?;
            stream.adopt_connection(connection, adopted)
        })?
    }
}

/// A completion callback that passes the result of a stream request to `callback`.
fn on_result<S>(callback: impl FnOnce(&mut S, Result<()>)) -> impl FnOnce(&mut S, &Completion) {
    move |state, completion| match *completion {
        Completion::Connect { result, .. }
        | Completion::Write { result, .. }
        | Completion::Shutdown { result, .. } => callback(state, result),
        _ => {}
    }
}
