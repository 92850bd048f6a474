//! The names of files and directories: making, changing and removing them.

use std::ffi::CStr;

use rustix::fs::{AtFlags, CWD, Mode};

use super::call;
use crate::Result;

/// Gives a file another name; what had that name is gone.
#[doc(alias = "uv_fs_rename")]
pub fn rename(path: &CStr, new_path: &CStr) -> Result<()> {
    call(|| rustix::fs::renameat(CWD, path, CWD, new_path))
}

/// Removes a name of a file.
#[doc(alias = "uv_fs_unlink")]
pub fn unlink(path: &CStr) -> Result<()> {
    call(|| rustix::fs::unlinkat(CWD, path, AtFlags::empty()))
}

/// Makes a directory.
#[doc(alias = "uv_fs_mkdir")]
pub fn make_directory(path: &CStr, mode: u32) -> Result<()> {
    call(|| rustix::fs::mkdirat(CWD, path, Mode::from_raw_mode(mode)))
}

/// Removes an empty directory.
#[doc(alias = "uv_fs_rmdir")]
pub fn remove_directory(path: &CStr) -> Result<()> {
    call(|| rustix::fs::unlinkat(CWD, path, AtFlags::REMOVEDIR))
}
