//! The types of directory entries.

use rustix::fs::{DirEntry, FileType};

/// The type of an entry, as far as the directory has it.
pub fn file_type(entry: &DirEntry) -> FileType {
    entry.file_type()
}
