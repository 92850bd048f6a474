//! The child, between its start and the new program.
//!
//! It runs in the parent's memory, while the thread that started it is stopped: everything here
//! is a system call or touches memory that was prepared. No allocation, no lock, no panic; and no
//! function of the C library that speaks to other threads, as those that change users do.

use std::ffi::{c_char, c_int};
use std::os::fd::RawFd;

use super::command::{Command, Place, Prepared, SHELL};
use crate::signal;

/// Becomes the new program, or returns the error that keeps it from doing so.
///
/// # Safety
/// Called in a fresh child only, with all signals blocked.
pub(super) unsafe fn become_program(prepared: &mut Prepared<'_>) -> c_int {
    // SAFETY: promised by the caller.
    let set_up = unsafe { set_up(prepared) };
    match set_up {
        // SAFETY: as above.
        Ok(()) => unsafe { execute(prepared) },
        Err(error) => error,
    }
}

unsafe fn set_up(prepared: &mut Prepared<'_>) -> Result<(), c_int> {
    let command = prepared.command;
    // SAFETY: all calls here get numbers, and strings that the parent keeps.
    unsafe {
        if command.detached {
            libc::setsid();
        }
        // What fails first depends on the way in which libuv starts a process.
        if command.changes_user() {
            place_descriptors(prepared.stdio, Blocking::Standard)?;
            change_directory(command)?;
        } else {
            change_directory(command)?;
            place_descriptors(prepared.stdio, Blocking::Unmoved)?;
        }
        if command.changes_user() {
            // Only the privileged can, and only they need to.
            libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<libc::gid_t>());
        }
        if let Some(gid) = command.gid {
            check(libc::syscall(libc::SYS_setgid, gid) as c_int)?;
        }
        if let Some(uid) = command.uid {
            check(libc::syscall(libc::SYS_setuid, uid) as c_int)?;
        }
        for number in 1..=signal::MAX {
            // Those that cannot be changed stay as they are.
            libc::signal(number, libc::SIG_DFL);
        }
    }
    Ok(())
}

unsafe fn change_directory(command: &Command) -> Result<(), c_int> {
    if let Some(cwd) = &command.cwd {
        // SAFETY: a string that the parent keeps.
        check(unsafe { libc::chdir(cwd.as_ptr()) })?;
    }
    Ok(())
}

/// Which inherited descriptors are made blocking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blocking {
    /// Those that need not be moved out of the way of others.
    Unmoved,
    /// The first three.
    Standard,
}

/// Gives every place its descriptor. They may be permuted, and used more than once.
unsafe fn place_descriptors(stdio: &mut [Place], blocking: Blocking) -> Result<(), c_int> {
    let count = stdio.len() as RawFd;
    // A descriptor that would be overwritten before it is copied moves out of the way.
    for (fd, place) in (0..).zip(stdio.iter_mut()) {
        if let Place::Shared(from) | Place::Given(from) = *place
            && from < fd
        {
            // SAFETY: numbers.
            let moved = check(unsafe { libc::fcntl(from, libc::F_DUPFD_CLOEXEC, count) })?;
            *place = match *place {
                Place::Shared(_) if blocking == Blocking::Standard => Place::Shared(moved),
                _ => Place::Given(moved),
            };
        }
    }
    for (fd, place) in (0..).zip(stdio.iter()) {
        match *place {
            Place::Ignore if fd < 3 => {
                let mode = if fd == 0 { libc::O_RDONLY } else { libc::O_RDWR };
                // SAFETY: a string and a number.
                let null = restart(|| unsafe { libc::open(c"/dev/null".as_ptr(), mode) })?;
                if null != fd {
                    // SAFETY: numbers.
                    restart(|| unsafe { libc::dup2(null, fd) })?;
                    // SAFETY: it was opened above.
                    unsafe { libc::close(null) };
                }
            }
            Place::Ignore => {}
            Place::Shared(from) | Place::Given(from) => {
                if from == fd {
                    // SAFETY: numbers.
                    check(unsafe { libc::fcntl(fd, libc::F_SETFD, 0) })?;
                } else {
                    // SAFETY: numbers.
                    restart(|| unsafe { libc::dup2(from, fd) })?;
                }
                let may_block = blocking == Blocking::Unmoved || fd < 3;
                if may_block && matches!(place, Place::Shared(_)) {
                    block(fd);
                }
            }
        }
    }
    Ok(())
}

/// Makes a descriptor blocking: few programs expect one that is not.
fn block(fd: RawFd) {
    // SAFETY: numbers.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    if flags & libc::O_NONBLOCK != 0 {
        // SAFETY: numbers.
        unsafe { libc::fcntl(fd, libc::F_SETFL, flags & !libc::O_NONBLOCK) };
    }
}

/// Tries the candidates in order. An error that says more than "not here" ends the search.
unsafe fn execute(prepared: &mut Prepared<'_>) -> c_int {
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    // SAFETY: the C library's variable; the thread that could change it is stopped.
    let ours = unsafe { environ };
    let env = prepared.env.as_ref().map_or(ours, |env| env.as_ptr());
    let mut denied = false;
    let mut error = libc::ENOENT;
    // SAFETY: signals have their default actions now; a set, and lists that end with null.
    unsafe {
        let mut none = std::mem::MaybeUninit::<libc::sigset_t>::zeroed();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut());
        for candidate in &prepared.candidates {
            libc::execve(candidate.as_ptr(), prepared.args.as_ptr(), env);
            error = *libc::__errno_location();
            if let (libc::ENOEXEC, [_, script, ..]) = (error, &mut prepared.shell_args[..]) {
                *script = candidate.as_ptr();
                libc::execve(SHELL.as_ptr(), prepared.shell_args.as_ptr(), env);
                return *libc::__errno_location();
            }
            match error {
                libc::EACCES => denied = true,
                libc::ENOENT | libc::ENOTDIR | libc::ENODEV | libc::ESTALE => {}
                _ => return error,
            }
        }
    }
    if denied { libc::EACCES } else { error }
}

/// Makes a call until no signal interrupts it.
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
        // SAFETY: the address of the thread's errno.
        return Err(unsafe { *libc::__errno_location() });
    }
    Ok(result)
}
