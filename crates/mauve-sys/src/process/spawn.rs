//! Starting a process.
//!
//! The child runs in this process's memory until `exec` (`CLONE_VM | CLONE_VFORK`), and the calling
//! thread is suspended meanwhile. So no page tables are copied, and errors of the child are known
//! when the call returns.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};

use super::atfork;
use super::child::exec;
use super::options::{Prepared, ProcessOptions, StdioFd};
use crate::child_exit::{ChildWatch, ExitDescriptor};
use crate::signal::AllBlocked;
use crate::{Errno, fd, net};

/// The size of the child's stack until `exec`.
const STACK_SIZE: usize = 64 * 1024;

/// Why a process was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// The system could not create a process.
    Fork(Errno),
    /// The child could not execute the program. It has exited and is reaped.
    Exec(Errno),
}

/// The data that parent and child share.
struct SpawnContext<'a> {
    prepared: Prepared<'a>,
    error: c_int,
}

impl ProcessOptions {
    /// Starts the program. `stdio` has the descriptors of the child, by number.
    pub fn spawn(&self, stdio: &mut [StdioFd]) -> Result<ChildWatch, SpawnError> {
        reset_ignored_sigchld();
        // Signal handlers of this process must not run in the child.
        let blocked = AllBlocked::new();
        let mut context = SpawnContext { prepared: Prepared::new(self, stdio), error: 0 };
        let started =
            if atfork::handlers_needed() { fork(&mut context) } else { start(&mut context) };
        drop(blocked);
        let child = started.map_err(SpawnError::Fork)?;
        match context.error {
            0 => Ok(child),
            error => {
                reap(child.pid());
                Err(SpawnError::Exec(Errno::from_raw(error)))
            }
        }
    }
}

/// Starts the child in this process's memory. `CLONE_PIDFD` returns the pidfd with the process, so it
/// cannot refer to another one. Falls back to `fork` if a seccomp filter or an emulated kernel
/// refuses the flags.
fn start(context: &mut SpawnContext<'_>) -> Result<ChildWatch, Errno> {
    let mut fd: RawFd = -1;
    let mut started = start_with(context, libc::CLONE_PIDFD, &mut fd);
    if let Err(Errno::EMFILE | Errno::ENFILE | Errno::EINVAL | Errno::EPERM | Errno::ENOSYS) =
        started
    {
        started = start_with(context, 0, &mut fd);
    }
    if let Err(Errno::EINVAL | Errno::EPERM | Errno::ENOSYS) = started {
        return fork(context);
    }
    let pid = started?;
    // SAFETY: if it is not negative, the kernel has just opened it, and nothing else owns it.
    let fd = (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) });
    Ok(ChildWatch::new(pid, fd.map(ExitDescriptor::from)))
}

fn start_with(context: &mut SpawnContext<'_>, more: c_int, fd: &mut RawFd) -> Result<i32, Errno> {
    let mut stack = Box::<[u128]>::new_uninit_slice(STACK_SIZE / 16);
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD | more;
    // SAFETY: the stack is used only by the child, is aligned, and grows down from its end. The
    // context stays valid until the child has called `exec` or exited, because CLONE_VFORK suspends
    // this thread until then. `fd` is writable.
    let pid = unsafe {
        let top = stack.as_mut_ptr_range().end.cast::<c_void>();
        libc::clone(run, top, flags, std::ptr::from_mut(context).cast(), std::ptr::from_mut(fd))
    };
    if pid == -1 { Err(Errno::last()) } else { Ok(pid) }
}

/// Starts the child with `fork`, which runs the `pthread_atfork` handlers. The child writes its error
/// to a pipe, which `exec` closes.
fn fork(context: &mut SpawnContext<'_>) -> Result<ChildWatch, Errno> {
    let [reader, writer] = net::pipe([false, false])?;
    // The number must not collide with the child's stdio.
    let lowest = context.prepared.stdio.len() as RawFd;
    let writer = {
        let low = writer;
        rustix::io::fcntl_dupfd_cloexec(&low, lowest)?
    };
    // SAFETY: the child only calls `exec`, which is async-signal-safe, then `write` and `_exit`.
    match unsafe { libc::fork() } {
        -1 => Err(Errno::last()),
        0 => {
            // SAFETY: this is a new child, and `spawn` has blocked all signals.
            let error = unsafe { exec(&mut context.prepared) };
            let _ = rustix::io::write(&writer, &error.to_ne_bytes());
            // SAFETY: exits without running destructors or exit handlers of the parent.
            unsafe { libc::_exit(127) }
        }
        pid => {
            drop(writer);
            let mut error = [0; size_of::<c_int>()];
            if fd::read(reader.as_fd(), &mut error) == Ok(error.len()) {
                context.error = c_int::from_ne_bytes(error);
            }
            Ok(ChildWatch::new(pid, ExitDescriptor::open(pid)))
        }
    }
}

/// The entry point of a child in this process's memory.
extern "C" fn run(context: *mut c_void) -> c_int {
    // SAFETY: `start_with` passes its exclusive reference, and is suspended.
    let context = unsafe { &mut *context.cast::<SpawnContext<'_>>() };
    // SAFETY: this is a new child, and `spawn` has blocked all signals.
    context.error = unsafe { exec(&mut context.prepared) };
    // SAFETY: exits without running destructors or exit handlers of the parent.
    unsafe { libc::_exit(127) }
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
        if action.sa_sigaction == libc::SIG_IGN || action.sa_flags & libc::SA_NOCLDWAIT != 0 {
            if action.sa_sigaction == libc::SIG_IGN {
                action.sa_sigaction = libc::SIG_DFL;
            }
            action.sa_flags &= !libc::SA_NOCLDWAIT;
            libc::sigaction(libc::SIGCHLD, action, std::ptr::null_mut());
        }
    }
}
