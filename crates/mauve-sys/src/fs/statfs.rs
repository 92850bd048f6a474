//! File system status: `statfs`.

use std::ffi::CStr;

use super::system;
use crate::Result;

/// The status of a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_statfs_t")]
#[non_exhaustive]
pub struct StatFs {
    /// The type, as a magic number; zero if the system has none.
    pub kind: u64,
    /// The preferred block size for I/O.
    pub block_size: u64,
    /// The total number of blocks.
    pub blocks: u64,
    /// The number of free blocks.
    pub free_blocks: u64,
    /// The number of free blocks that unprivileged users may use.
    pub available_blocks: u64,
    /// The total number of inodes.
    pub files: u64,
    /// The number of free inodes.
    pub free_files: u64,
    /// The fragment size, which is the unit of the block counts.
    pub fragment_size: u64,
}

/// The status of the file system that contains `path`.
#[doc(alias = "uv_fs_statfs")]
pub fn statfs(path: &CStr) -> Result<StatFs> {
    system::statfs(path)
}
