//! Sockets on illumos and Solaris.

use std::ffi::c_int;
use std::os::fd::{AsRawFd, BorrowedFd};

use super::PeerCredentials;
pub(crate) use super::accept4::*;
pub use super::af_link::*;
pub use super::cmsg_fcntl::*;
pub use super::no_source_groups::*;
pub use super::unix::*;
use crate::{Errno, Result};

/// Shares an address with other sockets.
pub const REUSE_PORT: Option<c_int> = None;

/// The options for the times and the number of keepalive probes: idle, interval, count.
pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPIDLE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

/// Errors of `getaddrinfo` that not all systems have.
pub const RESOLVER_ERRORS: &[(i32, Errno)] = &[(libc::EAI_NODATA, Errno::EAI_NODATA)];

pub fn peer_credentials(fd: BorrowedFd<'_>) -> Result<PeerCredentials> {
    let mut found = std::ptr::null_mut();
    // SAFETY: the call allocates the credentials, which are read and then freed.
    unsafe {
        if libc::getpeerucred(fd.as_raw_fd(), &raw mut found) != 0 {
            return Err(Errno::last());
        }
        let pid = libc::ucred_getpid(found);
        let (uid, gid) = (libc::ucred_geteuid(found), libc::ucred_getegid(found));
        libc::ucred_free(found);
        Ok(PeerCredentials { pid, uid, gid })
    }
}
