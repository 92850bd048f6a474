//! Starting a process.
//!
//! The child borrows this process's memory until the new program takes over, and the calling
//! thread waits for that. So nothing is copied, however much memory there is, and what goes wrong
//! in the child is known when the call returns.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};

use super::atfork;
use super::child::become_program;
use super::command::{Command, Place, Prepared};
use crate::child_exit::{ChildWatch, ExitDescriptor};
use crate::signal::AllBlocked;
use crate::{Errno, fd, net};

/// The child's stack, until the new program takes over.
const STACK: usize = 64 * 1024;

/// Why a process was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// The system would not make another process.
    NoProcess(Errno),
    /// There was a process, but it could not become what was asked for, and is gone.
    Failed(Errno),
}

impl SpawnError {
    /// The system's error.
    pub fn errno(self) -> Errno {
        match self {
            Self::NoProcess(errno) | Self::Failed(errno) => errno,
        }
    }
}

/// What parent and child share.
struct Errand<'a> {
    prepared: Prepared<'a>,
    error: c_int,
}

impl Command {
    /// Starts the program.
    pub fn spawn(&self, stdio: &mut [Place]) -> Result<ChildWatch, SpawnError> {
        keep_statuses();
        // No handler of this process may run in the child, where it would find the wrong process.
        let blocked = AllBlocked::new();
        let mut errand = Errand { prepared: Prepared::new(self, stdio), error: 0 };
        let started = if atfork::is_wanted() { fork(&mut errand) } else { start(&mut errand) };
        drop(blocked);
        let child = started.map_err(SpawnError::NoProcess)?;
        match errand.error {
            0 => Ok(child),
            error => {
                reap(child.pid());
                Err(SpawnError::Failed(Errno::from_raw(error)))
            }
        }
    }
}

/// Starts the child in this process's memory. The descriptor comes with the process, so that it
/// cannot refer to another one. Falls back to a fork where a seccomp filter or an emulated kernel
/// refuses the flags.
fn start(errand: &mut Errand<'_>) -> Result<ChildWatch, Errno> {
    let mut fd: RawFd = -1;
    let mut started = start_with(errand, libc::CLONE_PIDFD, &mut fd);
    if let Err(Errno::EMFILE | Errno::ENFILE | Errno::EINVAL | Errno::EPERM | Errno::ENOSYS) =
        started
    {
        started = start_with(errand, 0, &mut fd);
    }
    if let Err(Errno::EINVAL | Errno::EPERM | Errno::ENOSYS) = started {
        return fork(errand);
    }
    let pid = started?;
    // SAFETY: unless it is negative, the kernel has just given it to us.
    let fd = (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) });
    Ok(ChildWatch::new(pid, fd.map(ExitDescriptor::from)))
}

fn start_with(errand: &mut Errand<'_>, more: c_int, fd: &mut RawFd) -> Result<i32, Errno> {
    let mut stack = Box::<[u128]>::new_uninit_slice(STACK / 16);
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD | more;
    // SAFETY: the stack is the child's alone and aligned, and grows down from its end. The errand
    // and everything in it stay where they are until the child is done with them, because this
    // thread does not run before. There is room for a descriptor.
    let pid = unsafe {
        let top = stack.as_mut_ptr_range().end.cast::<c_void>();
        libc::clone(run, top, flags, std::ptr::from_mut(errand).cast(), std::ptr::from_mut(fd))
    };
    if pid == -1 { Err(Errno::last()) } else { Ok(pid) }
}

/// Starts the child with a copy of everything, and with the handlers that are registered for that.
/// The error comes through a pipe, which closes by itself if there is none.
fn fork(errand: &mut Errand<'_>) -> Result<ChildWatch, Errno> {
    let [reader, writer] = net::pipe([false, false])?;
    // Out of the way of what the child puts in its places.
    let lowest = errand.prepared.stdio.len() as RawFd;
    let writer = {
        let low = writer;
        rustix::io::fcntl_dupfd_cloexec(&low, lowest)?
    };
    // SAFETY: the child does what a child of this kind may do, and ends.
    match unsafe { libc::fork() } {
        -1 => Err(Errno::last()),
        0 => {
            // SAFETY: a fresh child, with the signals blocked by `spawn`.
            let error = unsafe { become_program(&mut errand.prepared) };
            let _ = rustix::io::write(&writer, &error.to_ne_bytes());
            // SAFETY: ends this process without running anything of the parent's.
            unsafe { libc::_exit(127) }
        }
        pid => {
            drop(writer);
            let mut error = [0; size_of::<c_int>()];
            if fd::read(reader.as_fd(), &mut error) == Ok(error.len()) {
                errand.error = c_int::from_ne_bytes(error);
            }
            Ok(ChildWatch::new(pid, ExitDescriptor::open(pid)))
        }
    }
}

extern "C" fn run(errand: *mut c_void) -> c_int {
    // SAFETY: what `start` has passed; its owner is stopped.
    let errand = unsafe { &mut *errand.cast::<Errand<'_>>() };
    // SAFETY: a fresh child, with the signals blocked by `spawn`.
    errand.error = unsafe { become_program(&mut errand.prepared) };
    // SAFETY: ends this process without running anything of the parent's.
    unsafe { libc::_exit(127) }
}

/// Waits for a child that has failed.
fn reap(pid: i32) {
    let mut status = 0;
    // SAFETY: room for a status.
    while unsafe { libc::waitpid(pid, &mut status, 0) } == -1 && Errno::last() == Errno::EINTR {}
}

/// A process that ignores the end of its children cannot learn how they ended.
fn keep_statuses() {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: asks for the current action, into room for one; then the default one is valid.
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
