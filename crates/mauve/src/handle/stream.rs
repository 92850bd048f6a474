//! TCP, pipes and terminals, with closures.

use std::io::IoSlice;
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;

use mauve_core::handle::stream::{BindFlags, Connection, ReadOutcome, StreamMut, Terminal};
use mauve_core::{Completion, CorkPolicy, Kind, Token};
use mauve_sys::driver::Platform;
use mauve_sys::net::KeepAlive;
use mauve_sys::payload::Payload;
use mauve_sys::tty::{self, Mode};
use mauve_sys::{Errno, Result};

use super::{AnyHandle, common_methods};
use crate::Loop;
use crate::core::callback_token;

/// So many bytes are rather copied, if they have to be kept after all, than allocated before.
pub(super) const COPIED: usize = 16 << 10;

/// A TCP connection, or a listening socket.
///
/// ```
/// use mauve::{Loop, RunMode, Tcp};
///
/// // An echo server, and a client that says one thing to it.
/// let lp = Loop::<Vec<u8>>::new()?;
/// let server = Tcp::new(&lp);
/// server.bind("127.0.0.1:0".parse().unwrap())?;
/// server.listen(128, |_, server, connection| {
///     let peer = connection.unwrap();
///     peer.read_start(|_, peer, data| match data {
///         Ok(Some(bytes)) => peer.write(bytes.to_vec(), |_, _| {}).unwrap(),
///         _ => peer.close(),
///     })
///     .unwrap();
///     server.close();
/// })?;
///
/// let client = Tcp::new(&lp);
/// let name = client.clone();
/// client.connect(server.local_addr()?, move |_, connected| {
///     connected.unwrap();
///     name.write(*b"hello", |_, _| {}).unwrap();
///     name.read_start(|heard, client, data| {
///         heard.extend(data.unwrap().unwrap());
///         client.close();
///     })
///     .unwrap();
/// })?;
///
/// let mut heard = Vec::new();
/// lp.run_with(&mut heard, RunMode::Default)?;
/// assert_eq!(heard, b"hello");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_tcp_t")]
pub struct Tcp<S = ()>(AnyHandle<S>);

/// A local socket, a pipe or a fifo.
#[doc(alias = "uv_pipe_t")]
pub struct Pipe<S = ()>(pub(super) AnyHandle<S>);

/// A terminal.
#[doc(alias = "uv_tty_t")]
pub struct Tty<S = ()>(AnyHandle<S>);

common_methods!(Tcp);
common_methods!(Pipe);
common_methods!(Tty);

impl<S: 'static> AnyHandle<S> {
    fn stream<R>(&self, operation: impl FnOnce(StreamMut<'_, Platform>) -> R) -> Result<R> {
        self.lp.core.engine(|engine| {
            let stream = engine.stream(self.id).ok_or(Errno::EINVAL)?;
            Ok(operation(stream))
        })
    }

    /// Starts a request on the stream; `callback` is called at its end.
    fn stream_request(
        &self,
        start: impl FnOnce(StreamMut<'_, Platform>, Token) -> Result<()>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        self.request(ending(callback), |engine, id, token| {
            start(engine.stream(id).ok_or(Errno::EINVAL)?, token)
        })
    }

    /// Writes `bytes`. The engine copies a few, if they do not leave at once, and keeps many.
    fn write(
        &self,
        bytes: impl AsRef<[u8]> + Into<Box<[u8]>>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        self.write_request(ending(callback), |engine, id, token| {
            let mut stream = engine.stream(id).ok_or(Errno::EINVAL)?;
            let slice = bytes.as_ref();
            if slice.len() > COPIED {
                return stream.write(token, Payload::owned(bytes), None);
            }
            let keep = || Payload::owned(slice);
            stream.write_or_keep(token, &[IoSlice::new(slice)], keep).map(drop)
        })
    }
}

/// Has `callback` get the result of a request on a stream.
fn ending<S>(callback: impl FnOnce(&mut S, Result<()>)) -> impl FnOnce(&mut S, &Completion) {
    move |state, completion| match *completion {
        Completion::Connect { result, .. }
        | Completion::Write { result, .. }
        | Completion::Shutdown { result, .. } => callback(state, result),
        _ => {}
    }
}

