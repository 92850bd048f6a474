//! Descriptors that belong to somebody else.

use std::os::fd::RawFd;

use crate::{Errno, Result};

/// Switches between blocking and non-blocking operations.
pub fn set_nonblocking(fd: RawFd, nonblocking: bool) -> Result<()> {
    let mut value = libc::c_int::from(nonblocking);
    // SAFETY: FIONBIO reads one int; a bad descriptor is an error.
    if unsafe { libc::ioctl(fd, libc::FIONBIO, &raw mut value) } == -1 {
        return Err(Errno::last());
    }
    Ok(())
}
