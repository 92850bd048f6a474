//! The file system watcher on Linux: inotify.

use std::ffi::OsString;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};

use crate::fs_watch::{FsEvent, FsEventKind, WatchId};
use crate::{Errno, Result};

/// An inotify instance.
pub struct Watcher(OwnedFd);

impl Watcher {
    /// Opens a watcher without watches. Its descriptor is non-blocking and closed on exec.
    pub fn new() -> Result<Self> {
        Ok(Self(inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?))
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
        Ok(inotify::add_watch(&self.0, path, events | more)?)
    }

    /// Removes a watch. Does nothing if it is already removed.
    pub fn remove(&self, watch: WatchId) {
        // The kernel removes a watch when the watched file is deleted.
        let _ = inotify::remove_watch(&self.0, watch);
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
