//! From what the kernel says to what the handles hear.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mauve_sys::inotify::{Event, What};
use mauve_sys::poller::Driver;
use mauve_sys::{Errno, Result};

use super::Change;
use super::tree::{Listener, Trees};
use crate::id::HandleId;
use crate::slab::Life;
use crate::{Completion, Engine};

/// What has happened and is not told yet.
#[derive(Default)]
pub(crate) struct News {
    /// How often a handle was started.
    pub(super) starts: u64,
    /// The poller has found something.
    pub announced: bool,
    events: VecDeque<Event>,
    untold: VecDeque<Item>,
    /// The name that belongs to the completion that was yielded last.
    name: PathBuf,
    /// Directories that have left their place, and may turn up at another one.
    leaving: Vec<Leaving>,
}

struct Item {
    id: HandleId,
    start: u64,
    name: PathBuf,
    result: Result<Change>,
}

struct Leaving {
    id: HandleId,
    cookie: u32,
    below: PathBuf,
}

impl News {
    /// Whether there is anything to look at.
    pub fn is_pending(&self) -> bool {
        self.announced || !self.events.is_empty() || !self.untold.is_empty()
    }

    fn tell(&mut self, listener: &Listener, name: PathBuf, change: Change) {
        let Listener { id, start, .. } = *listener;
        self.untold.push_back(Item { id, start, name, result: Ok(change) });
    }

    pub(super) fn fail(&mut self, id: HandleId, start: u64, error: Errno) {
        self.untold.push_back(Item { id, start, name: PathBuf::new(), result: Err(error) });
    }
}

impl<D: Driver> Engine<D> {
    /// The next handle that hears of something.
    #[inline(never)]
    pub(crate) fn next_news(&mut self) -> Option<Completion> {
        loop {
            while let Some(item) = self.fs_events.pending.untold.pop_front() {
                if let Some(completion) = self.tell(item) {
                    return Some(completion);
                }
            }
            let trees = self.fs_events.trees.as_mut()?;
            match self.fs_events.pending.events.pop_front() {
                Some(event) => self.fs_events.pending.interpret(&event, trees),
                None if self.fs_events.pending.announced => {
                    let events = &mut self.fs_events.pending.events;
                    self.fs_events.pending.announced = trees.read(|event| events.push_back(event));
                    if !self.fs_events.pending.announced {
                        self.fs_events.pending.settle_moves(trees);
                    }
                }
                None => return None,
            }
        }
    }

    fn tell(&mut self, item: Item) -> Option<Completion> {
        let entry = self.table.fs_events.get_mut(item.id)?;
        // Stopped meanwhile, or started for something else.
        let start = entry.body.watched.as_ref()?.start;
        if entry.head.life() != Life::Active || start != item.start {
            return None;
        }
        self.fs_events.pending.name = item.name;
        Some(Completion::FsEvent { token: entry.head.token, result: item.result })
    }

    /// The file that the last [`Completion::FsEvent`] is about: its name in the watched directory,
    /// or below it. Empty with an error.
    pub fn changed_file(&self) -> &Path {
        &self.fs_events.pending.name
    }
}

impl News {
    /// Finds out who hears of an event, and has recursive watches follow it.
    fn interpret(&mut self, event: &Event, trees: &mut Trees) {
        if event.what == What::Overflow {
            return self.overflow(trees);
        }
        let change = if event.what == What::Changed { Change::Change } else { Change::Rename };
        for listener in trees.listeners(event.watch) {
            let at_root = listener.below.as_os_str().is_empty();
            // What happens to a directory below the root is told by the one that it is in.
            if event.name.is_some() || at_root {
                self.tell(&listener, listener.name(event.name.as_deref()), change);
            }
            if let Some(name) =
                event.name.as_deref().filter(|_| listener.recursive && event.is_directory)
            {
                self.follow(event, &listener, name, trees);
            }
        }
        if event.what == What::Ended {
            trees.ended(event.watch);
        }
    }

    /// A directory has come or gone in a tree.
    fn follow(&mut self, event: &Event, listener: &Listener, name: &OsStr, trees: &mut Trees) {
        let below = listener.name(Some(name));
        match event.what {
            What::MovedOut => {
                self.leaving.push(Leaving { id: listener.id, cookie: event.cookie, below });
            }
            What::MovedIn => {
                let is_it = |l: &Leaving| l.id == listener.id && l.cookie == event.cookie;
                match self.leaving.iter().position(is_it) {
                    Some(index) => {
                        let from = self.leaving.swap_remove(index).below;
                        trees.rename(listener.id, &from, &below);
                    }
                    None => self.enter(listener, name, trees),
                }
            }
            What::Created => self.enter(listener, name, trees),
            What::Changed | What::Gone | What::Ended | What::Overflow => {}
        }
    }

    /// Watches a new directory. What is in it by then may have come without an event, and is told.
    fn enter(&mut self, listener: &Listener, name: &OsStr, trees: &mut Trees) {
        let mut seen = Vec::new();
        let grown = trees.branch(listener, name).and_then(|branch| match branch {
            Some(branch) => trees.grow(&branch, &mut |entry| seen.push(entry)),
            None => Ok(()),
        });
        for entry in seen {
            self.tell(listener, entry, Change::Rename);
        }
        if let Err(error) = grown {
            self.fail(listener.id, listener.start, error);
        }
    }

    /// Something is lost, and nobody knows what: everybody is told. Recursive watches look for
    /// directories that they have missed.
    fn overflow(&mut self, trees: &mut Trees) {
        for (id, start) in trees.handles() {
            self.fail(id, start, Errno::ENOBUFS);
        }
        for root in trees.recursive_roots() {
            if let Err(error) = trees.grow(&root, &mut |_| {}) {
                self.fail(root.id, root.start, error);
            }
        }
    }

    /// What has left and not turned up again is elsewhere.
    fn settle_moves(&mut self, trees: &mut Trees) {
        for Leaving { id, below, .. } in self.leaving.drain(..) {
            trees.prune(id, &below);
        }
    }
}
