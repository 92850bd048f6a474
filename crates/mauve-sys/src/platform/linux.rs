//! Linux and Android.

#[cfg(any(test, feature = "inherited"))]
use std::ffi::CStr;
use std::os::fd::{BorrowedFd, OwnedFd};

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
#[cfg(mauve_kqueue)]
#[path = "../selector/kevent_libkqueue.rs"]
mod kqueue_system;
#[path = "../net/datagram/mmsg.rs"]
pub mod mmsg;
#[path = "../fs/nowait_linux.rs"]
pub mod nowait;
#[path = "../net/datagram/offload_linux.rs"]
pub mod offload;
#[cfg(not(mauve_kqueue))]
#[path = "../selector/poll.rs"]
mod poll;
#[path = "../probe_memory.rs"]
pub mod probe_memory;
#[path = "../process/ptrace.rs"]
pub mod ptrace;
#[cfg_attr(not(mauve_kqueue), path = "../selector/linux.rs")]
#[cfg_attr(mauve_kqueue, path = "../selector/kqueue.rs")]
pub mod selector;
#[path = "../net/sockopt_linux.rs"]
pub mod sockopt;
#[path = "../process/start_linux.rs"]
pub mod start;
#[path = "../fs/stat_linux.rs"]
pub mod stat;
#[path = "../fs/statfs_linux.rs"]
pub mod statfs;
#[path = "../thread/system_linux.rs"]
pub mod thread;
#[path = "../fs/uring.rs"]
pub mod uring;
#[cfg_attr(not(target_env = "musl"), path = "../fs/vectored.rs")]
#[cfg_attr(target_env = "musl", path = "../fs/vectored_syscall.rs")]
mod vectored;
#[cfg_attr(not(mauve_kqueue), path = "../waker/eventfd.rs")]
#[cfg_attr(mauve_kqueue, path = "../waker/kqueue.rs")]
pub mod waker;

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

pub mod descriptors {
    use std::os::fd::OwnedFd;

    use rustix::net::RecvFlags;

    /// Received descriptors are closed on exec.
    pub const RECEIVE_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;

    /// Does nothing: the system has set the flag already.
    pub fn set_close_on_exec(_: &OwnedFd) {}
}

/// How many buffers one system call takes at most.
pub const MAX_IOVECS: usize = libc::UIO_MAXIOV as usize;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub const CANCEL_DISABLE: libc::c_int = 1;

pub mod sync {
    pub(crate) use crate::fs::cancellable::{fdatasync, fsync};
}

pub mod temporary {
    /// Creates and opens a file that is closed on exec.
    ///
    /// # Safety
    /// `name` is null-terminated and writable.
    pub unsafe fn mkstemp(name: *mut libc::c_char) -> libc::c_int {
        // SAFETY: the caller promises a valid string.
        unsafe { libc::mkostemp(name, libc::O_CLOEXEC) }
    }
}

/// The directory of the open descriptors of this process.
#[cfg(any(test, feature = "inherited"))]
pub const FD_DIRECTORY: &CStr = c"/proc/self/fd";

/// Makes `to` a duplicate of `from` that is closed on exec.
pub fn duplicate_onto(from: &OwnedFd, to: &mut OwnedFd) -> rustix::io::Result<()> {
    rustix::io::dup3(from, to, rustix::io::DupFlags::CLOEXEC)
}

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

#[cfg(not(mauve_kqueue))]
pub const POLLRDHUP: i16 = libc::POLLRDHUP;

pub mod directory {
    use rustix::fs::{DirEntry, FileType};

    /// The type of an entry, as far as the directory has it.
    pub fn file_type(entry: &DirEntry) -> FileType {
        entry.file_type()
    }
}

pub mod abstract_names {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::SocketAddr;

    pub const AVAILABLE: bool = true;

    /// The address of a Unix socket with an abstract name.
    pub fn address(name: &[u8]) -> std::io::Result<SocketAddr> {
        SocketAddr::from_abstract_name(name)
    }
}
