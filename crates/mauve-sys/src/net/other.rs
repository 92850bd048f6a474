//! Sockets on systems without files of their own: only what POSIX has.

use std::ffi::c_int;
use std::os::fd::{BorrowedFd, OwnedFd};

use super::PeerCredentials;
pub(crate) use super::accept::*;
pub use super::cmsg_fcntl::*;
pub use super::no_source_groups::*;
pub use super::unix::*;
use crate::{Errno, Result};

/// Shares an address with other sockets.
pub const REUSE_PORT: Option<c_int> = None;

/// The options for the times and the number of keepalive probes: the system has none.
pub const KEEPALIVE: [c_int; 0] = [];

/// Errors of `getaddrinfo` that not all systems have.
pub const RESOLVER_ERRORS: &[(i32, Errno)] = &[];

/// `ENOSYS`: not in POSIX.
pub fn peer_credentials(_: BorrowedFd<'_>) -> Result<PeerCredentials> {
    Err(Errno::ENOSYS)
}

/// Does nothing: as on Linux, the program decides about `SIGPIPE`.
pub fn suppress_sigpipe(_: &OwnedFd) -> Result<()> {
    Ok(())
}

/// The hardware address of an interface, if `address` is one: the system has no such addresses.
///
/// # Safety
/// Safe to call; on other systems `address` must be valid.
pub unsafe fn hardware_address(_address: *const libc::sockaddr) -> Option<[u8; 6]> {
    None
}
