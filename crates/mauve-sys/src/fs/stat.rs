//! File status: `stat`, `lstat`, `fstat`.

use std::ffi::CStr;

use super::{descriptor, system};
use crate::Result;
use crate::descriptor::RawDescriptor;

/// A point in time, relative to the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timespec {
    /// Seconds; negative before the epoch.
    pub seconds: i64,
    /// Nanoseconds after these seconds.
    pub nanoseconds: u32,
}

impl Timespec {
    const EPOCH: Self = Self { seconds: 0, nanoseconds: 0 };
}

/// The status of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_stat_t")]
#[non_exhaustive]
pub struct Stat {
    /// The id of the device that contains the file.
    pub dev: u64,
    /// The file type and permissions.
    pub mode: u32,
    /// The number of hard links.
    pub nlink: u64,
    /// The user id of the owner.
    pub uid: u32,
    /// The group id of the owner.
    pub gid: u32,
    /// The device id, if the file is a device.
    pub rdev: u64,
    /// The inode number.
    pub ino: u64,
    /// The size in bytes.
    pub size: u64,
    /// The preferred block size for I/O.
    pub blksize: u64,
    /// The number of allocated blocks of 512 bytes.
    pub blocks: u64,
    /// The time of the last access.
    pub accessed: Timespec,
    /// The time of the last change of the contents.
    pub modified: Timespec,
    /// The time of the last change of the status.
    pub changed: Timespec,
    /// The time of creation; the epoch if the file system does not record it.
    pub created: Timespec,
}

impl Stat {
    /// A status of zeros, for a file that does not exist.
    pub const NONE: Self = Self {
        dev: 0,
        mode: 0,
        nlink: 0,
        uid: 0,
        gid: 0,
        rdev: 0,
        ino: 0,
        size: 0,
        blksize: 0,
        blocks: 0,
        accessed: Timespec::EPOCH,
        modified: Timespec::EPOCH,
        changed: Timespec::EPOCH,
        created: Timespec::EPOCH,
    };
}

/// The status of the file at `path`.
#[doc(alias = "uv_fs_stat")]
pub fn stat(path: &CStr) -> Result<Stat> {
    system::stat(path)
}

/// The status of the file at `path`. Does not follow a symbolic link.
#[doc(alias = "uv_fs_lstat")]
pub fn lstat(path: &CStr) -> Result<Stat> {
    system::lstat(path)
}

/// The status of an open file.
#[doc(alias = "uv_fs_fstat")]
pub fn fstat(fd: RawDescriptor) -> Result<Stat> {
    system::fstat(descriptor(&fd)?)
}
