//! The file system watcher on macOS and the BSDs: `EVFILT_VNODE`.
//!
//! Every watch has an open descriptor of its file. For a directory the system reports only that
//! its entries have changed, so the watcher compares them with those that it knows. A change of the
//! contents of an entry is not reported by the watch of its directory.

use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FileType, Mode, OFlags};

use super::snapshot::Snapshot;
use crate::fs_watch::{FsEvent, FsEventKind, WatchId};
use crate::kqueue::{self, Action, Filter, Kevent, WATCH_FLAGS, vnode};
use crate::{Errno, Result};

/// A kqueue with a filter for each watch.
pub struct Watcher {
    kqueue: OwnedFd,
    watches: RefCell<Watches>,
}

#[derive(Default)]
struct Watches {
    last_id: WatchId,
    by_fd: HashMap<RawFd, Watch>,
}

struct Watch {
    id: WatchId,
    fd: OwnedFd,
    /// The device and the inode.
    file: (u64, u64),
    path: PathBuf,
    /// `None` if it is not a directory.
    entries: Option<Snapshot>,
}

impl Watcher {
    /// Opens a watcher without watches. Its descriptor is closed on exec.
    pub fn new() -> Result<Self> {
        Ok(Self { kqueue: kqueue::open()?, watches: RefCell::default() })
    }

    /// Watches a file or a directory. If it is already watched, the existing id is returned.
    pub fn add(&self, path: &Path) -> Result<WatchId> {
        self.add_with(path, OFlags::empty())
    }

    /// Watches a directory. `ENOTDIR` for other files, including a symbolic link to a directory.
    pub fn add_directory(&self, path: &Path) -> Result<WatchId> {
        match self.add_with(path, OFlags::DIRECTORY | OFlags::NOFOLLOW) {
            Err(Errno::ELOOP | Errno::EMLINK) => Err(Errno::ENOTDIR),
            result => result,
        }
    }

    #[allow(clippy::unnecessary_cast)]
    fn add_with(&self, path: &Path, more: OFlags) -> Result<WatchId> {
        let flags = WATCH_FLAGS | OFlags::NONBLOCK | OFlags::CLOEXEC | more;
        let fd = rustix::fs::open(path, flags, Mode::empty())?;
        let status = rustix::fs::fstat(&fd)?;
        let file = (status.st_dev as u64, status.st_ino as u64);
        let mut watches = self.watches.borrow_mut();
        if let Some(watch) = watches.by_fd.values().find(|watch| watch.file == file) {
            return Ok(watch.id);
        }
        let change =
            kqueue::change(fd.as_raw_fd() as usize, Filter::Vnode, Action::AddEdge, vnode::ALL)?;
        kqueue::apply(self.kqueue.as_raw_fd(), &change)?;
        let is_directory = FileType::from_raw_mode(status.st_mode) == FileType::Directory;
        // After the filter was added, so that no change is missed.
        let entries = is_directory.then(|| Snapshot::of(path));
        watches.last_id += 1;
        let id = watches.last_id;
        let watch = Watch { id, file, path: path.to_owned(), entries, fd };
        watches.by_fd.insert(watch.fd.as_raw_fd(), watch);
        Ok(id)
    }

    /// Removes a watch. Does nothing if it is already removed.
    pub fn remove(&self, watch: WatchId) {
        // Closing the descriptor deletes the filter.
        self.watches.borrow_mut().by_fd.retain(|_, known| known.id != watch);
    }

    /// Reads a buffer of events. Returns false if there are none.
    pub fn read(&self, mut receive: impl FnMut(FsEvent)) -> bool {
        let mut buffer = [const { MaybeUninit::<Kevent>::uninit() }; 64];
        let count = kqueue::wait(self.kqueue.as_raw_fd(), &mut buffer, Some(Duration::ZERO));
        let count = count.unwrap_or(0);
        for event in &buffer[..count] {
            // SAFETY: the kernel has filled the first `count` events.
            let event = kqueue::read(unsafe { event.assume_init_ref() });
            self.watches.borrow_mut().handle(event.ident as RawFd, event.fflags, &mut receive);
        }
        count > 0
    }
}

impl Watches {
    fn handle(&mut self, fd: RawFd, flags: u32, receive: &mut impl FnMut(FsEvent)) {
        let Some(watch) = self.by_fd.get_mut(&fd) else { return };
        let is_directory = watch.entries.is_some();
        let id = watch.id;
        let own = |kind| FsEvent { watch: id, kind, is_directory, name: None, cookie: 0 };
        if let Some(entries) = watch.entries.as_mut().filter(|_| flags & vnode::WRITTEN != 0) {
            entries.update(&watch.path, |kind, name, is_directory| {
                receive(FsEvent { watch: id, kind, is_directory, name: Some(name), cookie: 0 });
            });
        }
        let is_change =
            flags & vnode::ATTRIBUTES != 0 || !is_directory && flags & vnode::WRITTEN != 0;
        if is_change {
            receive(own(FsEventKind::Changed));
        }
        if flags & vnode::MOVED != 0 {
            receive(own(FsEventKind::Removed));
        }
        if flags & vnode::DELETED != 0 {
            receive(own(FsEventKind::Removed));
            receive(own(FsEventKind::WatchRemoved));
            self.by_fd.remove(&fd);
        }
    }
}

impl AsFd for Watcher {
    /// The descriptor that is readable when events are pending.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.kqueue.as_fd()
    }
}
