//! What all systems except Linux have in common.

use std::os::fd::BorrowedFd;

#[path = "../thread/backtrace_none.rs"]
pub mod backtrace;
#[path = "../thread/cpu_set_bits.rs"]
pub mod cpu_set;
#[path = "../parker/none.rs"]
pub mod futex;
#[path = "../os/host_common.rs"]
pub mod host_common;
#[path = "../fs/nowait_none.rs"]
pub mod nowait;
#[path = "../net/datagram/offload_none.rs"]
pub mod offload;
#[path = "../probe_memory_none.rs"]
pub mod probe_memory;
#[path = "../process/ptrace_none.rs"]
pub mod ptrace;
#[path = "../net/sockopt_unix.rs"]
pub mod sockopt_unix;
#[path = "../process/start_fork.rs"]
pub mod start;
#[path = "../fs/stat_unix.rs"]
pub mod stat;
#[path = "../fs/statfs_unix.rs"]
pub mod statfs;
#[path = "../fs/uring_none.rs"]
pub mod uring;

/// How many buffers one system call takes at most.
pub const MAX_IOVECS: usize = 1024;

/// The directory of the open descriptors of this process.
#[cfg(any(test, feature = "inherited"))]
pub const FD_DIRECTORY: &std::ffi::CStr = c"/dev/fd";

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

pub mod abstract_names {
    use std::os::unix::net::SocketAddr;

    use crate::Errno;

    pub const AVAILABLE: bool = false;

    /// Unix sockets have no abstract names.
    pub fn address(_name: &[u8]) -> std::io::Result<SocketAddr> {
        Err(Errno::ENOSYS.into())
    }
}
