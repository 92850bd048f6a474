//! Starting a child on Linux, in this process's memory (`CLONE_VM | CLONE_VFORK`).
//!
//! The calling thread is suspended until `exec`. So no page tables are copied, and errors of the
//! child are known when the call returns.

use std::ffi::{c_int, c_void};
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

pub use super::ptrace::{registers, with_stopped_thread};
use super::{atfork, posix_spawn};
use crate::Errno;
use crate::child_exit::{self, ChildWatch, ExitDescriptor};
use crate::process::child::exec;
use crate::process::spawn::{ErrorPipe, SpawnContext, fork};

/// The size of the child's stack until `exec`.
const STACK_SIZE: usize = 64 * 1024;

/// Whether children run in this process's memory. An emulator of the kernel may ignore the flags:
/// qemu-user gives the child a copy, and does not suspend the parent.
static MEMORY: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const SHARED: u8 = 1;
const COPIED: u8 = 2;

/// The argument of a child.
struct Start<'a, 'b> {
    context: &'a mut SpawnContext<'b>,
    /// Set by the child, if it runs in this process's memory.
    has_run: bool,
    /// Reports an error from a child that does not. Only the first child of a process has it.
    errors: Option<ErrorPipe>,
}

/// Starts the child in this process's memory. `CLONE_PIDFD` returns the pidfd with the process, so it
/// cannot refer to another one. Falls back to `fork` if a seccomp filter or an emulated kernel
/// refuses the flags or ignores them.
///
/// If the program replaces `posix_spawn`, it is called where libuv calls it.
///
/// A child that changes its user is forked, as in libuv: it calls `setuid` of the C library, which tools
/// such as fakeroot replace, and which would change the user of the threads in this process's memory.
pub(crate) fn start(context: &mut SpawnContext<'_>) -> Result<ChildWatch, Errno> {
    let memory = MEMORY.load(Relaxed);
    let changes_user = context.prepared.options.changes_user();
    if !changes_user
        && posix_spawn::is_replaced()
        && let Some(child) = posix_spawn::start(context)
    {
        return child;
    }
    if memory == COPIED || changes_user || atfork::handlers_needed() {
        return fork(context);
    }
    // Without the pipe, an error of a child in its own memory appears as the exit status 127.
    let errors = if memory == UNKNOWN { ErrorPipe::open(context).ok() } else { None };
    let mut argument = Start { context, has_run: false, errors };
    let mut fd: RawFd = -1;
    let pidfd = if child_exit::uses_descriptors() { libc::CLONE_PIDFD } else { 0 };
    let mut started = start_with(&mut argument, pidfd, &mut fd);
    if let Err(Errno::EMFILE | Errno::ENFILE | Errno::EINVAL | Errno::EPERM | Errno::ENOSYS) =
        started
    {
        started = start_with(&mut argument, 0, &mut fd);
    }
    let Start { context, has_run, errors } = argument;
    if let Err(Errno::EINVAL | Errno::EPERM | Errno::ENOSYS) = started {
        return fork(context);
    }
    let pid = started?;
    MEMORY.store(if has_run { SHARED } else { COPIED }, Relaxed);
    // SAFETY: if it is not negative, the kernel has just opened it, and nothing else owns it.
    let fd = (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) });
    let mut descriptor = fd.map(ExitDescriptor::from);
    if !has_run {
        descriptor = descriptor.or_else(|| child_exit::open_descriptor(pid));
        context.error = errors.map_or(0, ErrorPipe::receive);
    }
    Ok(ChildWatch::new(pid, descriptor))
}

fn start_with(argument: &mut Start<'_, '_>, more: c_int, fd: &mut RawFd) -> Result<i32, Errno> {
    let mut stack = Box::<[u128]>::new_uninit_slice(STACK_SIZE / 16);
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD | more;
    // SAFETY: the stack is used only by the child, is aligned, and grows down from its end. The
    // argument stays valid until the child has called `exec` or exited: either CLONE_VFORK suspends
    // this thread until then, or the child has a copy of the memory. `fd` is writable.
    let pid = unsafe {
        let top = stack.as_mut_ptr_range().end.cast::<c_void>();
        libc::clone(run, top, flags, std::ptr::from_mut(argument).cast(), std::ptr::from_mut(fd))
    };
    if pid == -1 { Err(Errno::last()) } else { Ok(pid) }
}

/// The entry point of a child in this process's memory.
extern "C" fn run(argument: *mut c_void) -> c_int {
    // SAFETY: `start_with` passes its exclusive reference, and is suspended or has another copy.
    let argument = unsafe { &mut *argument.cast::<Start<'_, '_>>() };
    argument.has_run = true;
    // SAFETY: this is a new child, and `spawn` has blocked all signals.
    argument.context.error = unsafe { exec(&mut argument.context.prepared) };
    if let Some(errors) = &argument.errors {
        errors.send(argument.context.error);
    }
    // SAFETY: exits without running destructors or exit handlers of the parent.
    unsafe { libc::_exit(127) }
}

/// The size of the longest path, with its terminating zero.
pub(super) const PATH_MAX: usize = libc::PATH_MAX as usize;

/// The directory of the open descriptors of this process.
#[cfg(any(test, feature = "inherited"))]
pub(super) const FD_DIRECTORY: &std::ffi::CStr = c"/proc/self/fd";

pub(super) use libc::SA_NOCLDWAIT;

/// Ignores the signals that glibc uses itself, in a new child. Its `posix_spawn`, and so libuv, does so.
pub(super) fn ignore_internal_signals() {
    // The kernel's struct, with the handler first. Flags, restorer and mask are zero.
    let action = [libc::SIG_IGN, 0, 0, 0];
    if cfg!(all(target_env = "gnu", not(any(target_arch = "mips", target_arch = "mips64")))) {
        for number in [32, 33] {
            // SAFETY: a valid action of the kernel. The C library refuses these numbers.
            unsafe {
                libc::syscall(
                    libc::SYS_rt_sigaction,
                    number,
                    &raw const action,
                    std::ptr::null_mut::<()>(),
                    8,
                );
            }
        }
    }
}
