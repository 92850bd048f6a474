//! Directories: creating, removing and reading them.

use std::ffi::CStr;

use windows_sys::Win32::Foundation::ERROR_INVALID_NAME;

use super::path::{to_c, to_path};
pub use crate::fs::types::{DirEntry, FileType};
use crate::{Errno, Result};

/// Creates a directory. `mode` is not used. `EINVAL` for a name that no file can have.
#[doc(alias = "uv_fs_mkdir")]
pub fn mkdir(path: &CStr, _mode: u32) -> Result<()> {
    std::fs::create_dir(to_path(path)?).map_err(|error| {
        match error.raw_os_error().map(i32::cast_unsigned) {
            Some(ERROR_INVALID_NAME) => Errno::EINVAL,
            _ => error.into(),
        }
    })
}

/// Removes an empty directory.
#[doc(alias = "uv_fs_rmdir")]
pub fn rmdir(path: &CStr) -> Result<()> {
    Ok(std::fs::remove_dir(to_path(path)?)?)
}

/// An open directory. Yields its entries in the order of the file system, without `.` and `..`.
#[doc(alias = "uv_dir_t")]
pub struct Directory(std::fs::ReadDir);

impl Directory {
    /// Opens the directory at `path`. `ENOTDIR` if it is a file.
    #[doc(alias = "uv_fs_opendir")]
    pub fn open(path: &CStr) -> Result<Self> {
        let path = to_path(path)?;
        if std::fs::metadata(&path).is_ok_and(|found| !found.is_dir()) {
            return Err(Errno::ENOTDIR);
        }
        Ok(Self(std::fs::read_dir(path)?))
    }
}

impl Iterator for Directory {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(convert(self.0.next()?))
    }
}

fn convert(entry: std::io::Result<std::fs::DirEntry>) -> Result<DirEntry> {
    let entry = entry?;
    let file_type = match entry.file_type()? {
        kind if kind.is_dir() => FileType::Directory,
        kind if kind.is_symlink() => FileType::Symlink,
        _ => FileType::File,
    };
    Ok(DirEntry { name: to_c(&entry.file_name())?, file_type })
}

/// Reads all entries of the directory at `path`, sorted by the bytes of their names.
#[doc(alias = "uv_fs_scandir")]
pub fn scandir(path: &CStr) -> Result<Vec<DirEntry>> {
    let mut entries = Directory::open(path)?.collect::<Result<Vec<_>>>()?;
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}
