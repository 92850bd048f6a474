//! Signals to processes, and what children inherit without being asked.

use std::os::fd::RawFd;

use crate::{Errno, Result};

/// Sends a signal to a process. Signal 0 only checks whether the process exists.
#[doc(alias = "uv_kill")]
pub fn kill(pid: i32, signal: i32) -> Result<()> {
    // SAFETY: `kill` takes only integers.
    if unsafe { libc::kill(pid, signal) } == -1 {
        return Err(Errno::last());
    }
    Ok(())
}

/// Sets close-on-exec on the descriptors that this process has inherited. As in libuv, these are
/// assumed to be all up to the first gap, and at least those up to 15.
#[doc(alias = "uv_disable_stdio_inheritance")]
pub fn disable_stdio_inheritance() {
    for fd in 0..RawFd::MAX {
        // SAFETY: F_SETFD takes only integers. A number that is not an open descriptor is an error.
        let failed = unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) } == -1;
        if failed && fd > 15 {
            return;
        }
    }
}
