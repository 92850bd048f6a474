//! What illumos and Solaris have in common: event ports.

#[path = "../thread/affinity_none.rs"]
pub mod affinity;
#[path = "../child_exit/sigchld.rs"]
pub mod child_exit;
#[path = "../fs/copy_send.rs"]
pub mod copy;
#[path = "../net/create_with_flags.rs"]
pub mod create;
#[path = "../net/received_fcntl.rs"]
pub mod descriptors;
#[path = "../fs/entry_type_none.rs"]
pub mod directory;
#[path = "../errno/illumos.rs"]
pub mod errno;
#[path = "../fs/times_plain.rs"]
pub mod file_times;
#[path = "../fs_watch/event_ports.rs"]
pub mod fs_watch;
#[path = "../os/host_illumos.rs"]
pub mod host;
#[path = "../os/host_unix.rs"]
mod host_unix;
#[path = "../net/link_address.rs"]
mod link_address;
#[path = "../net/datagram/mmsg_loop.rs"]
pub mod mmsg;
#[path = "../selector/poll_flags.rs"]
mod poll_flags;
#[path = "../thread/priority.rs"]
pub mod priority;
#[path = "../thread/process_nice.rs"]
pub mod process_nice;
#[path = "../selector/registrations.rs"]
mod registrations;
#[path = "../selector/event_ports.rs"]
pub mod selector;
#[path = "../fs/send.rs"]
pub mod send;
#[path = "../fs/sendfile_illumos.rs"]
pub mod sendfile;
#[path = "../fs_watch/snapshot.rs"]
mod snapshot;
#[path = "../net/source_groups_none.rs"]
mod source_groups;
#[path = "../fs/sync_posix.rs"]
pub mod sync;
#[path = "../fs/mkstemp_fcntl.rs"]
pub mod temporary;
#[path = "../thread/system_illumos.rs"]
pub mod thread;
#[path = "unix.rs"]
mod unix;
#[path = "../waker/event_port.rs"]
pub mod waker;

pub use libc::SA_NOCLDWAIT;
pub use unix::*;

pub mod clock {
    pub const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;
    pub const BOOTTIME: libc::clockid_t = libc::CLOCK_MONOTONIC;
}

/// The size of the longest path, with its terminating zero.
pub const PATH_MAX: usize = libc::PATH_MAX as usize;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub const CANCEL_DISABLE: libc::c_int = 1;

pub mod resolver {
    use crate::Errno;

    /// Errors of `getaddrinfo` that not all systems have.
    pub const ERRORS: &[(i32, Errno)] = &[(libc::EAI_NODATA, Errno::EAI_NODATA)];
}

pub mod sockopt {
    use std::ffi::c_int;
    use std::os::fd::{AsRawFd, BorrowedFd};

    pub use super::link_address::*;
    pub use super::sockopt_unix::*;
    pub use super::source_groups::*;
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
}
