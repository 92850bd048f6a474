//! The code of the child between `clone` and `exec`.
//!
//! The child runs in the parent's memory, while the thread that started it is suspended. So this
//! code only makes system calls and uses prepared memory. It must not allocate, lock or panic. A child
//! that changes its user has its own memory, because `setuid` of the C library signals other threads.

use std::ffi::{c_char, c_int};
use std::os::fd::RawFd;

use super::options::{ProcessOptions, StdioFd};
use super::prepared::Prepared;
use super::system;
use crate::{errno, signal};

/// Executes the new program, or returns the error number.
///
/// # Safety
/// Must be called in a new child, with all signals blocked.
pub(crate) unsafe fn exec(prepared: &mut Prepared<'_>) -> c_int {
    // SAFETY: the caller promises that this is a new child with all signals blocked.
    let set_up = unsafe { set_up(prepared) };
    match set_up {
        // SAFETY: this is a new child, in which `set_up` has reset the signal actions. One that changes its
        // user has its own memory.
        Ok(()) => unsafe {
            unblock_signals();
            if prepared.options.changes_user() {
                search(prepared)
            } else {
                try_candidates(prepared)
            }
        },
        Err(error) => error,
    }
}

unsafe fn set_up(prepared: &mut Prepared<'_>) -> Result<(), c_int> {
    let options = prepared.options;
    // SAFETY: the calls take numbers, and null-terminated strings of the suspended parent.
    unsafe {
        if options.detached {
            libc::setsid();
        }
        // The order is that of libuv, which differs between `fork` and `posix_spawn`. It determines
        // which error is reported.
        if options.changes_user() {
            set_up_stdio(prepared.stdio, MakeBlocking::Standard)?;
            change_directory(options)?;
        } else {
            change_directory(options)?;
            set_up_stdio(prepared.stdio, MakeBlocking::Unmoved)?;
            close_sources(prepared.stdio);
        }
        if options.changes_user() {
            // Fails without privileges, and is not needed then.
            libc::setgroups(0, std::ptr::null());
        }
        if let Some(gid) = options.gid {
            check(libc::setgid(gid))?;
        }
        if let Some(uid) = options.uid {
            check(libc::setuid(uid))?;
        }
        for number in 1..=signal::MAX {
            // Fails for signals that cannot be changed, such as SIGKILL.
            libc::signal(number, libc::SIG_DFL);
        }
        if !options.changes_user() {
            system::ignore_internal_signals();
        }
    }
    Ok(())
}

unsafe fn change_directory(options: &ProcessOptions) -> Result<(), c_int> {
    if let Some(cwd) = &options.cwd {
        // SAFETY: a null-terminated string of the suspended parent.
        check(unsafe { libc::chdir(cwd.as_ptr()) })?;
    }
    Ok(())
}

/// Which inherited descriptors are made blocking, as in libuv.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MakeBlocking {
    /// Those that need not be moved before they are duplicated.
    Unmoved,
    /// The first three.
    Standard,
}

/// Duplicates the descriptors to their numbers. They may be permuted, and used more than once.
unsafe fn set_up_stdio(stdio: &mut [StdioFd], blocking: MakeBlocking) -> Result<(), c_int> {
    let count = stdio.len() as RawFd;
    // Move each descriptor that would be overwritten before it is duplicated.
    for (fd, source) in (0..).zip(stdio.iter_mut()) {
        if let StdioFd::Inherit(from) | StdioFd::Created(from) = *source
            && from < fd
        {
            // SAFETY: F_DUPFD_CLOEXEC takes only integers.
            let moved = check(unsafe { libc::fcntl(from, libc::F_DUPFD_CLOEXEC, count) })?;
            *source = match *source {
                StdioFd::Inherit(_) if blocking == MakeBlocking::Standard => {
                    StdioFd::Inherit(moved)
                }
                _ => StdioFd::Created(moved),
            };
        }
    }
    for (fd, source) in (0..).zip(stdio.iter()) {
        match *source {
            StdioFd::Ignore if fd < 3 => {
                let mode = if fd == 0 { libc::O_RDONLY } else { libc::O_RDWR };
                // The descriptor table of the parent may be full.
                // SAFETY: the child has no owner of `fd`, which is replaced.
                unsafe { libc::close(fd) };
                // SAFETY: the path is a null-terminated literal.
                let null = restart(|| unsafe { libc::open(c"/dev/null".as_ptr(), mode) })?;
                if null != fd {
                    // SAFETY: `dup2` takes only integers. The child has no owner of `fd`.
                    restart(|| unsafe { libc::dup2(null, fd) })?;
                    // SAFETY: it was opened above, and is not used afterwards.
                    unsafe { libc::close(null) };
                }
            }
            StdioFd::Ignore => {}
            StdioFd::Inherit(from) | StdioFd::Created(from) => {
                if from == fd {
                    // SAFETY: F_SETFD takes only integers.
                    check(unsafe { libc::fcntl(fd, libc::F_SETFD, 0) })?;
                } else {
                    // SAFETY: `dup2` takes only integers. The child has no owner of `fd`.
                    restart(|| unsafe { libc::dup2(from, fd) })?;
                }
                let applies = blocking == MakeBlocking::Unmoved || fd < 3;
                if applies && matches!(source, StdioFd::Inherit(_)) {
                    set_blocking(fd);
                }
            }
        }
    }
    Ok(())
}

