//! illumos and Solaris: event ports.

use std::os::fd::{BorrowedFd, OwnedFd};

#[path = "../thread/backtrace_none.rs"]
pub mod backtrace;
#[path = "../child_exit/sigchld.rs"]
pub mod child_exit;
#[path = "../fs/copy_plain.rs"]
pub mod copy;
#[path = "../thread/cpu_set_bits.rs"]
pub mod cpu_set;
#[path = "../net/create_with_flags.rs"]
pub mod create;
#[path = "../errno/illumos.rs"]
pub mod errno;
#[path = "../fs_watch/event_ports.rs"]
pub mod fs_watch;
#[path = "../parker/none.rs"]
pub mod futex;
#[path = "../os/host_illumos.rs"]
pub mod host;
#[path = "../os/host_unix.rs"]
mod host_unix;
#[path = "../net/datagram/mmsg_loop.rs"]
pub mod mmsg;
#[path = "../fs/nowait_none.rs"]
pub mod nowait;
#[path = "../net/datagram/offload_none.rs"]
pub mod offload;
#[path = "../probe_memory_none.rs"]
pub mod probe_memory;
#[path = "../process/ptrace_none.rs"]
pub mod ptrace;
#[path = "../selector/event_ports.rs"]
pub mod selector;
#[path = "../fs_watch/snapshot.rs"]
mod snapshot;
#[path = "../net/sockopt_unix.rs"]
mod sockopt_unix;
#[path = "../process/start_fork.rs"]
pub mod start;
#[path = "../fs/stat_unix.rs"]
pub mod stat;
#[path = "../fs/statfs_unix.rs"]
pub mod statfs;
#[path = "../thread/system_illumos.rs"]
pub mod thread;
#[path = "../fs/uring_none.rs"]
pub mod uring;
#[path = "../waker/event_port.rs"]
pub mod waker;

pub mod clock {
    pub const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;
    pub const BOOTTIME: libc::clockid_t = libc::CLOCK_MONOTONIC;
}

pub mod descriptors {
    use std::os::fd::OwnedFd;

    use rustix::net::RecvFlags;

    /// The system has no flag to have received descriptors closed on exec.
    pub const RECEIVE_FLAGS: RecvFlags = RecvFlags::empty();

    pub fn set_close_on_exec(fd: &OwnedFd) {
        // Cannot fail for an open descriptor.
        let _ = rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC);
    }
}

/// How many buffers one system call takes at most.
pub const MAX_IOVECS: usize = 1024;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub const CANCEL_DISABLE: libc::c_int = 1;

pub mod temporary {
    /// Creates and opens a file that is closed on exec.
    ///
    /// # Safety
    /// `name` is null-terminated and writable.
    pub unsafe fn mkstemp(name: *mut libc::c_char) -> libc::c_int {
        // SAFETY: the caller promises a valid string. F_SETFD takes only integers.
        unsafe {
            let fd = libc::mkstemp(name);
            if fd >= 0 {
                libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC);
            }
            fd
        }
    }
}

/// The directory of the open descriptors of this process.
#[cfg(any(test, feature = "inherited"))]
pub const FD_DIRECTORY: &std::ffi::CStr = c"/dev/fd";

/// Makes `to` a duplicate of `from` that is closed on exec.
pub fn duplicate_onto(from: &OwnedFd, to: &mut OwnedFd) -> rustix::io::Result<()> {
    rustix::io::dup3(from, to, rustix::io::DupFlags::CLOEXEC)
}

/// Allocates the blocks of a file: not supported by the system.
pub fn allocate(_: BorrowedFd<'_>, _size: u64) -> rustix::io::Result<()> {
    Err(rustix::io::Errno::OPNOTSUPP)
}

/// Changes the user of a new child, which has one thread.
pub mod credentials {
    use std::ffi::c_int;

    pub fn clear_groups() -> c_int {
        // SAFETY: no groups are read from the null pointer.
        unsafe { libc::setgroups(0, std::ptr::null()) }
    }

    pub fn set_gid(gid: libc::gid_t) -> c_int {
        // SAFETY: takes a number.
        unsafe { libc::setgid(gid) }
    }

    pub fn set_uid(uid: libc::uid_t) -> c_int {
        // SAFETY: takes a number.
        unsafe { libc::setuid(uid) }
    }
}

pub mod sync {
    pub(crate) use crate::fs::cancellable::{fdatasync, fsync};
}

pub mod terminal {
    use std::os::fd::RawFd;

    /// Whether `fd` is the master of a pseudo-terminal. Opening it again would create another
    /// pseudo-terminal.
    pub fn is_master(fd: RawFd) -> bool {
        // SAFETY: takes a number. The result is not followed; it is null if `fd` is no master.
        unsafe { !libc::ptsname(fd).is_null() }
    }
}

pub mod resolver {
    use crate::Errno;

    /// Errors of `getaddrinfo` that not all systems have.
    pub const ERRORS: &[(i32, Errno)] = &[(libc::EAI_NODATA, Errno::EAI_NODATA)];
}

pub mod birth_time {
    /// Seconds and nanoseconds of the creation of a file, if the system has them.
    pub fn birth_time(_: &rustix::fs::Stat) -> Option<(i64, i64)> {
        None
    }
}

pub mod sockopt {
    use std::ffi::c_int;
    use std::os::fd::{AsRawFd, BorrowedFd};

    pub use super::sockopt_unix::*;
    use crate::net::PeerCredentials;
    use crate::{Errno, Result};

    /// Shares an address with other sockets.
    pub const REUSE_PORT: Option<c_int> = None;

    /// The options for the times and the number of keepalive probes: idle, interval, count.
    pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPIDLE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

    pub fn peer_credentials(fd: BorrowedFd<'_>) -> Result<PeerCredentials> {
        let mut found = std::ptr::null_mut();
        // SAFETY: the call allocates the credentials, which are read and then freed.
        unsafe {
            if libc::getpeerucred(fd.as_raw_fd(), &raw mut found) != 0 {
                return Err(Errno::last());
            }
            let pid = libc::ucred_getpid(found);
            let (uid, gid) = (libc::ucred_geteuid(found), libc::ucred_getegid(found));
            libc::ucred_free(found);
            Ok(PeerCredentials { pid, uid, gid })
        }
    }

    /// The system has no groups for the datagrams of one source.
    pub fn set_source_v4(_: BorrowedFd<'_>, _: [libc::in_addr; 3], _join: bool) -> Result<()> {
        Err(Errno::ENOSYS)
    }

    /// The system has no groups for the datagrams of one source.
    pub fn set_source_v6(
        _: BorrowedFd<'_>,
        _: [std::net::Ipv6Addr; 2],
        _interface: u32,
        _join: bool,
    ) -> Result<()> {
        Err(Errno::ENOSYS)
    }
}

pub mod directory {
    use rustix::fs::{DirEntry, FileType};

    /// The directory does not have the types of its entries.
    pub fn file_type(_: &DirEntry) -> FileType {
        FileType::Unknown
    }
}

pub mod abstract_names {
    use std::os::unix::net::SocketAddr;

    use crate::Errno;

    pub const AVAILABLE: bool = false;

    /// Unix sockets have no abstract names.
    pub fn address(_name: &[u8]) -> std::io::Result<SocketAddr> {
        Err(Errno::ENOSYS.into())
    }
}
