//! File system events.
//!
//! A [`Watcher`] is a set of watches with one descriptor, which is readable when [`FsEvent`]s are
//! pending. Watches are not recursive; `mauve-core` implements recursive watches with several of
//! them. Each platform has a `Watcher` with the same functions.

use std::ffi::OsString;
use std::path::Path;

use crate::{Errno, Result};

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod inotify;
        pub use inotify::Watcher;
        #[cfg(all(test, mauve_kqueue))]
        mod kqueue;
        #[cfg(all(test, mauve_kqueue))]
        mod snapshot;
    } else if #[cfg(any(
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "dragonfly",
            target_os = "netbsd",
            target_os = "openbsd",
        ))] {
        mod kqueue;
        mod snapshot;
        pub use kqueue::Watcher;
    } else if #[cfg(any(target_os = "illumos", target_os = "solaris"))] {
        mod event_ports;
        mod snapshot;
        pub use event_ports::Watcher;
    } else if #[cfg(windows)] {
        mod directory_changes;
        pub use directory_changes::Watcher;
    } else {
        mod none;
        pub use none::Watcher;
    }
}

#[cfg(test)]
mod tests;

/// The id of a watch. A [`Watcher`] never reuses an id.
pub type WatchId = i32;

/// A change of a watched file or directory, or of an entry of a watched directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FsEvent {
    /// The watch that reports the event.
    pub watch: WatchId,
    /// The kind of change.
    pub kind: FsEventKind,
    /// Whether the entry is a directory.
    pub is_directory: bool,
    /// The entry that has changed; `None` for the watched file or directory itself.
    pub name: Option<OsString>,
    /// Equal for both events of a move.
    pub cookie: u32,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FsEventKind {
    /// The contents or the attributes have changed.
    Changed,
    /// An entry was created.
    Created,
    /// An entry was moved into the directory.
    MovedIn,
    /// An entry was moved out of the directory.
    MovedOut,
    /// An entry was deleted, or the watched file itself was deleted or moved.
    Removed,
    /// The watch was removed.
    WatchRemoved,
    /// The event queue has overflowed, and events are lost. Belongs to no watch.
    Overflow,
}

/// The entries of a directory, and whether each is a directory itself. Empty if the directory does
/// not exist.
pub fn read_dir(path: &Path) -> Result<Vec<(OsString, bool)>> {
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
