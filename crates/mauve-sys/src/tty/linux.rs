//! Terminals on Linux.

use std::os::fd::RawFd;

/// Whether `fd` is the master of a pseudo-terminal. Opening it again would create another
/// pseudo-terminal.
pub(super) fn is_master(fd: RawFd) -> bool {
    let mut number: libc::c_int = 0;
    // SAFETY: TIOCGPTN writes one int to `number`.
    unsafe { libc::ioctl(fd, libc::TIOCGPTN, &raw mut number) == 0 }
}
