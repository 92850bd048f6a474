//! Apple's systems: macOS, iOS and their relatives.

use rustix::fs::OFlags;

#[path = "../thread/affinity_none.rs"]
mod affinity;
#[path = "../fs/copy_apple.rs"]
pub mod copy;
#[path = "../net/create_with_fcntl.rs"]
pub mod create;
#[path = "../net/received_fcntl.rs"]
pub mod descriptors;
#[path = "../errno/apple.rs"]
pub mod errno;
#[path = "../fs/times_birth.rs"]
pub mod file_times;
#[path = "../os/host_apple.rs"]
pub mod host;
#[path = "../os/host_unix.rs"]
mod host_unix;
#[path = "kqueue.rs"]
mod kqueue;
#[path = "../net/link_address.rs"]
mod link_address;
#[path = "../net/datagram/mmsg_loop.rs"]
pub mod mmsg;
#[path = "../fs/times_plain.rs"]
mod plain_times;
#[path = "../fs/send.rs"]
pub mod send;
#[path = "../fs/sendfile_apple.rs"]
pub mod sendfile;
#[path = "../net/source_groups.rs"]
mod source_groups;
#[path = "../fs/sync_apple.rs"]
pub mod sync;
#[path = "../os/sysctl_names.rs"]
mod sysctl_names;
#[path = "../fs/mkstemp_fcntl.rs"]
pub mod temporary;
#[path = "../thread/system_apple.rs"]
pub mod thread;
#[path = "unix.rs"]
mod unix;

pub use kqueue::*;
pub use unix::*;

/// The flags to open a file with that is only watched.
pub const WATCH_FLAGS: OFlags = OFlags::from_bits_retain(libc::O_EVTONLY.cast_unsigned());

pub mod clock {
    pub const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;
    pub const BOOTTIME: libc::clockid_t = libc::CLOCK_MONOTONIC;
}

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub const CANCEL_DISABLE: libc::c_int = 0;

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

pub mod sockopt {
    use std::ffi::c_int;

    pub use super::link_address::*;
    pub use super::peer_id::*;
    pub use super::sockopt_unix::*;
    pub use super::source_groups::*;
    use crate::Result;

    /// Shares an address with other sockets.
    pub const REUSE_PORT: Option<c_int> = Some(libc::SO_REUSEPORT);

    /// The options for the times and the number of keepalive probes: idle, interval, count.
    pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPALIVE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];

    /// Has a write to a socket without a reader fail, instead of raising `SIGPIPE`.
    pub fn suppress_sigpipe(fd: &std::os::fd::OwnedFd) -> Result<()> {
        use std::os::fd::AsFd as _;
        crate::net::set(fd.as_fd(), libc::SOL_SOCKET, libc::SO_NOSIGPIPE, 1)
    }
}
