//! Creating descriptors on systems without `accept4` and `pipe2`, such as Apple's.
//!
//! The flags are set after the descriptor was created. A child that another thread starts in between
//! inherits it; the system has no way to prevent that.

use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use rustix::io::FdFlags;

use super::system::suppress_sigpipe;
use super::{check, owned};
use crate::{Result, fd};

/// Creates a socket, non-blocking and closed on exec.
pub(crate) fn socket(family: i32, socket_type: i32) -> Result<OwnedFd> {
    // SAFETY: the call takes only integers, and opens a descriptor if it succeeds.
    set_up_socket(unsafe { owned(libc::socket(family, socket_type, 0)) }?, true)
}

/// Accepts a connection. The new socket is non-blocking and closed on exec.
///
/// # Safety
/// `address` is writable for `length` bytes, or both are null.
pub(crate) unsafe fn accept(
    fd: BorrowedFd<'_>,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
) -> Result<OwnedFd> {
    // SAFETY: the caller promises valid pointers. The call opens a descriptor if it succeeds.
    set_up_socket(unsafe { owned(libc::accept(fd.as_raw_fd(), address, length)) }?, true)
}

/// Creates a pair of Unix sockets that are closed on exec.
pub(crate) fn socket_pair(kind: i32, protocol: i32, nonblocking: bool) -> Result<[OwnedFd; 2]> {
    let mut fds = [0; 2];
    // SAFETY: `fds` has room for two descriptors.
    check(unsafe { libc::socketpair(libc::AF_UNIX, kind, protocol, fds.as_mut_ptr()) })?;
    // SAFETY: the system has just opened both, and nothing owns them.
    let [one, other] = fds.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
    Ok([set_up_socket(one, nonblocking)?, set_up_socket(other, nonblocking)?])
}

/// Creates a pipe that is closed on exec.
pub(crate) fn pipe(nonblocking: bool) -> Result<[OwnedFd; 2]> {
    let mut fds = [0; 2];
    // SAFETY: `fds` has room for two descriptors.
    check(unsafe { libc::pipe(fds.as_mut_ptr()) })?;
    // SAFETY: the system has just opened both, and nothing owns them.
    let [reader, writer] = fds.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) });
    Ok([set_up(reader, nonblocking)?, set_up(writer, nonblocking)?])
}

/// Makes `to` a duplicate of `from` that is closed on exec.
pub(crate) fn duplicate_onto(from: &OwnedFd, to: &mut OwnedFd) -> Result<()> {
    rustix::io::retry_on_intr(|| rustix::io::dup2(from, to))?;
    Ok(rustix::io::fcntl_setfd(to, FdFlags::CLOEXEC)?)
}

fn set_up_socket(fd: OwnedFd, nonblocking: bool) -> Result<OwnedFd> {
    // The system reports EINVAL for a connection that the peer has already reset. The next call on
    // the socket reports that.
    let _ = suppress_sigpipe(&fd);
    set_up(fd, nonblocking)
}

fn set_up(fd: OwnedFd, nonblocking: bool) -> Result<OwnedFd> {
    rustix::io::fcntl_setfd(&fd, FdFlags::CLOEXEC)?;
    if nonblocking {
        fd::set_nonblocking(fd.as_raw_fd(), true)?;
    }
    Ok(fd)
}
