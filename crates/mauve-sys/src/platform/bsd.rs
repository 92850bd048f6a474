//! What FreeBSD, NetBSD and OpenBSD have in common.

use std::os::fd::{BorrowedFd, OwnedFd};

pub mod descriptors {
    use std::os::fd::OwnedFd;

    use rustix::net::RecvFlags;

    /// Received descriptors are closed on exec.
    pub const RECEIVE_FLAGS: RecvFlags = RecvFlags::CMSG_CLOEXEC;

    /// Does nothing: the system has set the flag already.
    pub fn set_close_on_exec(_: &OwnedFd) {}
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
        // SAFETY: the caller promises a valid string.
        unsafe { libc::mkostemp(name, libc::O_CLOEXEC) }
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

/// The changes of a file that `EVFILT_VNODE` reports.
pub mod vnode {
    use rustix::fs::OFlags;

    /// The flags to open a file with that is only watched.
    pub const OPEN_FLAGS: OFlags = OFlags::RDONLY;

    pub const DELETED: u32 = libc::NOTE_DELETE;
    pub const MOVED: u32 = libc::NOTE_RENAME;
    pub const WRITTEN: u32 = libc::NOTE_WRITE | libc::NOTE_EXTEND;
    pub const ATTRIBUTES: u32 = libc::NOTE_ATTRIB;
    pub const ALL: u32 = DELETED | MOVED | WRITTEN | ATTRIBUTES;
}

pub mod birth_time {
    /// Seconds and nanoseconds of the creation of a file, if the system has them.
    pub fn birth_time(found: &rustix::fs::Stat) -> Option<(i64, i64)> {
        Some((found.st_birthtime, found.st_birthtime_nsec))
    }
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
