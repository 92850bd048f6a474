//! Directories: creating, removing and reading them.

use std::ffi::{CStr, CString};

use rustix::fs::{Dir, OFlags};

use super::check;
use super::open::open_with;
use crate::Result;

/// Creates a directory.
#[doc(alias = "uv_fs_mkdir")]
pub fn mkdir(path: &CStr, mode: u32) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::mkdir(path.as_ptr(), mode as libc::mode_t) })
}

/// Removes an empty directory.
#[doc(alias = "uv_fs_rmdir")]
pub fn rmdir(path: &CStr) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::rmdir(path.as_ptr()) })
}

/// The type of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_dirent_type_t")]
pub enum FileType {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A character device.
    CharacterDevice,
    /// A block device.
    BlockDevice,
    /// The file system does not report the type.
    Unknown,
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "uv_dirent_t")]
#[non_exhaustive]
pub struct DirEntry {
    /// The file name, without the path of the directory.
    pub name: CString,
    /// The type of the file.
    pub file_type: FileType,
}

/// An open directory. Yields its entries in the order of the file system, without `.` and `..`.
#[doc(alias = "uv_dir_t")]
pub struct Directory(Dir);

impl Directory {
    /// Opens the directory at `path`.
    #[doc(alias = "uv_fs_opendir")]
    pub fn open(path: &CStr) -> Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NONBLOCK;
        Ok(Self(Dir::new(open_with(path, flags, 0)?)?))
    }
}

impl Iterator for Directory {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.0.read()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let name = entry.file_name();
            if name != c"." && name != c".." {
                let file_type = convert(super::system::file_type(&entry));
                return Some(Ok(DirEntry { name: name.to_owned(), file_type }));
            }
        }
    }
}

/// Reads all entries of the directory at `path`, sorted by the bytes of their names.
#[doc(alias = "uv_fs_scandir")]
pub fn scandir(path: &CStr) -> Result<Vec<DirEntry>> {
    let mut entries = Directory::open(path)?.collect::<Result<Vec<_>>>()?;
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn convert(file_type: rustix::fs::FileType) -> FileType {
    match file_type {
        rustix::fs::FileType::RegularFile => FileType::File,
        rustix::fs::FileType::Directory => FileType::Directory,
        rustix::fs::FileType::Symlink => FileType::Symlink,
        rustix::fs::FileType::Fifo => FileType::Fifo,
        rustix::fs::FileType::Socket => FileType::Socket,
        rustix::fs::FileType::CharacterDevice => FileType::CharacterDevice,
        rustix::fs::FileType::BlockDevice => FileType::BlockDevice,
        rustix::fs::FileType::Unknown => FileType::Unknown,
    }
}
