//! What the engine reports to its host.

use mauve_sys::driver::Readiness;
use mauve_sys::process::ExitStatus;
use mauve_sys::{Errno, Result};

use crate::handle::fs_event::Change;
use crate::id::Token;

/// An event for which the host runs a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// An async handle was notified.
    Async(Token),
    /// A polled descriptor is ready, or polling it has ended with an error.
    Poll {
        /// The poll handle.
        token: Token,
        /// The requested events for which the descriptor is ready.
        result: Result<Readiness, Errno>,
    },
    /// A stream can be read. The host provides a buffer, calls [`StreamMut::read`] and reports the
    /// result.
    ///
    /// [`StreamMut::read`]: crate::handle::stream::StreamMut::read
    Readable(Token),
    /// A stream or datagram socket is writable again after a write that would block.
    Writable(Token),
    /// A stream has reached its end, which no read has reported.
    ReadEnd(Token),
    /// A stream cannot be read, because the system does not watch its descriptor.
    ReadFailed {
        /// The stream.
        token: Token,
        /// The error of the system.
        error: Errno,
    },
    /// A listening stream has a connection to accept, or an error.
    Connection {
        /// The listening stream.
        token: Token,
        /// Whether there is a connection.
        result: Result<(), Errno>,
    },
    /// A connect request has ended.
    Connect {
        /// The request.
        token: Token,
        /// The result of the request.
        result: Result<(), Errno>,
    },
    /// A write has ended.
    Write {
        /// The request.
        token: Token,
        /// The result of the request.
        result: Result<(), Errno>,
        /// How many of its bytes were not written.
        unwritten: u32,
        /// How many bytes are still queued on the stream.
        unsent: usize,
    },
    /// A write was sent in part: no callback, only the new queue size.
    Progress {
        /// The stream.
        token: Token,
        /// How many bytes are queued on it.
        unsent: usize,
    },
    /// The writing side is shut down.
    Shutdown {
        /// The request.
        token: Token,
        /// The result of the request.
        result: Result<(), Errno>,
    },
    /// A datagram can be received. The host provides a buffer, calls [`UdpMut::receive`] and reports
    /// the result.
    ///
    /// [`UdpMut::receive`]: crate::handle::udp::UdpMut::receive
    Receivable(Token),
    /// A send request has ended.
    Sent {
        /// The request.
        token: Token,
        /// The result of the request.
        result: Result<(), Errno>,
        /// How many bytes the datagram has.
        size: usize,
    },
    /// A signal was delivered.
    Signal {
        /// The signal handle.
        token: Token,
        /// The number of the signal.
        signal: i32,
    },
    /// A one-shot signal handle has stopped: no callback, only a change of state.
    Stopped(Token),
    /// A child has exited.
    Exit {
        /// The process handle.
        token: Token,
        /// Exit status or signal.
        exit: ExitStatus,
    },
    /// A watched file has changed; [`changed_file`] has its name.
    ///
    /// [`changed_file`]: crate::Engine::changed_file
    FsEvent {
        /// The file system event handle.
        token: Token,
        /// The kind of change, or the error that ended the watch.
        result: Result<Change, Errno>,
    },
    /// A handle is closed. The engine has removed it: no completion follows this one.
    Close(Token),
}

impl Completion {
    /// The token of the handle or request that it is for.
    pub fn token(&self) -> Token {
        match *self {
            Self::Async(token)
            | Self::Poll { token, .. }
            | Self::Readable(token)
            | Self::ReadEnd(token)
            | Self::ReadFailed { token, .. }
            | Self::Writable(token)
            | Self::Connection { token, .. }
            | Self::Connect { token, .. }
            | Self::Write { token, .. }
            | Self::Progress { token, .. }
            | Self::Shutdown { token, .. }
            | Self::Receivable(token)
            | Self::Sent { token, .. }
            | Self::Signal { token, .. }
            | Self::Stopped(token)
            | Self::Exit { token, .. }
            | Self::FsEvent { token, .. }
            | Self::Close(token) => token,
        }
    }
}

/// The end of what the pool has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkCompletion {
    /// A read of a file has ended, or was cancelled (`ECANCELED`). [`Engine::take_read`] has its
    /// buffer.
    ///
    /// [`Engine::take_read`]: crate::Engine::take_read
    Read {
        /// The request.
        token: Token,
        /// How many bytes were read.
        result: Result<u32, Errno>,
    },
    /// Work has ended, or was cancelled (`ECANCELED`).
    Work {
        /// The request.
        token: Token,
        /// The result of the request.
        result: Result<(), Errno>,
    },
    /// A polled file has changed; [`FsPollMut::statuses`] has its status before and after.
    ///
    /// [`FsPollMut::statuses`]: crate::handle::fs_poll::FsPollMut::statuses
    FsPoll {
        /// The file system poll handle.
        token: Token,
        /// Whether the file could be queried.
        result: Result<(), Errno>,
    },
}

impl WorkCompletion {
    /// The token of the request or handle that it is for.
    pub fn token(&self) -> Token {
        match *self {
            Self::Read { token, .. } | Self::Work { token, .. } | Self::FsPoll { token, .. } => {
                token
            }
        }
    }
}
