//! File system events: changes of a file, or of the entries of a directory.
//!
//! All handles of a loop share one [`Watcher`]. A recursive handle has
//! a watch on every directory below its own.
//!
//! * [`tree`]: the watches, and how they follow the directories.
//! * [`pending`]: the watcher's events, and the completions that follow from them.

mod pending;
mod tree;

use std::os::fd::{AsRawFd as _, RawFd};
use std::path::{Path, PathBuf};

use mauve_sys::driver::{Driver, Interest};
use mauve_sys::fs_watch::Watcher;
use mauve_sys::{Errno, Result};

pub(crate) use pending::PendingEvents;
pub(crate) use tree::WatchTrees;

use crate::Engine;
use crate::id::{HandleId, Token};
use crate::registration;
use crate::slab::{Entry, Life};

/// The state of one file system event handle.
#[derive(Default)]
pub(crate) struct FsEvent {
    watched: Option<Watched>,
}

/// The watches of all file system event handles, and their pending events.
#[derive(Default)]
pub(crate) struct FsEvents {
    /// Opened when it is first needed.
    pub trees: Option<WatchTrees>,
    pub pending: PendingEvents,
}

impl FsEvents {
    pub fn is_pending(&self) -> bool {
        self.pending.is_pending()
    }
}

/// What a handle watches.
#[derive(Clone)]
struct Watched {
    /// As the caller passed it, or as another handle did that watches the same file.
    path: PathBuf,
    recursive: bool,
    /// The number of this start among those of all handles. Events of an earlier start are dropped.
    start: u64,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_fs_event")]
pub enum Change {
    /// A file was created, removed or moved.
    Rename,
    /// The contents or attributes of a file.
    Change,
    /// The attributes of a directory. libuv reports this as both of the others.
    DirectoryAttributes,
}

/// One file system event handle, borrowed for one operation.
pub struct FsEventMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a file system event handle.
    #[doc(alias = "uv_fs_event_init")]
    pub fn open_fs_event(&mut self, token: Token) -> HandleId {
        let sequence = self.table.next_sequence();
        let id = self.table.fs_events.insert(token, sequence, FsEvent::default());
        self.trace_open(id, token);
        id
    }

    /// Borrows a file system event handle.
    pub fn fs_event(&mut self, id: HandleId) -> Option<FsEventMut<'_, D>> {
        self.table.fs_events.find(id)?;
        Some(FsEventMut { engine: self, id })
    }

    /// Opens the watcher when it is first needed.
    fn open_trees(&mut self) -> Result<()> {
        if self.fs_events.trees.is_none() {
            let trees = WatchTrees::new(Watcher::new()?);
            self.watch_fs_watcher(trees.fd().as_raw_fd())?;
            self.fs_events.trees = Some(trees);
        }
        Ok(())
    }

    /// Adds the watches of a handle, or none of them. Returns its path.
    fn insert_watches(&mut self, id: HandleId, watched: &Watched) -> Result<PathBuf> {
        self.open_trees()?;
        let FsEvents { trees: Some(trees), pending } = &mut self.fs_events else {
            return Err(Errno::EINVAL);
        };
        trees.insert(id, watched, pending).inspect_err(|_| trees.remove(id))
    }

    fn watch_fs_watcher(&mut self, fd: RawFd) -> Result<()> {
        self.driver.set_interest(
            fd,
            registration::FS_WATCHER,
            Interest::empty(),
            Interest::READABLE,
        )
    }

    /// Registers the watcher again with a driver that has lost all registrations.
    pub(crate) fn rearm_fs_watcher(&mut self) {
        if let Some(fd) = self.fs_events.trees.as_ref().map(|trees| trees.fd().as_raw_fd()) {
            // The driver has just made room for more than this.
            let _ = self.watch_fs_watcher(fd);
        }
    }

    /// In a forked child: the watcher is shared with the parent, so a new one watches all paths
    /// again. A handle whose path cannot be watched is stopped; returns the first such error.
    pub(crate) fn rewatch_files(&mut self) -> Result<()> {
        if self.fs_events.trees.take().is_none() {
            return Ok(());
        }
        self.fs_events.pending.discard();
        let mut result = Ok(());
        for (id, _) in self.handles(true) {
            let Some(entry) = self.table.fs_events.get_mut(id) else { continue };
            let Some(watched) = entry.body.watched.clone() else { continue };
            let again = self.insert_watches(id, &watched);
            if let Err(error) = again {
                FsEventMut { engine: self, id }.stop();
                result = result.and(Err(error));
            }
        }
        result
    }
}

impl<D: Driver> FsEventMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<FsEvent> {
        self.engine.table.fs_events.get_mut(self.id).expect("a borrowed handle")
    }

    /// Watches the file or directory at `path`; with `recursive`, everything below it, too.
    /// `EINVAL` if the handle is active.
    #[doc(alias = "uv_fs_event_start")]
    pub fn start(&mut self, path: &Path, recursive: bool) -> Result<()> {
        if self.entry().head.life() != Life::Inactive {
            return Err(Errno::EINVAL);
        }
        self.engine.fs_events.pending.starts += 1;
        let start = self.engine.fs_events.pending.starts;
        let mut watched = Watched { path: path.to_owned(), recursive, start };
        let id = self.id;
        watched.path = self.engine.insert_watches(id, &watched)?;
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = table.fs_events.get_mut(id).expect("a borrowed handle");
        body.watched = Some(watched);
        head.activate(active);
        Ok(())
    }

    /// Stops watching; does nothing if the handle is not active.
    #[doc(alias = "uv_fs_event_stop")]
    pub fn stop(&mut self) {
        if self.entry().body.watched.take().is_none() {
            return;
        }
        let Engine { table, active, fs_events, .. } = &mut *self.engine;
        let head = &mut table.fs_events.get_mut(self.id).expect("a borrowed handle").head;
        if head.life() == Life::Active {
            head.deactivate(active);
        }
        if let Some(trees) = &mut fs_events.trees {
            trees.remove(self.id);
            fs_events.pending.readable |= trees.has_buffered();
        }
    }

    /// The watched path. Handles that watch the same file have the path of the first of them.
    #[doc(alias = "uv_fs_event_getpath")]
    pub fn path(&mut self) -> Option<&Path> {
        self.entry().body.watched.as_ref().map(|watched| watched.path.as_path())
    }
}
