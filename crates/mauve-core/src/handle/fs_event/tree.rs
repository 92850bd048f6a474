//! The watches of one loop, and how they follow the directories.
//!
//! Several handles may share a watch, because the system has one for each file or directory. A
//! handle is a listener of the watch at the root of its tree and, if it is recursive, of those at
//! all directories below.

use mauve_sys::descriptor::{AsDescriptor as _, BorrowedDescriptor};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mauve_sys::fs::path;
use mauve_sys::fs_watch::{self, FsEvent, FsEventKind, WatchId, Watcher};
use mauve_sys::{Errno, Result};

use super::{PendingEvents, Watched};
use crate::id::HandleId;
use crate::sort::sort_by_number;

/// The watches and their listeners.
pub(crate) struct WatchTrees {
    watcher: Watcher,
    listeners: HashMap<WatchId, Vec<Listener>>,
    /// The path under which each watch was first started, as libuv reports it.
    paths: HashMap<WatchId, PathBuf>,
    /// The watches of each handle.
    watches: HashMap<HandleId, Vec<WatchId>>,
    /// Watches that were removed since the system's queue was emptied. Each has queued an event.
    removed: usize,
    /// Events that were read before they were needed, to keep the system's queue from overflowing.
    buffered: Vec<FsEvent>,
}

/// How many watches are removed before their events are read out of the system's queue. The limit
/// is far below the size of that queue, which drops events when it is full.
const MAX_REMOVED: usize = 1024;

/// A handle that receives the events of one watch.
#[derive(Clone, Debug)]
pub(super) struct Listener {
    pub id: HandleId,
    pub start: u64,
    /// The path that the handle watches.
    pub root: PathBuf,
    /// Path of this watch relative to `root`. Empty at the root itself.
    pub below: PathBuf,
    pub recursive: bool,
}

impl Listener {
    /// The name that is reported for an entry of this directory, or for the watched file itself.
    pub fn name(&self, entry: Option<&OsStr>) -> PathBuf {
        match entry {
            Some(entry) => self.below.join(entry),
            // As in libuv, the text after the last slash: `.` is reported as such, `d/` as empty.
            None => path::after_separator(&self.root).into(),
        }
    }

    fn directory(&self) -> PathBuf {
        self.root.join(&self.below)
    }

    /// The same handle, one directory further down.
    fn under(&self, entry: &OsStr) -> Self {
        Self { below: self.below.join(entry), ..self.clone() }
    }
}

impl WatchTrees {
    pub fn new(watcher: Watcher) -> Self {
        Self {
            watcher,
            listeners: HashMap::new(),
            paths: HashMap::new(),
            watches: HashMap::new(),
            removed: 0,
            buffered: Vec::new(),
        }
    }

