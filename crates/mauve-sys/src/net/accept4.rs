//! Creating descriptors on systems with `accept4` and `pipe2`: one system call sets all flags.

use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use crate::net::{check, owned};
use crate::{Errno, Result};

const FLAGS: i32 = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;

/// Creates a socket, non-blocking and closed on exec.
#[inline]
pub(crate) fn socket(family: i32, socket_type: i32) -> Result<OwnedFd> {
    // SAFETY: the call takes only integers, and opens a descriptor if it succeeds.
    unsafe { owned(libc::socket(family, socket_type | FLAGS, 0)) }
}

/// Accepts a connection. The new socket is non-blocking and closed on exec.
///
/// # Safety
/// `address` is writable for `length` bytes, or both are null.
#[inline]
pub(crate) unsafe fn accept(
    fd: BorrowedFd<'_>,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
) -> Result<OwnedFd> {
    // SAFETY: the caller promises valid pointers. The call opens a descriptor if it succeeds.
    unsafe { owned(libc::accept4(fd.as_raw_fd(), address, length, FLAGS)) }
}

/// Creates a pair of Unix sockets that are closed on exec.
pub(crate) fn socket_pair(kind: i32, protocol: i32, nonblocking: bool) -> Result<[OwnedFd; 2]> {
    let mut fds = [0; 2];
    let mode = if nonblocking { libc::SOCK_NONBLOCK } else { 0 };
    let kind = kind | libc::SOCK_CLOEXEC | mode;
    // SAFETY: `fds` has room for two descriptors.
    check(unsafe { libc::socketpair(libc::AF_UNIX, kind, protocol, fds.as_mut_ptr()) })?;
    // SAFETY: the system has just opened both, and nothing owns them.
    Ok(fds.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// Creates a pipe that is closed on exec.
pub(crate) fn pipe(nonblocking: bool) -> Result<[OwnedFd; 2]> {
    let mut fds = [0; 2];
    let mode = if nonblocking { libc::O_NONBLOCK } else { 0 };
    // SAFETY: `fds` has room for two descriptors.
    check(unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC | mode) })?;
    // SAFETY: the system has just opened both, and nothing owns them.
    Ok(fds.map(|fd| unsafe { OwnedFd::from_raw_fd(fd) }))
}

/// Makes `to` a duplicate of `from` that is closed on exec.
pub(crate) fn duplicate_onto(from: &OwnedFd, to: &mut OwnedFd) -> Result<()> {
    loop {
        // SAFETY: the call takes numbers. The old file of `to` is closed, and `to` owns the new one.
        match check(unsafe { libc::dup3(from.as_raw_fd(), to.as_raw_fd(), libc::O_CLOEXEC) }) {
            Err(Errno::EINTR) => {}
            result => return result.map(drop),
        }
    }
}
