//! Systems without file system events.

use std::path::Path;

use crate::descriptor::{AsDescriptor, BorrowedDescriptor, RawDescriptor};
use crate::fs_watch::{FsEvent, WatchId};
use crate::{Errno, Result};

/// There is no value of this type.
pub enum Watcher {}

impl Watcher {
    /// `ENOSYS`: the system has no file system events.
    pub fn new() -> Result<Self> {
        Err(Errno::ENOSYS)
    }

    /// Watches a file or a directory.
    pub fn add(&self, _: &Path) -> Result<WatchId> {
        match *self {}
    }

    /// Watches a directory.
    pub fn add_directory(&self, _: &Path) -> Result<WatchId> {
        match *self {}
    }

    /// Removes a watch.
    pub fn remove(&self, _: WatchId) {
        match *self {}
    }

    /// Reads a buffer of events.
    pub fn read(&self, _: impl FnMut(FsEvent)) -> bool {
        match *self {}
    }
}

impl AsDescriptor for Watcher {
    fn as_descriptor(&self) -> BorrowedDescriptor<'_> {
        match *self {}
    }

    fn raw_descriptor(&self) -> RawDescriptor {
        match *self {}
    }
}
