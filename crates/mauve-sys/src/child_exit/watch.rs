//! Waiting with `waitpid`, after a notification by a descriptor or by `SIGCHLD`.

use std::mem::MaybeUninit;
use std::os::fd::AsFd as _;
use std::os::unix::process::ExitStatusExt as _;

use super::{ExitDescriptor, ExitNotification, ExitStatus};
use crate::{Errno, Result, process};

/// The environment variable that selects `SIGCHLD` where the system has exit descriptors.
const VARIABLE: &str = "MAUVE_CHILD_EXIT";

/// Whether exits are notified by descriptors, if they can be opened.
pub(crate) fn uses_descriptors() -> bool {
    std::env::var_os(VARIABLE).is_none_or(|name| name != "sigchld") && ExitDescriptor::is_usable()
}

/// Opens the exit descriptor of a child that is not reaped yet. `None` if its exit is notified by
/// `SIGCHLD`.
pub(crate) fn open_descriptor(pid: i32) -> Option<ExitDescriptor> {
    if uses_descriptors() { ExitDescriptor::open(pid) } else { None }
}

impl ExitStatus {
    /// The status in the form of the standard library: that of `waitpid`.
    pub fn to_std(self) -> std::process::ExitStatus {
        let core_dumped = i32::from(self.core_dumped) << 7;
        let encoded = (self.status as i32 & 0xff) << 8 | core_dumped | self.signal & 0x7f;
        std::process::ExitStatus::from_raw(encoded)
    }

    pub(crate) fn decode(status: i32) -> Self {
        if libc::WIFSIGNALED(status) {
            let (signal, core_dumped) = (libc::WTERMSIG(status), libc::WCOREDUMP(status));
            Self { status: 0, signal, core_dumped }
        } else {
            Self { status: i64::from(libc::WEXITSTATUS(status)), ..Self::default() }
        }
    }
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

    /// The process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// How the exit is notified.
    pub fn notification(&self) -> ExitNotification<'_> {
        match &self.descriptor {
            Some(descriptor) => ExitNotification::Descriptor(descriptor.as_fd()),
            None => ExitNotification::Signal,
        }
    }

    /// Reaps the child if it has exited, and returns how. If the child was reaped elsewhere and the
    /// system no longer has its status, the status is the negative error number.
    pub fn try_wait(&self) -> Option<ExitStatus> {
        match wait(self.pid) {
            Ok(exit) => exit,
            Err(error) => {
                let exit = self.descriptor.as_ref().and_then(ExitDescriptor::exit);
                let status = -i64::from(error.raw());
                let unknown = ExitStatus { status, ..ExitStatus::default() };
                Some(exit.unwrap_or(unknown))
            }
        }
    }

    /// Sends a signal to the child. `ESRCH` if it is reaped.
    pub fn kill(&self, signal: i32) -> Result<()> {
        match self.descriptor.as_ref().map(|descriptor| descriptor.kill(signal)) {
            // A seccomp filter may forbid `pidfd_send_signal` and allow `kill`.
            None | Some(Err(Errno::ENOSYS | Errno::EPERM)) => kill_child(self.pid, signal),
            Some(result) => result,
        }
    }
}

/// Calls `waitpid` without blocking. Returns `None` if the child is still running, `ECHILD` if it is
/// not a child of this process or is already reaped.
fn wait(pid: i32) -> Result<Option<ExitStatus>> {
    let mut status = 0;
    loop {
        // SAFETY: `waitpid` writes the status to a local variable.
        match unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) } {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            0 => return Ok(None),
            _ => return Ok(Some(ExitStatus::decode(status))),
        }
    }
}

/// Sends a signal to a child by its process id. The id refers to the child until it is reaped, so
/// `waitid` checks that first.
fn kill_child(pid: i32, signal: i32) -> Result<()> {
    let mut info = MaybeUninit::<libc::siginfo_t>::uninit();
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: `waitid` writes to a local siginfo, which is not read.
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
    use crate::process::{ProcessOptions, StdioFd};

    fn shell(script: &str) -> ChildWatch {
        let mut options = ProcessOptions::new(c"sh".to_owned());
        options.args.extend([c"-c".to_owned(), CString::new(script).unwrap()]);
        options.spawn(&mut [StdioFd::Ignore; 3]).unwrap()
    }

    fn wait(child: &ChildWatch) -> ExitStatus {
        loop {
            if let Some(exit) = child.try_wait() {
                return exit;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn an_exit_has_a_status_or_a_signal() {
        let exited = |status, signal| ExitStatus { status, signal, ..ExitStatus::default() };
        assert_eq!(wait(&shell("exit 7")), exited(7, 0));
        assert_eq!(wait(&shell("kill -9 $$")), exited(0, 9));
        assert_eq!(
            ExitStatus::decode(11 | 0x80),
            ExitStatus { core_dumped: true, ..exited(0, 11) }
        );
    }

    #[test]
    fn a_status_is_converted_to_that_of_waitpid_and_back() {
        for encoded in [0, 3 << 8, libc::SIGKILL, libc::SIGSEGV | 0x80] {
            let status = ExitStatus::decode(encoded).to_std();
            assert_eq!(status, std::process::ExitStatus::from_raw(encoded));
        }
    }

    #[test]
    fn a_child_without_a_pidfd_is_waited_for_and_killed_by_its_pid() {
        let child = ChildWatch { descriptor: None, ..shell("read never") };
        assert!(matches!(child.notification(), ExitNotification::Signal));
        let _ = child.kill(libc::SIGKILL);
        wait(&child);
        assert_eq!(child.kill(0), Err(Errno::ESRCH));
    }

    #[test]
    fn the_status_of_a_reaped_child_is_kept_by_newer_kernels() {
        let child = shell("exit 3");
        assert_eq!(wait(&child).status, 3);
        let again = child.try_wait().unwrap();
        assert!([3, -i64::from(libc::ECHILD)].contains(&again.status), "{again:?}");
        assert_eq!(child.kill(0), Err(Errno::ESRCH));
    }
}
