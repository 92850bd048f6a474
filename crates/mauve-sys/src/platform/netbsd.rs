//! NetBSD, from version 10 on.

#[path = "../thread/affinity_none.rs"]
mod affinity;
#[path = "bsd.rs"]
mod bsd;
#[path = "../fs/copy_plain.rs"]
pub mod copy;
#[path = "../errno/netbsd.rs"]
pub mod errno;
#[path = "../fs/times_birth.rs"]
pub mod file_times;
#[path = "../os/host_netbsd.rs"]
pub mod host;
#[path = "../os/host_unix.rs"]
mod host_unix;
#[path = "kqueue.rs"]
mod kqueue;
#[path = "../net/link_address.rs"]
mod link_address;
#[path = "../net/datagram/mmsg.rs"]
pub mod mmsg;
#[path = "../fs/times_plain.rs"]
mod plain_times;
#[path = "../net/source_groups_none.rs"]
mod source_groups;
#[path = "../thread/system_netbsd.rs"]
pub mod thread;
#[path = "unix.rs"]
mod unix;

pub use bsd::*;
pub use kqueue::*;
pub use unix::*;

pub mod clock {
    pub const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;
    pub const BOOTTIME: libc::clockid_t = libc::CLOCK_MONOTONIC;
}

/// The types and numbers of kqueue.
pub mod kqueue_system {
    pub use libc::*;

    /// The type of the flags of an event.
    pub type Flags = u32;

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

    /// Shares an address with other sockets.
    pub const REUSE_PORT: Option<c_int> = Some(libc::SO_REUSEPORT);

    /// The options for the times and the number of keepalive probes: idle, interval, count.
    pub const KEEPALIVE: [c_int; 3] = [libc::TCP_KEEPIDLE, libc::TCP_KEEPINTVL, libc::TCP_KEEPCNT];
}
