//! Changes of files and directories: what a platform must supply.
//!
//! A [`Watcher`] is a set of watches behind one descriptor, which is readable when there are
//! [`Event`]s. Watches are not recursive; `mauve-core` builds trees of them. The implementation is
//! chosen here, by whole file: inotify on Linux. Another platform supplies a `Watcher` with the same
//! functions.

mod inotify;

use std::ffi::OsString;
use std::path::Path;

pub use inotify::Watcher;

use crate::{Errno, Result};

/// The number of a watch. Never used twice by one [`Watcher`].
pub type WatchId = i32;

/// A change of a watched file or directory, or of an entry of the latter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The watch that reports it.
    pub watch: WatchId,
    /// What has changed.
    pub kind: EventKind,
    /// Whether the entry is a directory.
    pub is_directory: bool,
    /// The entry that has changed; `None` for the watched file or directory itself.
    pub name: Option<OsString>,
    /// The same for both events of a move.
    pub cookie: u32,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The contents or the attributes.
    Changed,
    /// An entry was created.
    Created,
    /// An entry was moved here.
    MovedIn,
    /// An entry was moved away.
    MovedOut,
    /// It was removed or moved, or another change of names.
    Gone,
    /// The watch has ended.
    Ended,
    /// The system's queue was full, and events are lost. Belongs to no watch.
    Overflow,
}

/// The entries of a directory, and whether each is a directory itself. A directory that does not
/// exist has none.
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
