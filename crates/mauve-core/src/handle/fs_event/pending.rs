//! The watcher's events, and the completions that follow from them.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mauve_sys::fs_watch::{FsEvent, FsEventKind, WatchId};
use mauve_sys::{Errno, Result};

use super::Change;
use super::tree::{Listener, WatchTrees};
use crate::Completion;
use crate::id::HandleId;
use crate::slab::{Life, Slab};

/// The events of the watcher that are not reported yet.
#[derive(Default)]
pub(crate) struct PendingEvents {
    /// How often a handle was started.
    pub(super) starts: u64,
    /// Whether the watcher is to be read.
    pub(super) readable: bool,
    events: VecDeque<FsEvent>,
    completions: VecDeque<PendingCompletion>,
    /// The file name of the completion that was reported last.
    name: PathBuf,
    /// Directories that were moved away. A later event may move them to another path of the tree.
    moved: Vec<MovedDirectory>,
}

/// A completion for one start of one handle.
struct PendingCompletion {
    id: HandleId,
    start: u64,
    /// The watch of its event; `None` for an error.
    watch: Option<WatchId>,
    name: PathBuf,
    result: Result<Change>,
}

struct MovedDirectory {
    id: HandleId,
    cookie: u32,
    below: PathBuf,
}

impl PendingEvents {
    /// Whether there is something to report or to read.
    pub fn is_pending(&self) -> bool {
        self.readable || !self.events.is_empty() || !self.completions.is_empty()
    }

    /// In a forked child: drops the events, which belong to the parent.
    pub(super) fn discard(&mut self) {
        *self = Self { starts: self.starts, ..Self::default() };
    }

    fn push(&mut self, watch: WatchId, listener: &Listener, name: PathBuf, change: Change) {
        let Listener { id, start, .. } = *listener;
        let (watch, result) = (Some(watch), Ok(change));
        self.completions.push_back(PendingCompletion { id, start, watch, name, result });
    }

    /// Whether the current event of a watch is still to be reported to a listener.
    pub(super) fn has_left(&self, watch: WatchId, listener: &Listener) -> bool {
        let mut completions = self.completions.iter();
        completions
            .any(|c| c.watch == Some(watch) && (c.id, c.start) == (listener.id, listener.start))
    }

    fn fail(&mut self, id: HandleId, start: u64, error: Errno) {
        let (watch, name, result) = (None, PathBuf::new(), Err(error));
        self.completions.push_back(PendingCompletion { id, start, watch, name, result });
    }
}

impl PendingEvents {
    /// The next completion of a file system event handle.
    pub(super) fn next(
        &mut self,
        mut trees: Option<&mut WatchTrees>,
        handles: &mut Slab<super::FsEvent>,
    ) -> Option<Completion> {
        loop {
            while let Some(pending) = self.completions.pop_front() {
                if let Some(completion) = self.complete(pending, handles) {
                    return Some(completion);
                }
            }
            let trees = trees.as_deref_mut()?;
            match self.events.pop_front() {
                Some(event) => self.handle(&event, trees),
                None if self.readable => {
                    let events = &mut self.events;
                    self.readable = trees.read(|event| events.push_back(event));
                    if !self.readable {
                        self.finish_moves(trees);
                    }
                }
                None => return None,
            }
        }
    }

    fn complete(
        &mut self,
        pending: PendingCompletion,
        handles: &mut Slab<super::FsEvent>,
    ) -> Option<Completion> {
        let entry = handles.get_mut(pending.id)?;
        // The handle may have been stopped or restarted since.
        let start = entry.body.watched.as_ref()?.start;
        if entry.head.life() != Life::Active || start != pending.start {
            return None;
        }
        self.name = pending.name;
        Some(Completion::FsEvent { token: entry.head.token, result: pending.result })
    }

    /// The file of the completion that was returned last.
    pub(super) fn changed_file(&self) -> &Path {
        &self.name
    }
}

impl PendingEvents {
    /// Queues the completions of an event. Recursive watches follow directories.
    fn handle(&mut self, event: &FsEvent, trees: &mut WatchTrees) {
        let change = match event.kind {
            FsEventKind::Changed if event.is_directory => Change::DirectoryAttributes,
            FsEventKind::Changed => Change::Modified,
            FsEventKind::Created => Change::Created,
            FsEventKind::MovedIn => Change::MovedTo,
            FsEventKind::MovedOut => Change::MovedFrom,
            FsEventKind::Removed | FsEventKind::WatchRemoved => Change::Removed,
            FsEventKind::Overflow => return self.overflow(trees),
        };
        for listener in trees.listeners(event.watch) {
            let at_root = listener.below.as_os_str().is_empty();
            // The parent's watch reports changes of a directory below the root.
            if event.name.is_some() || at_root {
                self.push(event.watch, &listener, listener.name(event.name.as_deref()), change);
            }
            if let Some(name) =
                event.name.as_deref().filter(|_| listener.recursive && event.is_directory)
            {
                self.follow(event, &listener, name, trees);
            }
        }
        if event.kind == FsEventKind::WatchRemoved {
            trees.ended(event.watch);
        }
    }

    /// Updates the watches of a recursive handle after a directory was created or moved.
    fn follow(
        &mut self,
        event: &FsEvent,
        listener: &Listener,
        name: &OsStr,
        trees: &mut WatchTrees,
    ) {
        let below = listener.name(Some(name));
        match event.kind {
            FsEventKind::MovedOut => {
                self.moved.push(MovedDirectory { id: listener.id, cookie: event.cookie, below });
            }
            FsEventKind::MovedIn => {
                let same = |m: &MovedDirectory| m.id == listener.id && m.cookie == event.cookie;
                match self.moved.iter().position(same) {
                    Some(index) => {
                        let from = self.moved.swap_remove(index).below;
                        trees.rename(listener.id, &from, &below);
                    }
                    None => self.enter(event, listener, name, trees),
                }
            }
            FsEventKind::Created => self.enter(event, listener, name, trees),
            FsEventKind::Changed
            | FsEventKind::Removed
            | FsEventKind::WatchRemoved
            | FsEventKind::Overflow => {}
        }
    }

    /// Watches a new directory. Reports the entries that it has already, because they may be older than
    /// the watch.
    fn enter(
        &mut self,
        event: &FsEvent,
        listener: &Listener,
        name: &OsStr,
        trees: &mut WatchTrees,
    ) {
        let mut seen = Vec::new();
        let watched = trees.watch_entry(listener, name).and_then(|branch| match branch {
            Some(branch) => trees.watch_below(&branch, &mut |entry| seen.push(entry)),
            None => Ok(()),
        });
        for entry in seen {
            self.push(event.watch, listener, entry, Change::Created);
        }
        if let Err(error) = watched {
            self.fail(listener.id, listener.start, error);
        }
    }

    /// Handles an overflow of the system's queue. Events are lost, so every handle gets an error.
    /// Recursive handles scan for new directories.
    fn overflow(&mut self, trees: &mut WatchTrees) {
        for (id, start) in trees.handles() {
            self.fail(id, start, Errno::ENOBUFS);
        }
        for root in trees.recursive_roots() {
            if let Err(error) = trees.watch_below(&root, &mut |_| {}) {
                self.fail(root.id, root.start, error);
            }
        }
    }

    /// Removes the watches of directories that were moved out of their tree.
    fn finish_moves(&mut self, trees: &mut WatchTrees) {
        for MovedDirectory { id, below, .. } in self.moved.drain(..) {
            trees.remove_below(id, &below);
        }
    }
}