/// Closes the descriptors that were duplicated, as libuv does if it uses `posix_spawn`. Otherwise the
/// child has a second descriptor for a pipe, and its reader gets no end of file.
fn close_sources(stdio: &[StdioFd]) {
    let count = stdio.len() as RawFd;
    for source in stdio {
        if let StdioFd::Inherit(from) = *source
            && from >= count
        {
            // It may be closed already, if it was duplicated to several numbers.
            // SAFETY: the child has no owner of the descriptor.
            unsafe { libc::close(from) };
        }
    }
}

/// Makes a descriptor blocking, because most programs expect that.
pub(super) fn set_blocking(fd: RawFd) {
    // SAFETY: F_GETFL takes no pointer.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    if flags & libc::O_NONBLOCK != 0 {
        // SAFETY: F_SETFL takes only integers.
        unsafe { libc::fcntl(fd, libc::F_SETFL, flags & !libc::O_NONBLOCK) };
    }
}

unsafe extern "C" {
    static mut environ: *const *const c_char;
}

/// The environment of this process.
pub(super) fn inherited_environment() -> *const *const c_char {
    // SAFETY: a variable of the C library, which is read once.
    unsafe { environ }
}

/// # Safety
/// Must be called in a new child, whose signals have their default actions: no handler runs.
unsafe fn unblock_signals() {
    let mut none = std::mem::MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the first call initialises the set.
    unsafe {
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
    }
}

/// Calls `execvp`, as libuv does in a child that changes its user: it runs a script without `#!` in the
/// shell, and programs replace it.
///
/// # Safety
/// Must be called in a new child that has its own memory.
unsafe fn search(prepared: &Prepared<'_>) -> c_int {
    // SAFETY: the child has one thread. The strings and arrays are null-terminated.
    unsafe {
        if let Some(env) = &prepared.env {
            environ = env.as_ptr();
        }
        libc::execvp(prepared.options.file.as_ptr(), prepared.args.as_ptr());
        *errno::location()
    }
}

/// Calls `execve` for each candidate path. Errors other than "not found" and "access denied" end the
/// search.
///
/// # Safety
/// Must be called in a new child.
unsafe fn try_candidates(prepared: &Prepared<'_>) -> c_int {
    let env = prepared.env.as_ref().map_or_else(inherited_environment, |env| env.as_ptr());
    prepared.try_candidates(|candidate| {
        // SAFETY: the strings and arrays are null-terminated.
        unsafe {
            libc::execve(candidate.as_ptr(), prepared.args.as_ptr(), env);
            *errno::location()
        }
    })
}

/// Repeats a system call while a signal interrupts it.
fn restart(mut call: impl FnMut() -> c_int) -> Result<c_int, c_int> {
    loop {
        match check(call()) {
            Err(libc::EINTR) => {}
            result => return result,
        }
    }
}

fn check(result: c_int) -> Result<c_int, c_int> {
    if result == -1 {
        // SAFETY: `location` returns the valid address of the thread's errno.
        return Err(unsafe { *errno::location() });
    }
    Ok(result)
}
