//! Pipes on Unix: what is called a pipe is a Unix socket, if it has a name.

use std::ffi::CString;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use super::{AF_UNIX, Address, SOCK_STREAM, bind, connect, duplex_pipe, socket, take_error};
use super::{local_address, peer_address};
use crate::{Errno, Result};

/// The name of a Unix socket: a path, or an abstract name that begins with a zero byte.
#[derive(Clone, Debug)]
pub struct PipeName {
    address: Address,
    path: Option<CString>,
}

impl PipeName {
    /// For an empty name, [`bind`](Self::bind) chooses an abstract one. `EINVAL` if it is too long.
    pub fn new(name: &[u8]) -> Result<Self> {
        let address = Address::unix(name)?;
        // The system ends the name at a zero byte, too.
        let path = name.split(|byte| *byte == 0).next().filter(|path| !path.is_empty());
        let path = path.and_then(|path| CString::new(path).ok());
        Ok(Self { address, path })
    }

    /// Creates a bound socket. `EACCES` if the directory is missing.
    pub fn bind(&self) -> Result<OwnedFd> {
        let socket = socket(AF_UNIX, SOCK_STREAM)?;
        bind(socket.as_fd(), &self.address).map_err(|error| match error {
            Errno::ENOENT => Errno::EACCES,
            error => error,
        })?;
        Ok(socket)
    }

    /// The file to remove when a bound socket is closed.
    pub fn path(&self) -> Option<CString> {
        self.path.clone()
    }

    /// Creates a socket to connect with.
    pub fn open_client(&self) -> Result<OwnedFd> {
        socket(AF_UNIX, SOCK_STREAM)
    }

    /// Starts to connect, also a socket that the program has made.
    pub fn connect(&self, socket: BorrowedFd<'_>) -> Result<()> {
        connect(socket, &self.address)
    }
}

/// The result of an attempt to connect, which has ended. A descriptor that is returned replaces that of the
/// attempt: none does.
#[inline]
pub fn finish_connecting(fd: BorrowedFd<'_>) -> Result<Option<OwnedFd>> {
    take_error(fd)?.map_or(Ok(None), Err)
}

/// Whether one direction can be closed alone. Otherwise the peer sees an end when the descriptor is closed.
#[inline]
pub fn half_closes(_: BorrowedFd<'_>) -> bool {
    true
}

/// Creates a pipe to a child: our end, which is non-blocking, and that of the child. Both directions exist, as in
/// libuv.
pub fn child_pipe(
    _child_reads: bool,
    _child_writes: bool,
    _for_messages: bool,
) -> Result<[OwnedFd; 2]> {
    duplex_pipe([true, false])
}

/// Has no effect: descriptors are passed beside the bytes.
#[inline]
pub fn frame_messages(_: BorrowedFd<'_>) {}

/// Has no effect: descriptors are passed to the one who reads them.
#[inline]
pub fn set_peer_process(_: BorrowedFd<'_>, _process: u32) {}

/// The name to which a pipe is bound. Empty if it has none.
pub fn pipe_name(pipe: BorrowedFd<'_>) -> Result<Vec<u8>> {
    Ok(local_address(pipe)?.unix_name().to_vec())
}

/// The name to which the peer of a pipe is bound.
pub fn pipe_peer_name(pipe: BorrowedFd<'_>) -> Result<Vec<u8>> {
    Ok(peer_address(pipe)?.unix_name().to_vec())
}
