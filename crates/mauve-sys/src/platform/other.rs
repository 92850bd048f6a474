//! Unix systems without files of their own: `poll`, a pipe to wake the loop, and `SIGCHLD`.

#[path = "../thread/affinity_none.rs"]
mod affinity;
#[path = "../child_exit/sigchld.rs"]
pub mod child_exit;
#[path = "../fs/copy_plain.rs"]
pub mod copy;
#[path = "../net/create_with_fcntl.rs"]
pub mod create;
#[path = "../net/received_fcntl.rs"]
pub mod descriptors;
#[path = "../fs/entry_type_none.rs"]
pub mod directory;
#[path = "../errno/other.rs"]
pub mod errno;
#[path = "../fs/times_posix.rs"]
pub mod file_times;
#[path = "../fs_watch/none.rs"]
pub mod fs_watch;
#[path = "../os/host_other.rs"]
pub mod host;
#[path = "../net/datagram/mmsg_loop.rs"]
pub mod mmsg;
#[path = "../selector/poll_flags.rs"]
mod poll_flags;
#[path = "../thread/priority_none.rs"]
pub mod priority;
#[path = "../selector/poll.rs"]
pub mod selector;
#[path = "../net/source_groups_none.rs"]
mod source_groups;
#[path = "../fs/sync_posix.rs"]
pub mod sync;
#[path = "../fs/mkstemp_fcntl.rs"]
pub mod temporary;
#[path = "../thread/system_other.rs"]
pub mod thread;
#[path = "unix.rs"]
mod unix;
#[path = "../waker/pipe.rs"]
pub mod waker;

pub use unix::*;

/// `poll` does not report that a peer has shut down its writing side.
pub const POLLRDHUP: i16 = 0;

/// The size of the longest path. Some systems have no limit.
pub const PATH_MAX: usize = usize::MAX;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub const CANCEL_DISABLE: libc::c_int = 1;

/// The system may discard the exit status of children only if `SIGCHLD` is ignored.
pub const SA_NOCLDWAIT: libc::c_int = 0;

pub mod clock {
    pub const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;
    pub const BOOTTIME: libc::clockid_t = libc::CLOCK_MONOTONIC;
}

pub mod resolver {
    use crate::Errno;

    /// Errors of `getaddrinfo` that not all systems have.
    pub const ERRORS: &[(i32, Errno)] = &[];
}

pub mod sockopt {
    use std::ffi::c_int;
    use std::os::fd::{BorrowedFd, OwnedFd};

    pub use super::sockopt_unix::*;
    pub use super::source_groups::*;
    use crate::net::PeerCredentials;
    use crate::{Errno, Result};

    /// Shares an address with other sockets: not in POSIX.
    pub const REUSE_PORT: Option<c_int> = None;

    /// The options for the times and the number of keepalive probes: not in POSIX.
    pub const KEEPALIVE: [c_int; 0] = [];

    /// `ENOSYS`: not in POSIX.
    pub fn peer_credentials(_: BorrowedFd<'_>) -> Result<PeerCredentials> {
        Err(Errno::ENOSYS)
    }

    /// Does nothing: as on Linux, the program decides about `SIGPIPE`.
    pub fn suppress_sigpipe(_: &OwnedFd) -> Result<()> {
        Ok(())
    }

    /// The hardware address of an interface, if `address` is one: the system has no such addresses.
    ///
    /// # Safety
    /// Safe to call; on other systems `address` must be valid.
    pub unsafe fn hardware_address(_address: *const libc::sockaddr) -> Option<[u8; 6]> {
        None
    }
}
