//! Child processes: starting them and sending them signals.
//!
//! [`spawn`](ProcessOptions::spawn) starts a process, at a cost that does not depend on the size of this
//! process's memory. `child` has the code of the child before `exec`. Waiting for the exit is in
//! [`child_exit`](crate::child_exit).

pub(crate) mod child;
#[cfg(any(test, feature = "inherited"))]
mod inherited;
pub(crate) mod options;
pub(crate) mod spawn;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod atfork;
        mod linux;
        mod ptrace;
        use linux as system;
    } else if #[cfg(any(
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "dragonfly",
            target_os = "netbsd",
            target_os = "openbsd",
            target_os = "illumos",
            target_os = "solaris",
        ))] {
        mod fork;
        mod unix;
        use unix as system;
    } else {
        mod fork;
        mod other;
        use other as system;
    }
}

#[cfg(any(test, feature = "inherited"))]
pub use inherited::take_inherited;
pub use options::{ProcessOptions, StdioFd};
pub use spawn::SpawnError;

use std::os::fd::RawFd;

pub use system::with_stopped_thread;

pub use crate::child_exit::ExitStatus;
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

#[cfg(test)]
mod tests;
