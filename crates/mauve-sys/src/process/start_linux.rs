//! Starting a child on Linux, in this process's memory (`CLONE_VM | CLONE_VFORK`).
//!
//! The calling thread is suspended until `exec`. So no page tables are copied, and errors of the
//! child are known when the call returns.

use std::ffi::{c_int, c_void};
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use super::atfork;
use crate::Errno;
use crate::child_exit::{self, ChildWatch, ExitDescriptor};
use crate::process::child::exec;
use crate::process::spawn::{SpawnContext, fork};

/// The size of the child's stack until `exec`.
const STACK_SIZE: usize = 64 * 1024;

/// Starts the child in this process's memory. `CLONE_PIDFD` returns the pidfd with the process, so it
/// cannot refer to another one. Falls back to `fork` if a seccomp filter or an emulated kernel
/// refuses the flags.
pub(crate) fn start(context: &mut SpawnContext<'_>) -> Result<ChildWatch, Errno> {
    if atfork::handlers_needed() {
        return fork(context);
    }
    let mut fd: RawFd = -1;
    let pidfd = if child_exit::uses_descriptors() { libc::CLONE_PIDFD } else { 0 };
    let mut started = start_with(context, pidfd, &mut fd);
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

/// The entry point of a child in this process's memory.
extern "C" fn run(context: *mut c_void) -> c_int {
    // SAFETY: `start_with` passes its exclusive reference, and is suspended.
    let context = unsafe { &mut *context.cast::<SpawnContext<'_>>() };
    // SAFETY: this is a new child, and `spawn` has blocked all signals.
    context.error = unsafe { exec(&mut context.prepared) };
    // SAFETY: exits without running destructors or exit handlers of the parent.
    unsafe { libc::_exit(127) }
}
