//! The entries of a directory, for systems that report that a directory has changed, but not how.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use crate::fs_watch::{FsEventKind, read_dir};

/// The known entries of a directory, and whether each is a directory itself.
#[derive(Debug, Default)]
pub(crate) struct Snapshot(BTreeMap<OsString, bool>);

impl Snapshot {
    /// The entries that the directory has now. Empty if it cannot be read.
    pub fn of(path: &Path) -> Self {
        Self(read_dir(path).unwrap_or_default().into_iter().collect())
    }

    /// Reads the directory again, and reports the entries that were removed and created.
    pub fn update(&mut self, path: &Path, mut report: impl FnMut(FsEventKind, OsString, bool)) {
        let before = std::mem::replace(&mut self.0, Self::of(path).0);
        for (name, is_directory) in &before {
            if self.0.get(name) != Some(is_directory) {
                report(FsEventKind::Removed, name.clone(), *is_directory);
            }
        }
        for (name, is_directory) in &self.0 {
            if before.get(name) != Some(is_directory) {
                report(FsEventKind::Created, name.clone(), *is_directory);
            }
        }
    }
}
