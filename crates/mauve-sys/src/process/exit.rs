//! How a child ended, and the descriptor that tells when.

use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use crate::{Errno, Result};

/// How a process ended.
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

/// How the child ended, if it has. `ECHILD` if it is no child of ours, or somebody else has heard
/// of its end. Never speaks of another child.
pub fn wait(pid: i32) -> Result<Option<Exit>> {
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

/// A descriptor that stands for one process, and is readable when that has ended.
#[derive(Debug)]
pub struct PidFd(OwnedFd);

impl PidFd {
    /// Opens the one of a child that nobody has waited for; `None` if that cannot be.
    pub(super) fn open(pid: i32) -> Option<Self> {
        let pid = rustix::process::Pid::from_raw(pid)?;
        let fd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
        fd.ok().map(Self)
    }

    /// Sends a signal to the process, and to no other that might have got its number since.
    pub fn kill(&self, signal: i32) -> Result<()> {
        let info = std::ptr::null::<libc::siginfo_t>();
        let fd = self.0.as_raw_fd();
        // SAFETY: no information is passed along.
        if unsafe { libc::syscall(libc::SYS_pidfd_send_signal, fd, signal, info, 0) } == -1 {
            return Err(Errno::last());
        }
        Ok(())
    }

    /// How the process ended, even if somebody else has waited for it. Only kernels since 6.15
    /// can tell; `None` from the others.
    pub fn exit(&self) -> Option<Exit> {
        const GET_INFO: libc::Ioctl = 0xc040_ff0b;
        const EXIT: u64 = 1 << 3;
        let mut info = Info { mask: EXIT, ..Info::default() };
        // SAFETY: the number says the size of what the kernel may write, which is that of `Info`.
        let failed = unsafe { libc::ioctl(self.0.as_raw_fd(), GET_INFO, &raw mut info) } == -1;
        (!failed && info.mask & EXIT != 0).then(|| Exit::decode(info.exit_code))
    }
}

impl From<OwnedFd> for PidFd {
    fn from(fd: OwnedFd) -> Self {
        Self(fd)
    }
}

impl AsRawFd for PidFd {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
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
