//! File system events by inotify.

use std::ffi::OsString;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};

use super::{Event, EventKind, WatchId};
use crate::{Errno, Result};

/// A set of watches.
pub struct Watcher(OwnedFd);

impl Watcher {
    /// An empty set. Non-blocking, and closed on exec.
    pub fn new() -> Result<Self> {
        Ok(Self(inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?))
    }

    /// Watches a file or a directory. One that is watched already keeps its number.
    pub fn add(&self, path: &Path) -> Result<WatchId> {
        self.add_with(path, WatchFlags::empty())
    }

    /// Watches a directory. `ENOTDIR` for anything else, including a link to a directory, and for
    /// the kernel's own file systems, which change without events.
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

    /// Ends a watch. Nothing happens if it has ended.
    pub fn remove(&self, watch: WatchId) {
        // The kernel ends a watch when the watched file is removed.
        let _ = inotify::remove_watch(&self.0, watch);
    }

    /// Reads some events. Returns false if there are none.
    pub fn read(&self, mut receive: impl FnMut(Event)) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(self.0.as_fd(), &mut buffer);
        let mut any = false;
        // The rest of the buffer, once it is filled, is read without another system call.
        while let Ok(event) = reader.next() {
            any = true;
            receive(Event {
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
    /// The descriptor that is readable when there are events.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn kind(events: ReadFlags) -> EventKind {
    let is = |flags| events.intersects(flags);
    if is(ReadFlags::QUEUE_OVERFLOW) {
        EventKind::Overflow
    } else if is(ReadFlags::IGNORED) {
        EventKind::Ended
    } else if is(ReadFlags::CREATE) {
        EventKind::Created
    } else if is(ReadFlags::MOVED_TO) {
        EventKind::MovedIn
    } else if is(ReadFlags::MOVED_FROM) {
        EventKind::MovedOut
    } else if is(ReadFlags::ATTRIB | ReadFlags::MODIFY) {
        EventKind::Changed
    } else {
        EventKind::Gone
    }
}

/// Whether a directory is on one of the kernel's own file systems.
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
