//! Other processes: starting them and sending them signals.
//!
//! [`spawn`](Command::spawn) starts one, at a cost that does not depend on this process's memory;
//! `child` is what runs in the child until the new program takes over. Exits are in
//! [`child_exit`](crate::child_exit).

mod atfork;
mod child;
mod command;
#[cfg(any(test, feature = "inherited"))]
mod inherited;
mod spawn;
mod stopped;

pub use command::{Command, Place};
#[cfg(any(test, feature = "inherited"))]
pub use inherited::take_inherited;
pub use spawn::SpawnError;
pub use stopped::while_stopped;

use std::os::fd::RawFd;

pub use crate::child_exit::Exit;
use crate::{Errno, Result};

/// Sends a signal to a process. Zero asks whether there is such a process.
#[doc(alias = "uv_kill")]
pub fn kill(pid: i32, signal: i32) -> Result<()> {
    // SAFETY: numbers.
    if unsafe { libc::kill(pid, signal) } == -1 {
        return Err(Errno::last());
    }
    Ok(())
}

/// Has children inherit none of the descriptors that this process was started with, as far as
/// they can be told: all up to the first gap, but at least those up to 15.
#[doc(alias = "uv_disable_stdio_inheritance")]
pub fn disable_inheritance() {
    for fd in 0..RawFd::MAX {
        // SAFETY: numbers; a bad descriptor is an error.
        let failed = unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) } == -1;
        if failed && fd > 15 {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