/// What all streams can do.
macro_rules! stream_methods {
    ($name:ident) => {
        impl<S: 'static> $name<S> {
            /// Reads, and has `callback` get the bytes as they come: `None` at the end, and an
            /// error when the stream is good for nothing more.
            #[doc(alias = "uv_read_start")]
            pub fn read_start(
                &self,
                mut callback: impl FnMut(&mut S, &Self, Result<Option<&[u8]>>) + 'static,
            ) -> Result<()> {
                self.0.stream(|mut stream| stream.start_reading())??;
                self.0.on_event(move |state, handle, completion| {
                    let this = Self(handle);
                    let mut buffer = this.lp().core.take_buffer();
                    let read = match *completion {
                        Completion::Readable(_) => {
                            this.0.stream(|mut stream| stream.read(&mut buffer))
                        }
                        Completion::ReadEnd(_) => Ok(ReadOutcome::End),
                        Completion::ReadFailed { error, .. } => Ok(ReadOutcome::Failed(error)),
                        // Nobody has asked how writing gets on.
                        _ => Ok(ReadOutcome::WouldBlock),
                    };
                    match read {
                        Ok(ReadOutcome::Data(count)) => {
                            callback(state, &this, Ok(Some(&buffer[..count])));
                        }
                        Ok(ReadOutcome::WouldBlock) => {}
                        Ok(ReadOutcome::End) => callback(state, &this, Ok(None)),
                        Ok(ReadOutcome::Failed(error)) | Err(error) => {
                            callback(state, &this, Err(error));
                        }
                    }
                    this.lp().core.put_buffer_back(buffer);
                    this.0
                });
                Ok(())
            }

            /// Stops reading. Nothing happens if it does not read.
            #[doc(alias = "uv_read_stop")]
            pub fn read_stop(&self) {
                // A closed stream does not read either.
                let _ = self.0.stream(|mut stream| stream.stop_reading());
            }

            /// Writes `bytes`: at once as far as there is room, the rest when there is. `callback`
            /// is called when all is written. [`write_queue_size`](Self::write_queue_size) says how
            /// much waits: a server that writes faster than its peer reads checks it.
            #[doc(alias = "uv_write")]
            pub fn write(
                &self,
                bytes: impl AsRef<[u8]> + Into<Box<[u8]>>,
                callback: impl FnOnce(&mut S, Result<()>) + 'static,
            ) -> Result<()> {
                self.0.write(bytes, callback)
            }

            /// Writes what can be written at once; returns how many bytes that were. `EAGAIN` if
            /// none.
            #[doc(alias = "uv_try_write")]
            pub fn try_write(&self, bytes: &[u8]) -> Result<usize> {
                let slices = [IoSlice::new(bytes)];
                self.0.stream(|mut stream| stream.try_write(&slices, None))?
            }

            /// Shuts the writing side down when everything is written.
            #[doc(alias = "uv_shutdown")]
            pub fn shutdown(
                &self,
                callback: impl FnOnce(&mut S, Result<()>) + 'static,
            ) -> Result<()> {
                self.0.stream_request(|mut stream, token| stream.shut_down(token), callback)
            }

            /// How many bytes are queued and not written yet.
            #[doc(alias = "uv_stream_get_write_queue_size")]
            pub fn write_queue_size(&self) -> usize {
                self.0.stream(|mut stream| stream.unsent()).unwrap_or(0)
            }

            /// Whether data can be expected from it.
            #[doc(alias = "uv_is_readable")]
            pub fn is_readable(&self) -> bool {
                self.0.stream(|mut stream| stream.is_readable()).unwrap_or(false)
            }

            /// Whether data can be written to it.
            #[doc(alias = "uv_is_writable")]
            pub fn is_writable(&self) -> bool {
                self.0.stream(|mut stream| stream.is_writable()).unwrap_or(false)
            }

            /// The number of its descriptor. It stays the handle's: it is good for a name, and for
            /// nothing else.
            #[doc(alias = "uv_fileno")]
            pub fn descriptor(&self) -> Result<RawFd> {
                self.0.stream(|mut stream| stream.fd().map(|fd| fd.as_raw_fd()))?
            }

            /// Has reading and writing block, or not.
            #[doc(alias = "uv_stream_set_blocking")]
            pub fn set_blocking(&self, blocks: bool) -> Result<()> {
                self.0.stream(|mut stream| stream.set_blocking(blocks))?
            }
        }
    };
}

stream_methods!(Tcp);
stream_methods!(Pipe);
stream_methods!(Tty);

