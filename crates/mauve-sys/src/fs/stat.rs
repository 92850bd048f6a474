//! File status: `stat`, `lstat`, `fstat`.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, RawFd};

use rustix::fs::{AtFlags, CWD, Statx, StatxFlags, makedev};
use rustix::io::Errno as SystemError;

use super::{call, descriptor};
use crate::Result;

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
    statx(CWD, path, AtFlags::empty())
}

/// The status of the file at `path`. Does not follow a symbolic link.
#[doc(alias = "uv_fs_lstat")]
pub fn lstat(path: &CStr) -> Result<Stat> {
    statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW)
}

/// The status of an open file.
#[doc(alias = "uv_fs_fstat")]
pub fn fstat(fd: RawFd) -> Result<Stat> {
    statx(descriptor(&fd)?, c"", AtFlags::EMPTY_PATH)
}

fn statx(directory: BorrowedFd<'_>, path: &CStr, flags: AtFlags) -> Result<Stat> {
    let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    match rustix::fs::statx(directory, path, flags, mask) {
        Ok(found) => Ok(from_statx(&found)),
        // Old kernels and some sandboxes do not allow `statx`.
        Err(SystemError::NOSYS | SystemError::PERM) => {
            Ok(from_stat(&call(|| rustix::fs::statat(directory, path, flags))?))
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) fn from_statx(found: &Statx) -> Stat {
    let time = |time: rustix::fs::StatxTimestamp| Timespec {
        seconds: time.tv_sec,
        nanoseconds: time.tv_nsec,
    };
    let created = found.stx_mask & StatxFlags::BTIME.bits() != 0;
    Stat {
        dev: makedev(found.stx_dev_major, found.stx_dev_minor),
        mode: found.stx_mode.into(),
        nlink: found.stx_nlink.into(),
        uid: found.stx_uid,
        gid: found.stx_gid,
        rdev: makedev(found.stx_rdev_major, found.stx_rdev_minor),
        ino: found.stx_ino,
        size: found.stx_size,
        blksize: found.stx_blksize.into(),
        blocks: found.stx_blocks,
        accessed: time(found.stx_atime),
        modified: time(found.stx_mtime),
        changed: time(found.stx_ctime),
        created: if created { time(found.stx_btime) } else { Timespec::default() },
    }
}

/// Widens the link count, which has fewer bits on some architectures.
fn links(count: impl Into<u64>) -> u64 {
    count.into()
}

fn from_stat(found: &rustix::fs::Stat) -> Stat {
    let time = |seconds, nanoseconds| Timespec { seconds, nanoseconds: nanoseconds as u32 };
    Stat {
        dev: found.st_dev,
        mode: found.st_mode,
        nlink: links(found.st_nlink),
        uid: found.st_uid,
        gid: found.st_gid,
        rdev: found.st_rdev,
        ino: found.st_ino,
        size: found.st_size as u64,
        blksize: found.st_blksize as u64,
        blocks: found.st_blocks as u64,
        accessed: time(found.st_atime, found.st_atime_nsec),
        modified: time(found.st_mtime, found.st_mtime_nsec),
        changed: time(found.st_ctime, found.st_ctime_nsec),
        // Unknown. As in libuv.
        created: time(found.st_ctime, found.st_ctime_nsec),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statx_and_stat_return_the_same() {
        let extended = stat(c"/").unwrap();
        let plain = from_stat(&rustix::fs::stat(c"/").unwrap());
        assert_eq!(Stat { created: plain.changed, accessed: plain.accessed, ..extended }, plain);
        assert_eq!(fstat(-1), Err(crate::Errno::EBADF));
    }
}
