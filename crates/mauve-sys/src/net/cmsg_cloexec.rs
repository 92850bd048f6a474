//! Received descriptors on systems that set close-on-exec.

use std::os::fd::OwnedFd;

use rustix::net::RecvFlags;

/// Received descriptors are closed on exec.
pub const RECEIVE_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;

/// Does nothing: the system has set the flag already.
pub fn set_close_on_exec(_: &OwnedFd) {}