/// Taking connections: what TCP and pipes can do.
macro_rules! listening_methods {
    ($name:ident, $listen:ident) => {
        impl<S: 'static> $name<S> {
            /// Takes connections, and gives each to `callback` as a stream of its own.
            #[doc(alias = "uv_listen")]
            #[doc(alias = "uv_accept")]
            pub fn listen(
                &self,
                backlog: i32,
                mut callback: impl FnMut(&mut S, &Self, Result<Self>) + 'static,
            ) -> Result<()> {
                self.0.stream(|mut stream| stream.$listen(backlog))??;
                self.0.on_event(move |state, handle, completion| {
                    let this = Self(handle);
                    let connection = match *completion {
                        Completion::Connection { result: Err(error), .. } => Err(error),
                        _ => this
                            .0
                            .stream(|mut stream| stream.take())
                            .and_then(|taken| taken)
                            .and_then(|taken| Self::from_connection(this.lp(), taken)),
                    };
                    callback(state, &this, connection);
                    this.0
                });
                Ok(())
            }

            fn from_connection(lp: &Loop<S>, taken: Connection) -> Result<Self> {
                let connection = Self::new(lp);
                connection.0.stream(|mut stream| {
                    let adopted = stream.open(taken.fd.as_raw_fd(), true, true)?;
                    if connection.0.kind() == Kind::Tcp {
                        stream.set_edge_triggered();
                    }
                    stream.adopt_connection(taken, adopted)
                })??;
                Ok(connection)
            }
        }
    };
}

listening_methods!(Tcp, listen_tcp);
listening_methods!(Pipe, listen_pipe);

impl<S: 'static> Tcp<S> {
    /// Makes a stream without a socket.
    #[doc(alias = "uv_tcp_init")]
    pub fn new(lp: &Loop<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_tcp(callback_token(key))));
        Self(AnyHandle::open(lp, open).expect("opening a stream cannot fail"))
    }

    /// Takes over an open socket, connected or listening or neither.
    #[doc(alias = "uv_tcp_open")]
    pub fn open(&self, socket: OwnedFd) -> Result<()> {
        self.0.stream(|mut stream| {
            let adopted = stream.open(socket.as_raw_fd(), true, true)?;
            mauve_sys::fd::set_nonblocking(socket.as_raw_fd(), true)?;
            Ok(stream.adopt(socket, adopted)?)
        })?
    }

    /// Gives it an address. That it is in use is told by `listen` or `connect`.
    #[doc(alias = "uv_tcp_bind")]
    pub fn bind(&self, address: SocketAddr) -> Result<()> {
        self.bind_with(address, BindFlags::default())
    }

    /// Gives it an address, with flags.
    pub fn bind_with(&self, address: SocketAddr, flags: BindFlags) -> Result<()> {
        self.0.stream(|mut stream| stream.bind(&address.into(), flags))?
    }

    /// Connects to a peer, and tells `callback` how that went.
    #[doc(alias = "uv_tcp_connect")]
    pub fn connect(
        &self,
        address: SocketAddr,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        let connect = |mut stream: StreamMut<'_, Platform>, token| {
            // A socket that came from elsewhere may be read by others, too.
            let is_ours = stream.fd().is_err();
            stream.connect_tcp(token, &address.into())?;
            if is_ours {
                stream.set_edge_triggered();
            }
            Ok(())
        };
        self.0.stream_request(connect, callback)
    }

    /// The address of this side.
    #[doc(alias = "uv_tcp_getsockname")]
    pub fn local_addr(&self) -> Result<SocketAddr> {
        let address = self.0.stream(|mut stream| stream.local_address())??;
        address.to_socket_addr().ok_or(Errno::EAFNOSUPPORT)
    }

    /// The address of the other side.
    #[doc(alias = "uv_tcp_getpeername")]
    pub fn peer_addr(&self) -> Result<SocketAddr> {
        let address = self.0.stream(|mut stream| stream.peer_address())??;
        address.to_socket_addr().ok_or(Errno::EAFNOSUPPORT)
    }

    /// Sends small packets at once, or does not.
    #[doc(alias = "uv_tcp_nodelay")]
    pub fn set_nodelay(&self, on: bool) -> Result<()> {
        self.0.stream(|mut stream| stream.set_nodelay(on))?
    }

    /// Says which writes are corked. By default none is: every write is attempted at once.
    ///
    /// Small writes that are corked leave in one system call when the callback returns, or before it
    /// does anything else with the loop or one of its handles.
    pub fn set_cork_policy(&self, policy: CorkPolicy) -> Result<()> {
        self.0.stream(|mut stream| stream.set_cork_policy(policy))
    }

    /// Probes a connection that has been silent for `idle`, or does not.
    #[doc(alias = "uv_tcp_keepalive")]
    pub fn set_keepalive(&self, idle: Option<Duration>) -> Result<()> {
        let probes = |idle: Duration| KeepAlive::after(idle.as_secs().max(1) as u32);
        self.0.stream(|mut stream| stream.set_keepalive(idle.map(probes)))?
    }

    /// Closes it, and has the peer see a reset instead of an orderly end.
    #[doc(alias = "uv_tcp_close_reset")]
    pub fn close_reset(&self) -> Result<()> {
        self.0.stream(|mut stream| stream.reset_on_close())??;
        self.close();
        Ok(())
    }

    /// [`close_reset`](Self::close_reset) with a call when it is done, in the close phase. The
    /// stream is closed even if it cannot be reset.
    pub fn close_reset_with(&self, closed: impl FnOnce(&mut S) + 'static) -> Result<()> {
        let reset = self.0.stream(|mut stream| stream.reset_on_close())?;
        self.close_with(closed)?;
        reset
    }
}

