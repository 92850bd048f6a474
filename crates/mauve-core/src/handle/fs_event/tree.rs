//! The watches of one loop, and how they follow the directories.
//!
//! Several handles may share a watch: the kernel has one for each file or directory. A handle
//! listens at the root of its tree and, if it watches recursively, at every directory below.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::fd::{AsRawFd, RawFd};
use std::path::{Path, PathBuf};

use mauve_sys::inotify::{self, Inotify, Watch};
use mauve_sys::{Errno, Result};

use super::Watched;
use crate::id::HandleId;

/// The watches, and who listens to them.
pub(crate) struct Trees {
    inotify: Inotify,
    listeners: HashMap<Watch, Vec<Listener>>,
    /// The watches of each handle.
    watches: HashMap<HandleId, Vec<Watch>>,
    /// Watches that were removed since the kernel's queue was emptied: each leaves a word there.
    removed: usize,
    /// What was in the queue when room was made for these.
    set_aside: Vec<inotify::Event>,
}

/// How many watches are removed before their words are taken out of the kernel's queue. It has room
/// for many more, and loses what does not fit.
const REMOVED_AT_ONCE: usize = 1024;

/// A handle at one watch.
#[derive(Clone, Debug)]
pub(super) struct Listener {
    pub id: HandleId,
    pub start: u64,
    /// What the handle watches.
    pub root: PathBuf,
    /// Where below it this watch is. Empty at the root itself.
    pub below: PathBuf,
    pub recursive: bool,
}

impl Listener {
    /// What the handle calls an entry here, or, without one, the watched thing itself.
    pub fn name(&self, entry: Option<&OsStr>) -> PathBuf {
        match entry {
            Some(entry) => self.below.join(entry),
            None => self.root.file_name().unwrap_or_default().into(),
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

impl Trees {
    pub fn new(inotify: Inotify) -> Self {
        Self {
            inotify,
            listeners: HashMap::new(),
            watches: HashMap::new(),
            removed: 0,
            set_aside: Vec::new(),
        }
    }

    /// The descriptor that tells of changes.
    pub(super) fn descriptor(&self) -> RawFd {
        self.inotify.as_raw_fd()
    }

    /// Takes some of what has happened. Returns false if there is no more.
    pub(super) fn read(&mut self, receive: impl FnMut(inotify::Event)) -> bool {
        if !self.set_aside.is_empty() {
            self.set_aside.drain(..).for_each(receive);
            return true;
        }
        self.removed = 0;
        self.inotify.read(receive)
    }

    /// Whether there is something to [`read`](Self::read) of which the poller knows nothing.
    pub(super) fn has_set_aside(&self) -> bool {
        !self.set_aside.is_empty()
    }

    /// Takes everything out of the kernel's queue, and keeps what somebody listens to.
    fn make_room(&mut self) {
        let Self { inotify, listeners, set_aside, .. } = self;
        let matters = |event: &inotify::Event| {
            event.what == inotify::What::Overflow || listeners.contains_key(&event.watch)
        };
        while inotify.read(|event| set_aside.extend(Some(event).filter(matters))) {}
        self.removed = 0;
    }

    /// Who listens to a watch, in the order of their starts.
    pub(super) fn listeners(&self, watch: Watch) -> Vec<Listener> {
        self.listeners.get(&watch).cloned().unwrap_or_default()
    }

    /// Begins to watch for a handle.
    pub(super) fn plant(&mut self, id: HandleId, watched: &Watched) -> Result<()> {
        let Watched { path, recursive, start } = watched.clone();
        let root = Listener { id, start, root: path, below: PathBuf::new(), recursive };
        let watch = self.inotify.add(&root.root)?;
        self.listen(watch, root.clone());
        if recursive && root.root.is_dir() { self.grow(&root, &mut |_| {}) } else { Ok(()) }
    }

    /// Watches all directories in that of `listener`, and below. Every entry is `seen`: it may
    /// have come before the watch did. Fails at the end if there was a directory that could not
    /// be watched.
    pub(super) fn grow(
        &mut self,
        listener: &Listener,
        seen: &mut impl FnMut(PathBuf),
    ) -> Result<()> {
        let mut result = Ok(());
        let mut left = vec![listener.clone()];
        while let Some(listener) = left.pop() {
            let entries = match inotify::entries(&listener.directory()) {
                Ok(entries) => entries,
                // What cannot be listed can be watched all the same.
                Err(_) => continue,
            };
            for (name, is_directory) in entries {
                seen(listener.name(Some(&name)));
                if is_directory {
                    match self.branch(&listener, &name) {
                        Ok(Some(branch)) => left.push(branch),
                        Ok(None) => {}
                        Err(error) => result = Err(error),
                    }
                }
            }
        }
        result
    }

    /// Watches one more directory, if it still is one.
    pub(super) fn branch(
        &mut self,
        listener: &Listener,
        entry: &OsStr,
    ) -> Result<Option<Listener>> {
        let branch = listener.under(entry);
        match self.inotify.add_directory(&branch.directory()) {
            Ok(watch) => {
                self.listen(watch, branch.clone());
                Ok(Some(branch))
            }
            Err(Errno::ENOENT | Errno::ENOTDIR | Errno::EACCES | Errno::ELOOP) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn listen(&mut self, watch: Watch, listener: Listener) {
        let listeners = self.listeners.entry(watch).or_default();
        match listeners.iter_mut().find(|known| known.id == listener.id) {
            // It is known under another name, or seen for the second time.
            Some(known) => *known = listener,
            None => {
                self.watches.entry(listener.id).or_default().push(watch);
                listeners.push(listener);
            }
        }
    }

    /// A directory of a handle is called differently now, and everything below it.
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

    /// A directory of a handle is no longer below its root.
    pub(super) fn prune(&mut self, id: HandleId, below: &Path) {
        for watch in self.below(id, below) {
            self.leave(watch, id);
            self.watches.entry(id).or_default().retain(|known| *known != watch);
        }
    }

    /// The watches of a handle at a directory and below.
    fn below(&self, id: HandleId, directory: &Path) -> Vec<Watch> {
        let watches = self.watches.get(&id).into_iter().flatten().copied();
        let is_below = |watch: &Watch| {
            let mut listeners = self.listeners.get(watch).into_iter().flatten();
            listeners.any(|listener| listener.id == id && listener.below.starts_with(directory))
        };
        watches.filter(is_below).collect()
    }

    /// Ends all watches of a handle.
    pub(super) fn fell(&mut self, id: HandleId) {
        for watch in self.watches.remove(&id).unwrap_or_default() {
            self.leave(watch, id);
        }
    }

    fn leave(&mut self, watch: Watch, id: HandleId) {
        let Some(listeners) = self.listeners.get_mut(&watch) else { return };
        listeners.retain(|listener| listener.id != id);
        if listeners.is_empty() {
            self.listeners.remove(&watch);
            self.inotify.remove(watch);
            self.removed += 1;
            if self.removed == REMOVED_AT_ONCE {
                self.make_room();
            }
        }
    }

    /// The kernel has ended a watch. At the root of a tree nobody takes notice: the handle stays
    /// what it is until it is stopped.
    pub(super) fn ended(&mut self, watch: Watch) {
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
        handles.sort_unstable_by_key(|(_, start)| *start);
        handles.dedup();
        handles
    }
}
