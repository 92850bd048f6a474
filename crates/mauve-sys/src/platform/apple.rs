//! Apple's systems: macOS, iOS and their relatives.

use std::os::fd::{BorrowedFd, OwnedFd};

#[path = "../thread/backtrace_none.rs"]
pub mod backtrace;
#[path = "../child_exit/kqueue.rs"]
pub mod child_exit;
#[path = "../fs/copy_apple.rs"]
pub mod copy;
#[path = "../thread/cpu_set_bits.rs"]
pub mod cpu_set;
#[path = "../net/create_with_fcntl.rs"]
pub mod create;
#[path = "../errno/apple.rs"]
pub mod errno;
#[path = "../fs_watch/kqueue.rs"]
pub mod fs_watch;
#[path = "../parker/none.rs"]
pub mod futex;
#[path = "../os/host_apple.rs"]
pub mod host;
#[path = "../os/host_unix.rs"]
mod host_unix;
#[path = "../selector/kevent.rs"]
mod kevent;
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
#[path = "../selector/kqueue.rs"]
pub mod selector;
#[path = "../fs_watch/snapshot.rs"]
mod snapshot;
#[path = "../net/sockopt_unix.rs"]
mod sockopt_unix;
#[path = "../net/source_groups.rs"]
mod source_groups;
#[path = "../process/start_fork.rs"]
pub mod start;
#[path = "../fs/stat_unix.rs"]
pub mod stat;
#[path = "../fs/statfs_unix.rs"]
pub mod statfs;
#[path = "../fs/sync_apple.rs"]
pub mod sync;
#[path = "../os/sysctl.rs"]
mod sysctl;
#[path = "../os/sysctl_names.rs"]
mod sysctl_names;
#[path = "../thread/system_apple.rs"]
pub mod thread;
#[path = "../fs/uring_none.rs"]
pub mod uring;
#[path = "../waker/kqueue.rs"]
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
pub const CANCEL_DISABLE: libc::c_int = 0;

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
    rustix::io::dup2(from, to)?;
    rustix::io::fcntl_setfd(to, rustix::io::FdFlags::CLOEXEC)
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

pub mod terminal {
    use std::os::fd::RawFd;

    /// Whether `fd` is the master of a pseudo-terminal. Opening it again would create another
    /// pseudo-terminal.
    pub fn is_master(fd: RawFd) -> bool {
        // SAFETY: takes a number. The result is not followed; it is null if `fd` is no master.
        unsafe { !libc::ptsname(fd).is_null() }
    }
}

/// The changes of a file that `EVFILT_VNODE` reports.
pub mod vnode {
    use rustix::fs::OFlags;

    /// The flags to open a file with that is only watched.
    pub const OPEN_FLAGS: OFlags = OFlags::from_bits_retain(libc::O_EVTONLY.cast_unsigned());

    pub const DELETED: u32 = libc::NOTE_DELETE;
    pub const MOVED: u32 = libc::NOTE_RENAME;
    pub const WRITTEN: u32 = libc::NOTE_WRITE | libc::NOTE_EXTEND;
    pub const ATTRIBUTES: u32 = libc::NOTE_ATTRIB;
    pub const ALL: u32 = DELETED | MOVED | WRITTEN | ATTRIBUTES;
}

/// The types and numbers of kqueue.
pub mod kqueue_system {
    pub use libc::*;

    /// The type of the flags of an event.
    pub type Flags = u16;

    /// The filter for out-of-band data, and its flags.
    pub const OUT_OF_BAND: Option<(i64, u32)> = None;
}

pub mod resolver {
    use crate::Errno;

    /// Errors of `getaddrinfo` that not all systems have.
    pub const ERRORS: &[(i32, Errno)] = &[(libc::EAI_NODATA, Errno::EAI_NODATA)];
}

pub mod birth_time {
    /// Seconds and nanoseconds of the creation of a file, if the system has them.
    pub fn birth_time(found: &rustix::fs::Stat) -> Option<(i64, i64)> {
        Some((found.st_birthtime, found.st_birthtime_nsec))
    }
}

pub mod sockopt {
    use std::ffi::c_int;
    use std::os::fd::{AsRawFd, BorrowedFd};

    pub use super::sockopt_unix::*;
    pub use super::source_groups::*;
    use crate::net::PeerCredentials;
    use crate::{Errno, Result};

    /// Shares an address with other sockets.
    pub const REUSE_PORT: Option<c_int> = Some(libc::SO_REUSEPORT);

    /// The options for the times and the number of keepalive probes: idle, interval, count.
    pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPALIVE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

    /// The process is not reported.
    pub fn peer_credentials(fd: BorrowedFd<'_>) -> Result<PeerCredentials> {
        let (mut uid, mut gid) = (0, 0);
        // SAFETY: both are local variables.
        match unsafe { libc::getpeereid(fd.as_raw_fd(), &raw mut uid, &raw mut gid) } {
            0 => Ok(PeerCredentials { pid: 0, uid, gid }),
            _ => Err(Errno::last()),
        }
    }

    /// Has a write to a socket without a reader fail, instead of raising `SIGPIPE`.
    pub fn suppress_sigpipe(fd: &std::os::fd::OwnedFd) -> Result<()> {
        use std::os::fd::AsFd as _;
        crate::net::set(fd.as_fd(), libc::SOL_SOCKET, libc::SO_NOSIGPIPE, 1)
    }
}

/// Source-specific multicast groups.
pub mod group_source {
    pub const JOIN: i32 = libc::MCAST_JOIN_SOURCE_GROUP;
    pub const LEAVE: i32 = libc::MCAST_LEAVE_SOURCE_GROUP;

    const _: () = assert!(size_of::<libc::group_source_req>() == 260);
}

pub mod directory {
    use rustix::fs::{DirEntry, FileType};

    /// The type of an entry, as far as the directory has it.
    pub fn file_type(entry: &DirEntry) -> FileType {
        entry.file_type()
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
