//! The exit descriptor on macOS and the BSDs: a kqueue with the filter `EVFILT_PROC`.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use crate::child_exit::ExitStatus;
use crate::kqueue::{self, Action, Filter};
use crate::{Errno, Result, net};

/// A descriptor that is readable when one process has exited.
#[derive(Debug)]
pub(crate) struct ExitDescriptor(OwnedFd);

impl ExitDescriptor {
    /// Whether the selector can wait for it.
    pub fn is_usable() -> bool {
        true
    }

    /// Opens a kqueue for a child that is not reaped yet. `None` if the system refuses.
    pub fn open(pid: i32) -> Option<Self> {
        let kqueue = kqueue::open().ok()?;
        let ident = usize::try_from(pid).ok()?;
        // Kept after it was reported: the descriptor stays readable until the child is reaped.
        let change = kqueue::change(ident, Filter::Process, Action::Add, 0).ok()?;
        match kqueue::apply(kqueue.as_raw_fd(), &change) {
            Ok(()) => Some(Self(kqueue)),
            // Some systems have no filters for a process that is exiting.
            Err(Errno::ESRCH) => already_exited(pid).map(Self),
            Err(_) => None,
        }
    }

    /// There is no signal by descriptor. The caller checks the process id and uses `kill`.
    pub fn kill(&self, _signal: i32) -> Result<()> {
        Err(Errno::ENOSYS)
    }

    /// The system has no status of a child that was reaped elsewhere.
    pub fn exit(&self) -> Option<ExitStatus> {
        None
    }
}

/// A descriptor that is readable at once, for a child that is exiting. Waits until it can be reaped,
/// because no event follows.
fn already_exited(pid: i32) -> Option<OwnedFd> {
    let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::uninit();
    let flags = libc::WEXITED | libc::WNOWAIT;
    // SAFETY: `waitid` writes to a local siginfo, which is not read.
    while unsafe { libc::waitid(libc::P_PID, pid as libc::id_t, info.as_mut_ptr(), flags) } == -1
        && Errno::last() == Errno::EINTR
    {}
    // The end of the file makes the pipe readable.
    let [reader, _closed] = net::pipe([true, true]).ok()?;
    Some(reader)
}

impl AsFd for ExitDescriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_exit_of_a_child_is_an_event_of_its_kqueue() {
        // It runs until its input is closed.
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let exit = ExitDescriptor::open(child.id().cast_signed()).unwrap();
        let mut buffer = [const { std::mem::MaybeUninit::uninit() }; 1];
        let mut wait = |limit| kqueue::wait(exit.as_fd().as_raw_fd(), &mut buffer, Some(limit));
        assert_eq!(wait(Duration::ZERO), Ok(0));
        drop(child.stdin.take());
        assert_eq!(wait(Duration::from_secs(60)), Ok(1));
        // SAFETY: the call has filled the event.
        let event = kqueue::read(unsafe { buffer[0].assume_init_ref() });
        assert_eq!((event.ident, event.filter), (child.id() as usize, Some(Filter::Process)));
        child.wait().unwrap();
    }
}
