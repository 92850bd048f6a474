//! The exit of a child: what a platform must supply.
//!
//! A [`ChildWatch`] belongs to one child. It says how the exit is [notified](Notification), and
//! [`try_wait`](ChildWatch::try_wait) then returns how the child exited. Only this child is waited
//! for, so children that the program starts by other means are left alone.
//!
//! The descriptor of a child is chosen here, by whole file: a pidfd on Linux. Another platform
//! supplies an `ExitDescriptor` with the same functions, or one that can never be opened: then all
//! exits are notified by `SIGCHLD`.

mod pidfd;

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd};

pub(crate) use pidfd::ExitDescriptor;

use crate::{Errno, Result, process};

/// How a process exited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exit {
    /// What it returned; zero if a signal ended it.
    pub status: i64,
    /// The signal that ended it, or zero.
    pub signal: i32,
}

impl Exit {
    /// Whether it returned zero.
    pub fn success(self) -> bool {
        self.status == 0 && self.signal == 0
    }

    fn decode(status: i32) -> Self {
        if libc::WIFSIGNALED(status) {
            Self { status: 0, signal: libc::WTERMSIG(status) }
        } else {
            Self { status: i64::from(libc::WEXITSTATUS(status)), signal: 0 }
        }
    }
}

/// How the exit of a child is notified.
#[derive(Clone, Copy, Debug)]
pub enum Notification<'a> {
    /// The descriptor becomes readable. It is to be watched edge-triggered: while a debugger holds
    /// the exited child, it is readable and there is nothing to wait for yet. It is readable anew
    /// when the debugger has detached.
    Descriptor(BorrowedFd<'a>),
    /// `SIGCHLD` is delivered.
    Signal,
}

/// Waits for the exit of one child.
#[derive(Debug)]
pub struct ChildWatch {
    pid: i32,
    descriptor: Option<ExitDescriptor>,
}

impl ChildWatch {
    pub(crate) fn new(pid: i32, descriptor: Option<ExitDescriptor>) -> Self {
        Self { pid, descriptor }
    }

    /// The number of the process.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// How the exit is notified.
    pub fn notification(&self) -> Notification<'_> {
        match &self.descriptor {
            Some(descriptor) => Notification::Descriptor(descriptor.as_fd()),
            None => Notification::Signal,
        }
    }

    /// How the child exited, if it has. A child that was reaped elsewhere has exited; its status is
    /// the negative error number if the system does not know it any more.
    pub fn try_wait(&self) -> Option<Exit> {
        match wait(self.pid) {
            Ok(exit) => exit,
            Err(error) => {
                let known = self.descriptor.as_ref().and_then(ExitDescriptor::exit);
                let unknown = Exit { status: -i64::from(error.raw()), signal: 0 };
                Some(known.unwrap_or(unknown))
            }
        }
    }

    /// Sends a signal to the child. `ESRCH` if it was reaped.
    pub fn kill(&self, signal: i32) -> Result<()> {
        match self.descriptor.as_ref().map(|descriptor| descriptor.kill(signal)) {
            // A seccomp filter may refuse the descriptor's call and allow `kill`.
            None | Some(Err(Errno::ENOSYS | Errno::EPERM)) => kill_child(self.pid, signal),
            Some(result) => result,
        }
    }
}

/// How the child exited, if it has. `ECHILD` if it is not a child of this process, or was reaped
/// already.
fn wait(pid: i32) -> Result<Option<Exit>> {
    let mut status = 0;
    loop {
        // SAFETY: room for a status.
        match unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) } {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            0 => return Ok(None),
            _ => return Ok(Some(Exit::decode(status))),
        }
    }
}

/// Sends a signal to a child by its number. The number belongs to the child until it is reaped.
fn kill_child(pid: i32, signal: i32) -> Result<()> {
    let mut info = MaybeUninit::<libc::siginfo_t>::uninit();
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: room for the information, which is not read.
    let result = unsafe { libc::waitid(libc::P_PID, pid as libc::id_t, info.as_mut_ptr(), flags) };
    if result == -1 && Errno::last() == Errno::from_raw(libc::ECHILD) {
        return Err(Errno::ESRCH);
    }
    process::kill(pid, signal)
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::*;
    use crate::process::{Command, Place};

    fn shell(script: &str) -> ChildWatch {
        let mut command = Command::new(c"sh".to_owned());
        command.args.extend([c"-c".to_owned(), CString::new(script).unwrap()]);
        command.spawn(&mut [Place::Ignore; 3]).unwrap()
    }

    fn finish(child: &ChildWatch) -> Exit {
        loop {
            if let Some(exit) = child.try_wait() {
                return exit;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn an_exit_has_a_status_or_a_signal() {
        assert_eq!(finish(&shell("exit 7")), Exit { status: 7, signal: 0 });
        assert_eq!(finish(&shell("kill -9 $$")), Exit { status: 0, signal: 9 });
    }

    #[test]
    fn a_child_without_a_descriptor_is_waited_for_and_killed_by_its_number() {
        let child = ChildWatch { descriptor: None, ..shell("read never") };
        assert!(matches!(child.notification(), Notification::Signal));
        let _ = child.kill(libc::SIGKILL);
        finish(&child);
        assert_eq!(child.kill(0), Err(Errno::ESRCH));
    }

    #[test]
    fn a_newer_kernel_remembers_how_a_child_exited_that_was_reaped_elsewhere() {
        let child = shell("exit 3");
        assert_eq!(finish(&child).status, 3);
        let again = child.try_wait().unwrap();
        assert!([3, -i64::from(libc::ECHILD)].contains(&again.status), "{again:?}");
        assert_eq!(child.kill(0), Err(Errno::ESRCH));
    }
}
