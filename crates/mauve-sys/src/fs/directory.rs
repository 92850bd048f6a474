//! The entries of directories.

use std::ffi::{CStr, CString};

use rustix::fs::{Dir, FileType, OFlags};

use super::open::open_with;
use crate::Result;

/// What kind of file an entry is, as far as the directory tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A device that is read byte by byte.
    CharacterDevice,
    /// A device that is read block by block.
    BlockDevice,
    /// The directory does not tell.
    Unknown,
}

/// A name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name alone, without the directory's path.
    pub name: CString,
    /// What it is the name of.
    pub kind: Kind,
}

/// A directory that is being read. Yields its entries in the order of the file system, without
/// the two that every directory has.
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
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.0.read()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error.into())),
            };
            let name = entry.file_name();
            if name != c"." && name != c".." {
                return Some(Ok(Entry { name: name.to_owned(), kind: kind(entry.file_type()) }));
            }
        }
    }
}

/// All entries of the directory at `path`, sorted by the bytes of their names.
#[doc(alias = "uv_fs_scandir")]
pub fn list(path: &CStr) -> Result<Vec<Entry>> {
    let mut entries = Directory::open(path)?.collect::<Result<Vec<_>>>()?;
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn kind(found: FileType) -> Kind {
    match found {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        FileType::Fifo => Kind::Pipe,
        FileType::Socket => Kind::Socket,
        FileType::CharacterDevice => Kind::CharacterDevice,
        FileType::BlockDevice => Kind::BlockDevice,
        FileType::Unknown => Kind::Unknown,
    }
}
