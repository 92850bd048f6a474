//! Starting a process.
//!
//! Each platform has a function `start`. On Linux the child runs in this process's memory until
//! `exec`. Elsewhere it is started with `fork`.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd, RawFd};

use super::SpawnError;
use super::child::exec;
use super::options::{ProcessOptions, StdioFd};
use super::prepared::Prepared;
use super::system::{SA_NOCLDWAIT, start};
use crate::child_exit::{self, ChildWatch};
use crate::signal::AllBlocked;
use crate::{Errno, fd, net};

/// The data that parent and child share.
pub(crate) struct SpawnContext<'a> {
    pub(crate) prepared: Prepared<'a>,
    /// The error of the child. If it was not started, that of its last attempt.
    pub(crate) error: c_int,
}

impl ProcessOptions {
    /// Starts the program. `stdio` has the descriptors of the child, by number.
    pub fn spawn(&self, stdio: &mut [StdioFd]) -> Result<ChildWatch, SpawnError> {
        reset_ignored_sigchld();
        // Signal handlers of this process must not run in the child.
        let blocked = AllBlocked::new();
        let mut context = SpawnContext { prepared: Prepared::new(self, stdio), error: 0 };
        let started = start(&mut context);
        drop(blocked);
        let fail = if context.error == 0 { SpawnError::Fork } else { SpawnError::Exec };
        let child = started.map_err(fail)?;
        match context.error {
            0 => Ok(child),
            error => {
                reap(child.pid());
                Err(SpawnError::Exec(Errno::from_raw(error)))
            }
        }
    }
}

/// Starts the child with `fork`, which runs the `pthread_atfork` handlers. The child writes its error
/// to a pipe.
pub(crate) fn fork(context: &mut SpawnContext<'_>) -> Result<ChildWatch, Errno> {
    let pipe = ErrorPipe::open(context)?;
    // SAFETY: the child only calls `exec`, which is async-signal-safe, then `write` and `_exit`.
    match unsafe { libc::fork() } {
        -1 => Err(Errno::last()),
        0 => {
            // SAFETY: this is a new child, and `spawn` has blocked all signals.
            let error = unsafe { exec(&mut context.prepared) };
            pipe.send(error);
            // SAFETY: exits without running destructors or exit handlers of the parent.
            unsafe { libc::_exit(127) }
        }
        pid => {
            // Opened while the pipe exists, so that the next child finds room for its own pipe.
            let descriptor = child_exit::open_descriptor(pid);
            context.error = pipe.receive();
            Ok(ChildWatch::new(pid, descriptor))
        }
    }
}

/// A pipe for the error of a child that has its own memory. `exec` closes it.
pub(crate) struct ErrorPipe {
    reader: OwnedFd,
    writer: OwnedFd,
}

impl ErrorPipe {
    pub(crate) fn open(context: &SpawnContext<'_>) -> Result<Self, Errno> {
        let [reader, mut writer] = net::pipe([false, false])?;
        // The number must not collide with the child's stdio.
        let lowest = context.prepared.stdio.len() as RawFd;
        if writer.as_raw_fd() < lowest {
            writer = rustix::io::fcntl_dupfd_cloexec(&writer, lowest)?;
        }
        Ok(Self { reader, writer })
    }

    /// Called by the child if it cannot execute its program.
    pub(crate) fn send(&self, error: c_int) {
        let _ = rustix::io::write(&self.writer, &error.to_ne_bytes());
    }

    /// Waits until the child has executed its program or failed. Returns its error, or zero.
    pub(crate) fn receive(self) -> c_int {
        let Self { reader, writer } = self;
        drop(writer);
        let mut error = [0; size_of::<c_int>()];
        match fd::read(reader.as_fd(), &mut error) == Ok(error.len()) {
            true => c_int::from_ne_bytes(error),
            false => 0,
        }
    }
}

/// Reaps a child that could not execute its program.
fn reap(pid: i32) {
    let mut status = 0;
    // SAFETY: `waitpid` writes the status to a local variable.
    while unsafe { libc::waitpid(pid, &mut status, 0) } == -1 && Errno::last() == Errno::EINTR {}
}

/// Stops ignoring `SIGCHLD`. The kernel discards the exit status of children if it is ignored.
fn reset_ignored_sigchld() {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the first call stores the current action in `action`. The second one sets a valid
    // action.
    unsafe {
        libc::sigaction(libc::SIGCHLD, std::ptr::null(), action.as_mut_ptr());
        let action = action.assume_init_mut();
        let flags = action.sa_flags & !SA_NOCLDWAIT;
        if action.sa_sigaction == libc::SIG_IGN || flags != action.sa_flags {
            if action.sa_sigaction == libc::SIG_IGN {
                action.sa_sigaction = libc::SIG_DFL;
            }
            action.sa_flags = flags;
            libc::sigaction(libc::SIGCHLD, action, std::ptr::null_mut());
        }
    }
}