    /// The descriptor that is readable when there are events.
    pub(super) fn fd(&self) -> BorrowedDescriptor<'_> {
        self.watcher.as_descriptor()
    }

    /// Reads some events. Returns false if there are none.
    pub(super) fn read(&mut self, receive: impl FnMut(FsEvent)) -> bool {
        if !self.buffered.is_empty() {
            self.buffered.drain(..).for_each(receive);
            return true;
        }
        self.removed = 0;
        self.watcher.read(receive)
    }

    /// Whether there are events to [`read`](Self::read) that the poller does not report.
    pub(super) fn has_buffered(&self) -> bool {
        !self.buffered.is_empty()
    }

    /// Empties the system's queue, and keeps the events that have a listener.
    fn empty_queue(&mut self) {
        let Self { watcher, listeners, buffered, .. } = self;
        let matters = |event: &FsEvent| {
            event.kind == FsEventKind::Overflow || listeners.contains_key(&event.watch)
        };
        while watcher.read(|event| buffered.extend(Some(event).filter(matters))) {}
        self.removed = 0;
    }

    /// The listeners of a watch, in the order in which events reach them.
    pub(super) fn listeners(&self, watch: WatchId) -> Vec<Listener> {
        self.listeners.get(&watch).cloned().unwrap_or_default()
    }

    /// Adds the watches of a handle, and returns its path: that of an earlier handle at the same
    /// file, if there is one. After an error some of the watches may exist.
    ///
    /// As in libuv, a handle that is started while an event is reported comes before the listeners
    /// that are not called yet.
    pub(super) fn insert(
        &mut self,
        id: HandleId,
        watched: &Watched,
        pending: &PendingEvents,
    ) -> Result<PathBuf> {
        let Watched { path, recursive, start } = watched.clone();
        let watch = self.watcher.add(&path)?;
        let path = self.paths.entry(watch).or_insert(path).clone();
        let root = Listener { id, start, root: path.clone(), below: PathBuf::new(), recursive };
        self.add_listener(watch, root.clone());
        let listeners = self.listeners.get_mut(&watch).expect("just added");
        if let Some(first) = listeners.iter().position(|other| pending.has_left(watch, other)) {
            listeners[first..].rotate_right(1);
        }
        if recursive && path.is_dir() {
            self.watch_below(&root, &mut |_| {})?;
        }
        Ok(path)
    }

    /// Watches all directories below that of `listener`. Every entry is passed to `seen`, because it
    /// may be older than the watch. Fails at the end if a directory could not be watched.
    pub(super) fn watch_below(
        &mut self,
        listener: &Listener,
        seen: &mut impl FnMut(PathBuf),
    ) -> Result<()> {
        let mut result = Ok(());
        let mut left = vec![listener.clone()];
        while let Some(listener) = left.pop() {
            let entries = match fs_watch::read_dir(&listener.directory()) {
                Ok(entries) => entries,
                // A directory that cannot be listed can still be watched.
                Err(_) => continue,
            };
            for (name, is_directory) in entries {
                seen(listener.name(Some(&name)));
                if is_directory {
                    match self.watch_entry(&listener, &name) {
                        Ok(Some(branch)) => left.push(branch),
                        Ok(None) => {}
                        Err(error) => result = Err(error),
                    }
                }
            }
        }
        result
    }

    /// Watches one more directory, if it still exists.
    pub(super) fn watch_entry(
        &mut self,
        listener: &Listener,
        entry: &OsStr,
    ) -> Result<Option<Listener>> {
        let branch = listener.under(entry);
        match self.watcher.add_directory(&branch.directory()) {
            Ok(watch) => {
                self.add_listener(watch, branch.clone());
                Ok(Some(branch))
            }
            Err(Errno::ENOENT | Errno::ENOTDIR | Errno::EACCES | Errno::ELOOP) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn add_listener(&mut self, watch: WatchId, listener: Listener) {
        let listeners = self.listeners.entry(watch).or_default();
        match listeners.iter_mut().find(|known| known.id == listener.id) {
            // The directory has another name now, or was found twice.
            Some(known) => *known = listener,
            None => {
                self.watches.entry(listener.id).or_default().push(watch);
                listeners.push(listener);
            }
        }
    }

    /// Renames a directory of a handle, and everything below it.
    pub(super) fn rename(&mut self, id: HandleId, from: &Path, to: &Path) {
        for watch in self.below(id, from) {
            for listener in self.listeners.get_mut(&watch).into_iter().flatten() {
                if listener.id == id
                    && let Ok(rest) = listener.below.strip_prefix(from)
                {
                    // Joining with nothing would add a slash.
                    let whole = rest.as_os_str().is_empty();
                    listener.below = if whole { to.to_owned() } else { to.join(rest) };
                }
            }
        }
    }

    /// Removes the watches of a handle at a directory that was moved out of its tree, and below.
    pub(super) fn remove_below(&mut self, id: HandleId, below: &Path) {
        for watch in self.below(id, below) {
            self.remove_listener(watch, id);
            self.watches.entry(id).or_default().retain(|known| *known != watch);
        }
    }

    /// The watches of a handle at a directory and below.
    fn below(&self, id: HandleId, directory: &Path) -> Vec<WatchId> {
        let watches = self.watches.get(&id).into_iter().flatten().copied();
        let is_below = |watch: &WatchId| {
            let mut listeners = self.listeners.get(watch).into_iter().flatten();
            listeners.any(|listener| listener.id == id && listener.below.starts_with(directory))
        };
        watches.filter(is_below).collect()
    }

    /// Removes all watches of a handle.
    pub(super) fn remove(&mut self, id: HandleId) {
        for watch in self.watches.remove(&id).unwrap_or_default() {
            self.remove_listener(watch, id);
        }
    }

    fn remove_listener(&mut self, watch: WatchId, id: HandleId) {
        let Some(listeners) = self.listeners.get_mut(&watch) else { return };
        listeners.retain(|listener| listener.id != id);
        if listeners.is_empty() {
            self.listeners.remove(&watch);
            self.paths.remove(&watch);
            self.watcher.remove(watch);
            self.removed += 1;
            if self.removed == MAX_REMOVED {
                self.empty_queue();
            }
        }
    }

    /// Called when the system has ended a watch. A handle with this root stays active until it is
    /// stopped.
    pub(super) fn ended(&mut self, watch: WatchId) {
        let Some(listeners) = self.listeners.get_mut(&watch) else { return };
        let (roots, others) = std::mem::take(listeners)
            .into_iter()
            .partition(|listener| listener.below.as_os_str().is_empty());
        *listeners = roots;
        for Listener { id, .. } in others {
            self.watches.entry(id).or_default().retain(|known| *known != watch);
        }
        if self.listeners[&watch].is_empty() {
            self.listeners.remove(&watch);
            self.paths.remove(&watch);
        }
    }

    /// The roots of the recursive handles.
    pub(super) fn recursive_roots(&self) -> Vec<Listener> {
        let all = self.listeners.values().flatten();
        all.filter(|l| l.recursive && l.below.as_os_str().is_empty()).cloned().collect()
    }

    /// All handles, with their starts.
    pub(super) fn handles(&self) -> Vec<(HandleId, u64)> {
        let all = self.listeners.values().flatten();
        let mut handles: Vec<_> = all.map(|listener| (listener.id, listener.start)).collect();
        sort_by_number(&mut handles, |(_, start)| *start);
        handles.dedup();
        handles
    }
}
