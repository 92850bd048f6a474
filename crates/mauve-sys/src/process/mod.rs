//! Other processes: starting them, hearing of their end, sending them signals.
//!
//! * [`spawn`](Command::spawn) starts one, at a cost that does not depend on this process's
//!   memory; `child` is what happens on the other side until the new program takes over.
//! * [`exit`]: how a child ended, and the descriptor that tells when.

mod atfork;
mod child;
mod command;
mod exit;
mod spawn;
mod stopped;

pub use command::{Command, Place};
pub use exit::{Exit, PidFd, wait};
pub use spawn::{SpawnError, Spawned};
pub use stopped::while_stopped;

use std::os::fd::RawFd;

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
