//! File system events: what happens to a file, or to the entries of a directory.
//!
//! All handles of a loop share one descriptor of the kernel. A handle that watches recursively
//! has a watch on every directory below its own.
//!
//! * [`tree`]: the watches, and how they follow the directories.
//! * [`news`]: from what the kernel says to what the handles hear.

mod news;
mod tree;

use std::os::fd::{AsRawFd, RawFd};
use std::path::{Path, PathBuf};

use mauve_sys::inotify::Inotify;
use mauve_sys::poller::{Driver, Interest};
use mauve_sys::{Errno, Result};

pub(crate) use news::News;
pub(crate) use tree::Trees;

use crate::Engine;
use crate::id::{HandleId, Token};
use crate::io;
use crate::slab::{Entry, Life};

/// The state of one file system event handle.
#[derive(Default)]
pub(crate) struct FsEvent {
    watched: Option<Watched>,
}

/// The watches of all file system event handles, and what is still to be reported to them.
#[derive(Default)]
pub(crate) struct FsEvents {
    /// Opened when it is first needed.
    pub trees: Option<Trees>,
    pub pending: News,
}

impl FsEvents {
    pub fn is_pending(&self) -> bool {
        self.pending.is_pending()
    }
}

/// What a handle watches.
#[derive(Clone)]
struct Watched {
    /// As it was given.
    path: PathBuf,
    recursive: bool,
    /// Counts the starts of all handles: what was meant for an earlier start is not heard.
    start: u64,
}

/// What has happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_fs_event")]
pub enum Change {
    /// It was made, removed or moved.
    Rename,
    /// Its contents or attributes have changed.
    Change,
}

/// One file system event handle, lent for one operation.
pub struct FsEventMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a file system event handle.
    #[doc(alias = "uv_fs_event_init")]
    pub fn open_fs_event(&mut self, token: Token) -> HandleId {
        let born = self.table.birth();
        self.table.fs_events.insert(token, born, FsEvent::default())
    }

    /// Lends a file system event handle.
    pub fn fs_event(&mut self, id: HandleId) -> Option<FsEventMut<'_, D>> {
        self.table.fs_events.find(id)?;
        Some(FsEventMut { engine: self, id })
    }

    fn trees(&mut self) -> Result<&mut Trees> {
        if self.fs_events.trees.is_none() {
            let inotify = Inotify::new()?;
            self.watch_inotify(inotify.as_raw_fd())?;
            self.fs_events.trees = Some(Trees::new(inotify));
        }
        Ok(self.fs_events.trees.as_mut().expect("just made"))
    }

    fn watch_inotify(&mut self, fd: RawFd) -> Result<()> {
        self.driver.watch(fd, io::INOTIFY, Interest::empty(), Interest::READABLE)
    }

    /// Tells a driver that has forgotten everything.
    pub(crate) fn redeclare_inotify(&mut self) {
        if let Some(fd) = self.fs_events.trees.as_ref().map(Trees::descriptor) {
            // It has just made room for more than this.
            let _ = self.watch_inotify(fd);
        }
    }

    /// In a forked child: the kernel's descriptor is shared with the parent, so everything is
    /// watched anew. What cannot be is told as an error.
    pub(crate) fn rewatch_files(&mut self) {
        if self.fs_events.trees.take().is_none() {
            return;
        }
        self.fs_events.pending = News::default();
        for (id, _) in self.handles(true) {
            let Some(entry) = self.table.fs_events.get_mut(id) else { continue };
            let Some(watched) = entry.body.watched.clone() else { continue };
            let again = self.trees().and_then(|trees| trees.plant(id, &watched));
            if let Err(error) = again {
                self.fs_events.pending.fail(id, watched.start, error);
            }
        }
    }
}

impl<D: Driver> FsEventMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<FsEvent> {
        self.engine.table.fs_events.get_mut(self.id).expect("a lent handle")
    }

    /// Watches the file or directory at `path`; with `recursive`, everything below it, too.
    /// `EINVAL` if it is watching already.
    #[doc(alias = "uv_fs_event_start")]
    pub fn start(&mut self, path: &Path, recursive: bool) -> Result<()> {
        if self.entry().head.life() != Life::Inactive {
            return Err(Errno::EINVAL);
        }
        self.engine.fs_events.pending.starts += 1;
        let start = self.engine.fs_events.pending.starts;
        let watched = Watched { path: path.to_owned(), recursive, start };
        let id = self.id;
        let trees = self.engine.trees()?;
        if let Err(error) = trees.plant(id, &watched) {
            trees.fell(id);
            return Err(error);
        }
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = table.fs_events.get_mut(id).expect("a lent handle");
        body.watched = Some(watched);
        head.activate(active);
        Ok(())
    }

    /// Stops watching; nothing happens if it does not watch.
    #[doc(alias = "uv_fs_event_stop")]
    pub fn stop(&mut self) {
        if self.entry().body.watched.take().is_none() {
            return;
        }
        let Engine { table, active, fs_events, .. } = &mut *self.engine;
        let head = &mut table.fs_events.get_mut(self.id).expect("a lent handle").head;
        if head.life() == Life::Active {
            head.deactivate(active);
        }
        if let Some(trees) = &mut fs_events.trees {
            trees.fell(self.id);
            fs_events.pending.announced |= trees.has_set_aside();
        }
    }

    /// What it watches, as it was given.
    #[doc(alias = "uv_fs_event_getpath")]
    pub fn path(&mut self) -> Option<&Path> {
        self.entry().body.watched.as_ref().map(|watched| watched.path.as_path())
    }
}
