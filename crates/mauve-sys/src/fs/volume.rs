//! The file system that a file is on.

use std::ffi::CStr;

use super::call;
use crate::Result;

/// What is known about a file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_statfs_t")]
pub struct Volume {
    /// Its kind, as a magic number.
    pub kind: u64,
    /// In what sizes it is best read.
    pub block_size: u64,
    /// How many blocks it has.
    pub blocks: u64,
    /// How many are free.
    pub free_blocks: u64,
    /// How many are free for everybody.
    pub available_blocks: u64,
    /// How many files it can have.
    pub files: u64,
    /// How many it can have besides those it has.
    pub free_files: u64,
    /// The size of the blocks that are counted.
    pub fragment_size: u64,
}

/// About the file system of the file at `path`.
#[doc(alias = "uv_fs_statfs")]
pub fn stat(path: &CStr) -> Result<Volume> {
    let found = call(|| rustix::fs::statfs(path))?;
    Ok(Volume {
        kind: found.f_type as u64,
        block_size: found.f_bsize as u64,
        blocks: found.f_blocks,
        free_blocks: found.f_bfree,
        available_blocks: found.f_bavail,
        files: found.f_files,
        free_files: found.f_ffree,
        fragment_size: found.f_frsize as u64,
    })
}
