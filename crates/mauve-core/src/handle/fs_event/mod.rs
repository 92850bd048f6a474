//! File system events: changes of a file, or of the entries of a directory.
//!
//! All handles of a loop share one [`Watcher`]. A recursive handle has
//! a watch on every directory below its own.
//!
//! * [`tree`]: the watches, and how they follow the directories.
//! * [`pending`]: the watcher's events, and the completions that follow from them.

mod pending;
mod tree;

use mauve_sys::descriptor::AsDescriptor as _;
use std::path::{Path, PathBuf};

use mauve_sys::driver::{Driver, Interest};
use mauve_sys::fs_watch::Watcher;
use mauve_sys::{Errno, Result};

pub(crate) use pending::PendingEvents;
pub(crate) use tree::WatchTrees;

use crate::id::HandleId;
use crate::registration;
use crate::slab::{ActiveCounts, Entry, Life, Slab};
use crate::table::Table;
use crate::{Completion, Engine};

/// The state of one file system event handle.
#[derive(Default)]
pub(crate) struct FsEvent {
    watched: Option<Watched>,
}

/// The watches of all file system event handles, and their pending events.
#[derive(Default)]
pub(crate) struct FsEvents {
    /// Opened when it is first needed.
    trees: Option<WatchTrees>,
    pending: PendingEvents,
}

impl FsEvents {
    pub fn is_pending(&self) -> bool {
        self.pending.is_pending()
    }

    /// Notes that the driver has reported the watcher.
    pub fn note_readable(&mut self) {
        self.pending.readable = true;
    }

    /// The next completion of a file system event handle.
    pub fn next(&mut self, handles: &mut Slab<FsEvent>) -> Option<Completion> {
        self.pending.next(self.trees.as_mut(), handles)
    }

    /// The file of the completion that was returned last.
    pub fn changed_file(&self) -> &Path {
        self.pending.changed_file()
    }

    /// Adds the watches of a handle, or none of them. Returns its path. Opens the watcher when it is first
    /// needed.
    fn insert(
        &mut self,
        id: HandleId,
        watched: &Watched,
        driver: &mut impl Driver,
    ) -> Result<PathBuf> {
        let trees = match &mut self.trees {
            Some(trees) => trees,
            none => {
                let trees = WatchTrees::new(Watcher::new()?);
                register(&trees, driver)?;
                none.insert(trees)
            }
        };
        trees.insert(id, watched, &self.pending).inspect_err(|_| trees.remove(id))
    }

    /// Ends the watches of a handle, if it has any.
    fn remove(&mut self, id: HandleId, entry: &mut Entry<FsEvent>, active: &mut ActiveCounts) {
        if entry.body.watched.take().is_none() {
            return;
        }
        if entry.head.life() == Life::Active {
            entry.head.deactivate(active);
        }
        if let Some(trees) = &mut self.trees {
            trees.remove(id);
            self.pending.readable |= trees.has_buffered();
        }
    }

    /// Registers the watcher again with a driver that has lost all registrations.
    pub fn rearm(&mut self, driver: &mut impl Driver) {
        if let Some(trees) = &self.trees {
            // The driver has just made room for more than this.
            let _ = register(trees, driver);
        }
    }

    /// In a forked child: the watcher is shared with the parent, so a new one watches all paths
    /// again. A handle whose path cannot be watched is stopped; returns the first such error.
    pub fn rewatch(
        &mut self,
        table: &mut Table,
        active: &mut ActiveCounts,
        driver: &mut impl Driver,
    ) -> Result<()> {
        if self.trees.take().is_none() {
            return Ok(());
        }
        self.pending.discard();
        let mut result = Ok(());
        for id in table.ids() {
            let Some(entry) = table.fs_events.get_mut(id) else { continue };
            let Some(watched) = entry.body.watched.clone() else { continue };
            if let Err(error) = self.insert(id, &watched, driver) {
                self.remove(id, entry, active);
                result = result.and(Err(error));
            }
        }
        result
    }
}

fn register(trees: &WatchTrees, driver: &mut impl Driver) -> Result<()> {
    let (fd, key) = (trees.fd().raw_descriptor(), registration::FS_WATCHER);
    driver.set_interest(fd, key, Interest::empty(), Interest::READABLE)
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
///
/// Only Linux reports moves. Elsewhere a file is removed and another one is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[doc(alias = "uv_fs_event")]
pub enum Change {
    /// A file was created.
    Created,
    /// A file was removed, or the watched file itself was moved.
    Removed,
    /// A file was moved away: out of the watched directory, or to another name.
    MovedFrom,
    /// A file was moved to this name.
    MovedTo,
    /// The contents or attributes of a file.
    Modified,
    /// The attributes of a directory.
    DirectoryAttributes,
}

/// One file system event handle, borrowed for one operation.
pub struct FsEventMut<'a, D> {
    pub(super) engine: &'a mut Engine<D>,
    pub(super) id: HandleId,
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
        let Engine { table, active, fs_events, driver, .. } = &mut *self.engine;
        fs_events.pending.starts += 1;
        let start = fs_events.pending.starts;
        let mut watched = Watched { path: path.to_owned(), recursive, start };
        watched.path = fs_events.insert(self.id, &watched, driver)?;
        let Entry { head, body } = table.fs_events.get_mut(self.id).expect("a borrowed handle");
        body.watched = Some(watched);
        head.activate(active);
        Ok(())
    }

    /// Stops watching; does nothing if the handle is not active.
    #[doc(alias = "uv_fs_event_stop")]
    pub fn stop(&mut self) {
        let Engine { table, active, fs_events, .. } = &mut *self.engine;
        let entry = table.fs_events.get_mut(self.id).expect("a borrowed handle");
        fs_events.remove(self.id, entry, active);
    }

    /// The watched path. Handles that watch the same file have the path of the first of them.
    #[doc(alias = "uv_fs_event_getpath")]
    pub fn path(&mut self) -> Option<&Path> {
        self.entry().body.watched.as_ref().map(|watched| watched.path.as_path())
    }
}
