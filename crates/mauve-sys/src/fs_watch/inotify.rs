//! The file system watcher on Linux: inotify.

use std::ffi::{CString, OsString};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use rustix::fs::inotify::{ReadFlags, Reader, WatchFlags};

use crate::fs_watch::{FsEvent, FsEventKind, WatchId};
use crate::{Errno, Result};

/// An inotify instance.
pub struct Watcher(OwnedFd);

impl Watcher {
    /// Opens a watcher without watches. Its descriptor is non-blocking and closed on exec.
    pub fn new() -> Result<Self> {
        // SAFETY: takes a number.
        match unsafe { libc::inotify_init1(libc::IN_CLOEXEC | libc::IN_NONBLOCK) } {
            -1 => Err(Errno::last()),
            // SAFETY: a new descriptor, which belongs to nothing else.
            fd => Ok(Self(unsafe { OwnedFd::from_raw_fd(fd) })),
        }
    }

    /// Watches a file or a directory. If it is already watched, the existing id is returned.
    pub fn add(&self, path: &Path) -> Result<WatchId> {
        self.add_with(path, WatchFlags::empty())
    }

    /// Watches a directory. `ENOTDIR` for other files, including a symbolic link to a directory,
    /// and for virtual file systems such as procfs, which change without events.
    pub fn add_directory(&self, path: &Path) -> Result<WatchId> {
        if is_virtual(path) {
            return Err(Errno::ENOTDIR);
        }
        self.add_with(path, WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW)
    }

    fn add_with(&self, path: &Path, more: WatchFlags) -> Result<WatchId> {
        let events = WatchFlags::ATTRIB
            | WatchFlags::CREATE
            | WatchFlags::MODIFY
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO;
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)?;
        let (fd, events) = (self.0.as_raw_fd(), (events | more).bits());
        // SAFETY: the path is a C string that outlives the call.
        match unsafe { libc::inotify_add_watch(fd, path.as_ptr(), events) } {
            -1 => Err(Errno::last()),
            watch => Ok(watch),
        }
    }

    /// Removes a watch. Does nothing if it is already removed.
    pub fn remove(&self, watch: WatchId) {
        // The kernel removes a watch when the watched file is deleted.
        // SAFETY: takes numbers.
        let _ = unsafe { libc::inotify_rm_watch(self.0.as_raw_fd(), watch) };
    }

    /// Reads a buffer of events. Returns false if there are none.
    pub fn read(&self, mut receive: impl FnMut(FsEvent)) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(self.0.as_fd(), &mut buffer);
        let mut any = false;
        // One system call fills the buffer; stop when it is consumed.
        while let Ok(event) = reader.next() {
            any = true;
            receive(FsEvent {
                watch: event.wd(),
                kind: kind(event.events()),
                is_directory: event.events().contains(ReadFlags::ISDIR),
                name: event.file_name().map(|name| OsString::from_vec(name.to_bytes().to_vec())),
                cookie: event.cookie(),
            });
            if reader.is_buffer_empty() {
                break;
            }
        }
        any
    }
}

impl AsFd for Watcher {
    /// The descriptor that is readable when events are pending.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn kind(events: ReadFlags) -> FsEventKind {
    let is = |flags| events.intersects(flags);
    if is(ReadFlags::QUEUE_OVERFLOW) {
        FsEventKind::Overflow
    } else if is(ReadFlags::IGNORED) {
        FsEventKind::WatchRemoved
    } else if is(ReadFlags::CREATE) {
        FsEventKind::Created
    } else if is(ReadFlags::MOVED_TO) {
        FsEventKind::MovedIn
    } else if is(ReadFlags::MOVED_FROM) {
        FsEventKind::MovedOut
    } else if is(ReadFlags::ATTRIB | ReadFlags::MODIFY) {
        FsEventKind::Changed
    } else {
        FsEventKind::Removed
    }
}

/// Whether a directory is on a virtual file system.
fn is_virtual(path: &Path) -> bool {
    const KINDS: [i64; 5] = [
        libc::PROC_SUPER_MAGIC,
        libc::SYSFS_MAGIC,
        libc::CGROUP2_SUPER_MAGIC,
        libc::DEBUGFS_MAGIC,
        libc::TRACEFS_MAGIC,
    ];
    rustix::fs::statfs(path).is_ok_and(|found| KINDS.contains(&found.f_type))
}
