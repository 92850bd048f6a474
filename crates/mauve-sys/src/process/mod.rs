//! Other processes: starting them and sending them signals.
//!
//! [`spawn`](Command::spawn) starts one, at a cost that does not depend on this process's memory;
//! `child` is what runs in the child until the new program takes over. Exits are in
//! [`child_exit`](crate::child_exit).

mod atfork;
mod child;
mod command;
mod spawn;
mod stopped;

pub use command::{Command, Place};
pub use spawn::SpawnError;
pub use stopped::while_stopped;

use std::os::fd::{FromRawFd, OwnedFd, RawFd};

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

/// Takes the descriptors that this process has inherited, except the standard ones. They are those
/// without the flag to close them on exec: whatever is opened here has it. They get it now, so that
/// children inherit none of them and a second call finds none.
pub fn take_inherited() -> Vec<OwnedFd> {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let numbers: Vec<RawFd> = names.filter_map(|name| name.parse().ok()).collect();
    let inherited = numbers.into_iter().filter(|fd| {
        // SAFETY: numbers; a bad descriptor is an error.
        let flags = unsafe { libc::fcntl(*fd, libc::F_GETFD) };
        *fd > 2 && flags != -1 && flags & libc::FD_CLOEXEC == 0
    });
    let take = |fd| {
        // SAFETY: numbers.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        // SAFETY: open, and not opened by anything in this process, see above.
        unsafe { OwnedFd::from_raw_fd(fd) }
    };
    inherited.map(take).collect()
}

#[cfg(test)]
mod tests;
