//! Linux and Android.

#[cfg(any(test, feature = "inherited"))]
use std::ffi::CStr;
use std::os::fd::BorrowedFd;

#[path = "../process/atfork.rs"]
mod atfork;
#[path = "../thread/backtrace.rs"]
pub mod backtrace;
#[path = "../os/cgroup.rs"]
mod cgroup;
#[path = "../child_exit/pidfd.rs"]
pub mod child_exit;
#[path = "../fs/copy_linux.rs"]
pub mod copy;
#[path = "../thread/cpu_set.rs"]
pub mod cpu_set;
#[path = "../net/create_with_flags.rs"]
pub mod create;
#[path = "../net/received_flags.rs"]
pub mod descriptors;
#[path = "../fs/entry_type.rs"]
pub mod directory;
#[cfg(not(mauve_kqueue))]
#[path = "../selector/epoll.rs"]
mod epoll;
#[path = "../errno/linux.rs"]
pub mod errno;
#[path = "../fs_watch/inotify.rs"]
pub mod fs_watch;
#[path = "../parker/futex.rs"]
pub mod futex;
#[path = "../os/host_linux.rs"]
pub mod host;
#[cfg(mauve_kqueue)]
#[path = "../selector/kevent.rs"]
mod kevent;
#[cfg(all(test, mauve_kqueue))]
#[allow(dead_code)] // Only its tests use it.
#[path = "../child_exit/kqueue.rs"]
mod kqueue_child_exit;
#[cfg(all(test, mauve_kqueue))]
#[path = "../fs_watch/kqueue.rs"]
mod kqueue_fs_watch;
#[cfg(mauve_kqueue)]
#[allow(dead_code)] // Only the tests use all filters.
#[path = "../selector/kevent_libkqueue.rs"]
mod kqueue_system;
#[path = "../net/datagram/mmsg.rs"]
pub mod mmsg;
#[path = "../fs/nowait_linux.rs"]
pub mod nowait;
#[path = "../net/datagram/offload_linux.rs"]
pub mod offload;
#[cfg(test)]
#[path = "../waker/pipe.rs"]
mod pipe_waker;
#[cfg(not(mauve_kqueue))]
#[path = "../selector/poll.rs"]
mod poll;
#[cfg(not(mauve_kqueue))]
#[path = "../selector/poll_flags.rs"]
mod poll_flags;
#[path = "../thread/priority.rs"]
pub mod priority;
#[path = "../probe_memory.rs"]
pub mod probe_memory;
#[path = "../process/ptrace.rs"]
pub mod ptrace;
#[cfg(any(mauve_kqueue, test))]
#[cfg_attr(not(mauve_kqueue), allow(dead_code))]
#[path = "../selector/registrations.rs"]
mod registrations;
#[cfg_attr(not(mauve_kqueue), path = "../selector/linux.rs")]
#[cfg_attr(mauve_kqueue, path = "../selector/kqueue.rs")]
pub mod selector;
#[cfg(all(test, mauve_kqueue))]
#[path = "../fs_watch/snapshot.rs"]
mod snapshot;
#[path = "../net/sockopt_linux.rs"]
pub mod sockopt;
#[path = "../net/source_groups.rs"]
pub mod source_groups;
#[path = "../process/start_linux.rs"]
pub mod start;
#[path = "../fs/stat_linux.rs"]
pub mod stat;
#[path = "../fs/statfs_linux.rs"]
pub mod statfs;
#[path = "../fs/sync_posix.rs"]
pub mod sync;
#[path = "../fs/mkstemp_flags.rs"]
pub mod temporary;
#[path = "../thread/system_linux.rs"]
pub mod thread;
#[path = "../fs/uring.rs"]
pub mod uring;
#[cfg_attr(not(target_env = "musl"), path = "../fs/vectored.rs")]
#[cfg_attr(target_env = "musl", path = "../fs/vectored_syscall.rs")]
mod vectored;
#[cfg(all(test, mauve_kqueue))]
#[path = "../fs_watch/vnode.rs"]
mod vnode;
#[cfg_attr(not(mauve_kqueue), path = "../waker/eventfd.rs")]
#[cfg_attr(mauve_kqueue, path = "../waker/kqueue.rs")]
pub mod waker;

pub use libc::SA_NOCLDWAIT;

pub mod clock {
    pub const MONOTONIC: libc::clockid_t = libc::CLOCK_MONOTONIC;
    pub const BOOTTIME: libc::clockid_t = libc::CLOCK_BOOTTIME;
}

pub mod resolver {
    use crate::Errno;

    /// Errors of `getaddrinfo` that not all systems have. glibc declares some only with extensions,
    /// and the `libc` crate does not.
    pub const ERRORS: &[(i32, Errno)] = &[
        (-9, Errno::EAI_ADDRFAMILY),
        (-101, Errno::EAI_CANCELED),
        (libc::EAI_NODATA, Errno::EAI_NODATA),
    ];
}

/// The size of the longest path, with its terminating zero.
pub const PATH_MAX: usize = libc::PATH_MAX as usize;

/// How many buffers one system call takes at most.
pub const MAX_IOVECS: usize = libc::UIO_MAXIOV as usize;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub const CANCEL_DISABLE: libc::c_int = 1;

/// The directory of the open descriptors of this process.
#[cfg(any(test, feature = "inherited"))]
pub const FD_DIRECTORY: &CStr = c"/proc/self/fd";

/// Sets the size of a file and allocates its blocks. `EOPNOTSUPP` if that is not possible.
pub fn allocate(fd: BorrowedFd<'_>, size: u64) -> rustix::io::Result<()> {
    rustix::fs::fallocate(fd, rustix::fs::FallocateFlags::empty(), 0, size)
}

/// Changes the user of a new child. The functions of the C library would signal other threads.
pub mod credentials {
    use std::ffi::c_int;

    pub fn clear_groups() -> c_int {
        // SAFETY: no groups are read from the null pointer.
        unsafe { libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<libc::gid_t>()) as c_int }
    }

    pub fn set_gid(gid: libc::gid_t) -> c_int {
        // SAFETY: takes a number.
        unsafe { libc::syscall(libc::SYS_setgid, gid) as c_int }
    }

    pub fn set_uid(uid: libc::uid_t) -> c_int {
        // SAFETY: takes a number.
        unsafe { libc::syscall(libc::SYS_setuid, uid) as c_int }
    }
}

pub mod terminal {
    use std::os::fd::RawFd;

    /// Whether `fd` is the master of a pseudo-terminal. Opening it again would create another
    /// pseudo-terminal.
    pub fn is_master(fd: RawFd) -> bool {
        let mut number: libc::c_int = 0;
        // SAFETY: TIOCGPTN writes one int to `number`.
        unsafe { libc::ioctl(fd, libc::TIOCGPTN, &raw mut number) == 0 }
    }
}

/// The event of `poll` for a peer that has shut down its writing side.
#[cfg(not(mauve_kqueue))]
pub const POLLRDHUP: i16 = libc::POLLRDHUP;

/// libkqueue does not notice that a descriptor is closed.
#[cfg(mauve_kqueue)]
pub const CLOSE_DELETES_FILTERS: bool = false;

/// The flags to open a file with that is only watched.
#[cfg(all(test, mauve_kqueue))]
pub const WATCH_FLAGS: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY;

pub mod abstract_names {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::SocketAddr;

    pub const AVAILABLE: bool = true;

    /// The address of a Unix socket with an abstract name.
    pub fn address(name: &[u8]) -> std::io::Result<SocketAddr> {
        SocketAddr::from_abstract_name(name)
    }
}
