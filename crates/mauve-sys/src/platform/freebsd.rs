//! FreeBSD.

#[path = "../thread/backtrace_none.rs"]
pub mod backtrace;
#[path = "bsd.rs"]
mod bsd;
#[path = "../child_exit/kqueue.rs"]
pub mod child_exit;
#[path = "../fs/copy_freebsd.rs"]
pub mod copy;
#[path = "../thread/cpu_set_bits.rs"]
pub mod cpu_set;
#[path = "../net/create_with_flags.rs"]
pub mod create;
#[path = "../errno/freebsd.rs"]
pub mod errno;
#[path = "../fs_watch/kqueue.rs"]
pub mod fs_watch;
#[path = "../parker/none.rs"]
pub mod futex;
#[path = "../os/host_freebsd.rs"]
pub mod host;
#[path = "../os/host_unix.rs"]
mod host_unix;
#[path = "../selector/kevent.rs"]
mod kevent;
#[path = "../net/datagram/mmsg.rs"]
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
#[path = "../os/sysctl.rs"]
mod sysctl;
#[path = "../os/sysctl_names.rs"]
mod sysctl_names;
#[path = "../thread/system_freebsd.rs"]
pub mod thread;
#[path = "../fs/uring_none.rs"]
pub mod uring;
#[path = "../waker/kqueue.rs"]
pub mod waker;

pub use bsd::*;

pub mod clock {
    pub const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;
    pub const BOOTTIME: libc::clockid_t = libc::CLOCK_UPTIME;
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
    pub const ERRORS: &[(i32, Errno)] = &[];
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
    pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPIDLE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

    /// The process is not reported.
    pub fn peer_credentials(fd: BorrowedFd<'_>) -> Result<PeerCredentials> {
        let (mut uid, mut gid) = (0, 0);
        // SAFETY: both are local variables.
        match unsafe { libc::getpeereid(fd.as_raw_fd(), &raw mut uid, &raw mut gid) } {
            0 => Ok(PeerCredentials { pid: 0, uid, gid }),
            _ => Err(Errno::last()),
        }
    }
}

/// Source-specific multicast groups.
pub mod group_source {
    pub const JOIN: i32 = libc::MCAST_JOIN_SOURCE_GROUP;
    pub const LEAVE: i32 = libc::MCAST_LEAVE_SOURCE_GROUP;

    const _: () = assert!(size_of::<libc::group_source_req>() == 264);
}
