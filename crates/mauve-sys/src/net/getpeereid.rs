//! The user of a Unix peer on macOS and the BSDs: `getpeereid`.

use std::os::fd::{AsRawFd, BorrowedFd};

use crate::net::PeerCredentials;
use crate::{Errno, Result};

/// The process is not reported.
pub fn peer_credentials(fd: BorrowedFd<'_>) -> Result<PeerCredentials> {
    let (mut uid, mut gid) = (0, 0);
    // SAFETY: both are local variables.
    match unsafe { libc::getpeereid(fd.as_raw_fd(), &raw mut uid, &raw mut gid) } {
        0 => Ok(PeerCredentials { pid: 0, uid, gid }),
        _ => Err(Errno::last()),
    }
}
