//! What happens to files, as Linux tells it.

use std::ffi::OsString;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};

use crate::{Errno, Result};

/// The number of a watch. Never used twice by one [`Inotify`].
pub type Watch = i32;

/// Something has happened to a watched file or directory, or to an entry of the latter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which watch it is about.
    pub watch: Watch,
    /// What has happened.
    pub what: What,
    /// Whether the entry is a directory.
    pub is_directory: bool,
    /// The entry it has happened to; `None` if to the watched thing itself.
    pub name: Option<OsString>,
    /// The same for both halves of a move.
    pub cookie: u32,
}

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The contents or the attributes have changed.
    Changed,
    /// An entry was made.
    Created,
    /// An entry was moved here.
    MovedIn,
    /// An entry was moved away.
    MovedOut,
    /// It was removed, or moved, or something else that changes names.
    Gone,
    /// The watch has ended.
    Ended,
    /// There was more than the kernel could remember; some of it is lost. About no watch.
    Overflow,
}

/// A set of watches.
pub struct Inotify(OwnedFd);

impl Inotify {
    /// An empty set. Non-blocking, and closed on exec.
    pub fn new() -> Result<Self> {
        Ok(Self(inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?))
    }

    /// Watches a file or a directory. What is watched already keeps its number.
    pub fn add(&self, path: &Path) -> Result<Watch> {
        self.add_with(path, WatchFlags::empty())
    }

    /// Watches a directory, and nothing else: not even a link to one. `ENOTDIR` also for what the
    /// kernel makes up, which changes all the time and tells nobody.
    pub fn add_directory(&self, path: &Path) -> Result<Watch> {
        if is_made_up(path) {
            return Err(Errno::ENOTDIR);
        }
        self.add_with(path, WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW)
    }

    fn add_with(&self, path: &Path, more: WatchFlags) -> Result<Watch> {
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
    pub fn remove(&self, watch: Watch) {
        // It ends by itself when what it watches is gone.
        let _ = inotify::remove_watch(&self.0, watch);
    }

    /// Takes some of what has happened. Returns false if there is no more.
    pub fn read(&self, mut receive: impl FnMut(Event)) -> bool {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(self.0.as_fd(), &mut buffer);
        let mut any = false;
        // The rest of the buffer, once it was filled, is read without asking the system again.
        while let Ok(event) = reader.next() {
            any = true;
            receive(Event {
                watch: event.wd(),
                what: what(event.events()),
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

impl AsRawFd for Inotify {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

fn what(events: ReadFlags) -> What {
    let is = |flags| events.intersects(flags);
    if is(ReadFlags::QUEUE_OVERFLOW) {
        What::Overflow
    } else if is(ReadFlags::IGNORED) {
        What::Ended
    } else if is(ReadFlags::CREATE) {
        What::Created
    } else if is(ReadFlags::MOVED_TO) {
        What::MovedIn
    } else if is(ReadFlags::MOVED_FROM) {
        What::MovedOut
    } else if is(ReadFlags::ATTRIB | ReadFlags::MODIFY) {
        What::Changed
    } else {
        What::Gone
    }
}

/// Whether a directory is on one of the file systems by which the kernel shows itself.
fn is_made_up(path: &Path) -> bool {
    const KINDS: [i64; 5] = [
        libc::PROC_SUPER_MAGIC,
        libc::SYSFS_MAGIC,
        libc::CGROUP2_SUPER_MAGIC,
        libc::DEBUGFS_MAGIC,
        libc::TRACEFS_MAGIC,
    ];
    rustix::fs::statfs(path).is_ok_and(|found| KINDS.contains(&found.f_type))
}

/// The entries of a directory, and which of them are directories themselves. A directory that is
/// gone has none.
pub fn entries(path: &Path) -> Result<Vec<(OsString, bool)>> {
    let entries = match std::fs::read_dir(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Errno::from)?,
    };
    let known = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        Some((entry.file_name(), entry.file_type().is_ok_and(|kind| kind.is_dir())))
    });
    Ok(known.collect())
}
