//! Terminals on systems other than Linux.

use std::os::fd::RawFd;

/// Whether `fd` is the master of a pseudo-terminal. Opening it again would create another
/// pseudo-terminal.
pub(super) fn is_master(fd: RawFd) -> bool {
    // SAFETY: takes a number. The result is not followed; it is null if `fd` is no master.
    unsafe { !libc::ptsname(fd).is_null() }
}
