//! Stopping a thread of another process for a moment, as a debugger does.

use std::ptr::null_mut;

use crate::{Errno, Result};

/// A thread that stands still until this is dropped. It goes on, too, if this process ends.
struct Stopped(libc::pid_t);

impl Stopped {
    fn begin(thread: libc::pid_t) -> Result<Self> {
        trace(libc::PTRACE_SEIZE, thread)?;
        let stopped = Self(thread);
        trace(libc::PTRACE_INTERRUPT, thread)?;
        let mut status = 0;
        loop {
            // SAFETY: the status is a number to be filled.
            if unsafe { libc::waitpid(thread, &raw mut status, libc::__WALL) } == thread {
                break;
            }
            match Errno::last() {
                Errno::EINTR => {}
                error => return Err(error),
            }
        }
        if libc::WIFSTOPPED(status) { Ok(stopped) } else { Err(Errno::ESRCH) }
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // It may be gone.
        let _ = trace(libc::PTRACE_DETACH, self.0);
    }
}

fn trace(request: libc::c_uint, thread: libc::pid_t) -> Result<()> {
    let nothing = null_mut::<libc::c_void>();
    // SAFETY: none of the requests made here takes or fills memory.
    match unsafe { libc::ptrace(request, thread, nothing, nothing) } {
        -1 => Err(Errno::last()),
        _ => Ok(()),
    }
}

/// Does something while a thread of another process stands still. If it was waiting in the kernel,
/// it goes on to wait after that, unless what it waits for has happened.
///
/// `EPERM` if this process may not debug that one, or somebody else does.
pub fn while_stopped<R>(thread: i32, action: impl FnOnce() -> R) -> Result<R> {
    let _stopped = Stopped::begin(thread)?;
    Ok(action())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn state(thread: i32) -> String {
        let stat = std::fs::read_to_string(format!("/proc/{thread}/stat")).expect("a process");
        stat.split(' ').nth(2).expect("a letter").to_owned()
    }

    #[test]
    fn it_stands_still_and_goes_on_with_what_it_did() {
        let mut child = Command::new("sleep").arg("0.3").spawn().expect("a child");
        let thread = i32::try_from(child.id()).expect("a number");
        match while_stopped(thread, || state(thread)) {
            Ok(meanwhile) => assert_eq!(meanwhile, "t"),
            Err(error) => assert_eq!(error, Errno::EPERM, "who may not debug may not do this"),
        }
        assert!(child.wait().expect("its end").success());
    }

    #[test]
    fn a_thread_that_does_not_exist_is_an_error() {
        assert_eq!(while_stopped(i32::MAX, || ()), Err(Errno::ESRCH));
    }
}
