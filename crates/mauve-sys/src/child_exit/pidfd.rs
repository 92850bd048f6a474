//! The exit descriptor on Linux: a pidfd.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use crate::child_exit::ExitStatus;
use crate::{Errno, Result};

/// A descriptor that refers to one process and is readable when the process has exited.
#[derive(Debug)]
pub(crate) struct ExitDescriptor(OwnedFd);

impl ExitDescriptor {
    /// Whether the selector can wait for it.
    pub fn is_usable() -> bool {
        true
    }

    /// Opens a pidfd for a child that is not reaped yet. `None` if the system refuses.
    pub fn open(pid: i32) -> Option<Self> {
        let pid = rustix::process::Pid::from_raw(pid)?;
        let fd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
        fd.ok().map(Self)
    }

    /// Sends a signal to the process. Cannot reach another process that has got the same id since.
    pub fn kill(&self, signal: i32) -> Result<()> {
        let info = std::ptr::null::<libc::siginfo_t>();
        let fd = self.0.as_raw_fd();
        // SAFETY: the siginfo pointer is null, so the kernel reads no memory of ours.
        if unsafe { libc::syscall(libc::SYS_pidfd_send_signal, fd, signal, info, 0) } == -1 {
            return Err(Errno::last());
        }
        Ok(())
    }

    /// How the process exited, even if it was reaped elsewhere (`PIDFD_GET_INFO`). `None` before
    /// Linux 6.15.
    pub fn exit(&self) -> Option<ExitStatus> {
        const GET_INFO: u32 = 0xc040_ff0b;
        const EXIT: u64 = 1 << 3;
        let mut info = Info { mask: EXIT, ..Info::default() };
        // SAFETY: the request number encodes the size that the kernel may write, which is that of
        // `Info`.
        let failed =
            unsafe { libc::ioctl(self.0.as_raw_fd(), GET_INFO as libc::Ioctl, &raw mut info) }
                == -1;
        (!failed && info.mask & EXIT != 0).then(|| ExitStatus::decode(info.exit_code))
    }
}

impl From<OwnedFd> for ExitDescriptor {
    fn from(fd: OwnedFd) -> Self {
        Self(fd)
    }
}

impl AsFd for ExitDescriptor {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// `struct pidfd_info`, its first version.
#[repr(C)]
#[derive(Default)]
struct Info {
    mask: u64,
    cgroup: u64,
    ids: [u32; 11],
    exit_code: i32,
}

const _: () = assert!(size_of::<Info>() == 64);
