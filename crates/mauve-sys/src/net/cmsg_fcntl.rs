//! Received descriptors on systems without a flag to have them closed on exec.

use std::os::fd::OwnedFd;

use rustix::net::RecvFlags;

/// The system has no flag.
pub const RECEIVE_FLAGS: RecvFlags = RecvFlags::empty();

pub fn set_close_on_exec(fd: &OwnedFd) {
    // Cannot fail for an open descriptor.
    let _ = rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC);
}
