//! Sockets on Apple's systems.

use std::ffi::c_int;
use std::os::fd::{AsFd as _, OwnedFd};

pub(crate) use super::accept::*;
pub use super::af_link::*;
pub use super::cmsg_fcntl::*;
pub use super::getpeereid::*;
pub use super::source_groups::*;
pub use super::unix::*;
use crate::{Errno, Result};

/// Shares an address with other sockets.
pub const REUSE_PORT: Option<c_int> = Some(libc::SO_REUSEPORT);

/// The options for the times and the number of keepalive probes: idle, interval, count.
pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPALIVE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

/// Errors of `getaddrinfo` that not all systems have.
pub const RESOLVER_ERRORS: &[(i32, Errno)] = &[(libc::EAI_NODATA, Errno::EAI_NODATA)];

/// Has a write to a socket without a reader fail, instead of raising `SIGPIPE`.
pub fn suppress_sigpipe(fd: &OwnedFd) -> Result<()> {
    super::set(fd.as_fd(), libc::SOL_SOCKET, libc::SO_NOSIGPIPE, 1)
}
