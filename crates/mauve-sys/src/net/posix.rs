//! Sockets on all Unix systems.

use std::ffi::c_int;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::time::Duration;

use super::socket::set_modes;
use super::{check, get, set, socket_pair, system};
use crate::{Errno, Result};

/// The error of `connect` that means that the attempt continues.
pub const IN_PROGRESS: Errno = Errno::from_raw(libc::EINPROGRESS);

/// A buffer for a system call that receives.
pub fn buffer(buffer: &mut [u8]) -> libc::iovec {
    libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() }
}

/// Listens for connections.
pub fn listen(fd: BorrowedFd<'_>, backlog: c_int) -> Result<()> {
    // SAFETY: the call takes only integers.
    check(unsafe { libc::listen(fd.as_raw_fd(), backlog) }).map(drop)
}

/// Shuts down one side or both.
pub fn shutdown(fd: BorrowedFd<'_>, how: c_int) -> Result<()> {
    // SAFETY: the call takes only integers.
    check(unsafe { libc::shutdown(fd.as_raw_fd(), how) }).map(drop)
}

/// Creates a pipe: the read end and the write end. Both are closed on exec; `nonblocking` sets the
/// mode of each.
pub fn pipe(nonblocking: [bool; 2]) -> Result<[OwnedFd; 2]> {
    set_modes(system::pipe(nonblocking == [true; 2])?, nonblocking)
}

/// Creates a pair of connected Unix sockets, which serve as a pipe whose ends are readable and writable.
pub fn duplex_pipe(nonblocking: [bool; 2]) -> Result<[OwnedFd; 2]> {
    socket_pair(libc::SOCK_STREAM, 0, nonblocking)
}

/// How long `close` waits for unsent data (`SO_LINGER`).
pub fn linger(fd: BorrowedFd<'_>) -> Result<Option<Duration>> {
    Ok(rustix::net::sockopt::socket_linger(fd)?)
}

/// Sets how long `close` waits for unsent data (`SO_LINGER`).
pub fn set_linger(fd: BorrowedFd<'_>, timeout: Option<Duration>) -> Result<()> {
    Ok(rustix::net::sockopt::set_socket_linger(fd, timeout)?)
}

/// Sets the times and the number of keepalive probes: idle, interval, count.
pub fn set_probes(fd: BorrowedFd<'_>, values: [u32; 3]) -> Result<()> {
    let number = |value: u32| c_int::try_from(value).map_err(|_| Errno::EINVAL);
    for (name, value) in system::KEEPALIVE.into_iter().zip(values) {
        set(fd, libc::IPPROTO_TCP, name, number(value)?)?;
    }
    Ok(())
}

/// Allows to bind an address with connections in `TIME_WAIT` (`SO_REUSEADDR`).
pub fn set_reuse_address(fd: BorrowedFd<'_>, on: bool) -> Result<()> {
    set(fd, libc::SOL_SOCKET, libc::SO_REUSEADDR, on.into())
}

/// Whether an address with connections in `TIME_WAIT` can be bound (`SO_REUSEADDR`).
pub fn reuse_address(fd: BorrowedFd<'_>) -> Result<bool> {
    Ok(get(fd, libc::SOL_SOCKET, libc::SO_REUSEADDR)? != 0)
}

/// The error of a code of the resolver that `resolve.rs` does not know: `EAI_SYSTEM`.
pub fn resolver_error(_code: c_int) -> Errno {
    Errno::last()
}

/// # Safety
/// `fd` is the result of a system call that opens a descriptor: a new descriptor, or negative.
pub(crate) unsafe fn owned(fd: libc::c_int) -> Result<OwnedFd> {
    // SAFETY: not negative, so the system has just opened it and nothing owns it.
    check(fd).map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })
}