impl<S: 'static> Pipe<S> {
    /// Makes a pipe without a socket.
    #[doc(alias = "uv_pipe_init")]
    pub fn new(lp: &Loop<S>) -> Self {
        let open = |key| Ok(lp.core.engine(|engine| engine.open_pipe(callback_token(key), false)));
        Self(AnyHandle::open(lp, open).expect("opening a pipe cannot fail"))
    }

    /// Takes over an open descriptor: the end of a pipe, or a local socket.
    #[doc(alias = "uv_pipe_open")]
    pub fn open(&self, fd: OwnedFd) -> Result<()> {
        self.0.stream(|mut stream| {
            let (readable, writable) = mauve_sys::fd::access_mode(fd.as_fd())?;
            let adopted = stream.open(fd.as_raw_fd(), readable, writable)?;
            mauve_sys::fd::set_nonblocking(fd.as_raw_fd(), true)?;
            Ok(stream.adopt(fd, adopted)?)
        })?
    }

    /// Gives it a path. The path is removed when the pipe is closed.
    #[doc(alias = "uv_pipe_bind")]
    pub fn bind(&self, path: impl AsRef<Path>) -> Result<()> {
        self.0.stream(|mut stream| stream.bind_pipe(path.as_ref().as_os_str().as_bytes()))?
    }

    /// Connects to the socket at a path, and tells `callback` how that went.
    #[doc(alias = "uv_pipe_connect")]
    pub fn connect(
        &self,
        path: impl AsRef<Path>,
        callback: impl FnOnce(&mut S, Result<()>) + 'static,
    ) -> Result<()> {
        let name = path.as_ref().as_os_str().as_bytes();
        self.0.stream_request(|mut stream, token| stream.connect_pipe(token, name), callback)
    }
}

impl<S: 'static> Tty<S> {
    /// Makes a terminal out of an open descriptor: standard input, for one. The terminal is opened
    /// anew, so that others who have the descriptor do not notice that it does not block.
    #[doc(alias = "uv_tty_init")]
    pub fn new(lp: &Loop<S>, mut terminal: OwnedFd) -> Result<Self> {
        let opening = tty::reopen(&mut terminal)?;
        let blocks = opening.is_none();
        let fd = opening.unwrap_or(terminal);
        let (readable, writable) = mauve_sys::fd::access_mode(fd.as_fd())?;
        let terminal = Terminal { fd, readable, writable, blocks };
        let open = |key| {
            let token = callback_token(key);
            Ok(lp.core.engine(|engine| engine.open_tty(token, terminal)))
        };
        Ok(Self(AnyHandle::open(lp, open)?))
    }

    /// Switches the mode. [`tty_reset_mode`](crate::tty_reset_mode) switches it back.
    #[doc(alias = "uv_tty_set_mode")]
    pub fn set_mode(&self, mode: Mode) -> Result<()> {
        self.0.stream(|mut stream| stream.set_tty_mode(mode))?
    }

    /// Columns and rows.
    #[doc(alias = "uv_tty_get_winsize")]
    pub fn window_size(&self) -> Result<(u16, u16)> {
        self.0.stream(|mut stream| tty::window_size(stream.fd()?))?
    }
}
