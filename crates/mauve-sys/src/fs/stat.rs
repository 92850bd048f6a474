//! What the system knows about a file.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, RawFd};

use rustix::fs::{AtFlags, CWD, Statx, StatxFlags, makedev};
use rustix::io::Errno as SystemError;

use super::{call, descriptor};
use crate::Result;

/// A point in time, since the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Seconds; negative before the epoch.
    pub seconds: i64,
    /// Nanoseconds on top of them.
    pub nanoseconds: u32,
}

impl Time {
    const EPOCH: Self = Self { seconds: 0, nanoseconds: 0 };
}

/// What the system knows about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_stat_t")]
pub struct Stat {
    /// The device it is on.
    pub device: u64,
    /// Its kind and its permissions.
    pub mode: u32,
    /// How many names it has.
    pub links: u64,
    /// Whose it is.
    pub uid: u32,
    /// The group it belongs to.
    pub gid: u32,
    /// Which device it is, if it is one.
    pub special_device: u64,
    /// Its number on its device.
    pub inode: u64,
    /// How many bytes it has.
    pub size: u64,
    /// In what sizes it is best read.
    pub block_size: u64,
    /// How many units of 512 bytes it takes.
    pub blocks: u64,
    /// When it was last read.
    pub accessed: Time,
    /// When its contents changed.
    pub modified: Time,
    /// When anything about it changed.
    pub changed: Time,
    /// When it was made; the epoch if the file system does not know.
    pub created: Time,
}

impl Stat {
    /// Nothing at all, where something has to be passed.
    pub const NONE: Self = Self {
        device: 0,
        mode: 0,
        links: 0,
        uid: 0,
        gid: 0,
        special_device: 0,
        inode: 0,
        size: 0,
        block_size: 0,
        blocks: 0,
        accessed: Time::EPOCH,
        modified: Time::EPOCH,
        changed: Time::EPOCH,
        created: Time::EPOCH,
    };
}

/// About the file at `path`.
#[doc(alias = "uv_fs_stat")]
pub fn stat(path: &CStr) -> Result<Stat> {
    ask(CWD, path, AtFlags::empty())
}

/// About the file or symbolic link at `path`.
#[doc(alias = "uv_fs_lstat")]
pub fn stat_link(path: &CStr) -> Result<Stat> {
    ask(CWD, path, AtFlags::SYMLINK_NOFOLLOW)
}

/// About an open file.
#[doc(alias = "uv_fs_fstat")]
pub fn stat_descriptor(fd: RawFd) -> Result<Stat> {
    ask(descriptor(&fd)?, c"", AtFlags::EMPTY_PATH)
}

fn ask(directory: BorrowedFd<'_>, path: &CStr, flags: AtFlags) -> Result<Stat> {
    let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    match rustix::fs::statx(directory, path, flags, mask) {
        Ok(found) => Ok(from_statx(&found)),
        // Old kernels and some sandboxes know only the call without a time of creation.
        Err(SystemError::NOSYS | SystemError::PERM) => {
            Ok(from_stat(&call(|| rustix::fs::statat(directory, path, flags))?))
        }
        Err(error) => Err(error.into()),
    }
}

pub(super) fn from_statx(found: &Statx) -> Stat {
    let time =
        |time: rustix::fs::StatxTimestamp| Time { seconds: time.tv_sec, nanoseconds: time.tv_nsec };
    let created = found.stx_mask & StatxFlags::BTIME.bits() != 0;
    Stat {
        device: makedev(found.stx_dev_major, found.stx_dev_minor),
        mode: found.stx_mode.into(),
        links: found.stx_nlink.into(),
        uid: found.stx_uid,
        gid: found.stx_gid,
        special_device: makedev(found.stx_rdev_major, found.stx_rdev_minor),
        inode: found.stx_ino,
        size: found.stx_size,
        block_size: found.stx_blksize.into(),
        blocks: found.stx_blocks,
        accessed: time(found.stx_atime),
        modified: time(found.stx_mtime),
        changed: time(found.stx_ctime),
        created: if created { time(found.stx_btime) } else { Time::default() },
    }
}

/// The count of names, which is narrower on some machines.
fn links(count: impl Into<u64>) -> u64 {
    count.into()
}

fn from_stat(found: &rustix::fs::Stat) -> Stat {
    let time = |seconds, nanoseconds| Time { seconds, nanoseconds: nanoseconds as u32 };
    Stat {
        device: found.st_dev,
        mode: found.st_mode,
        links: links(found.st_nlink),
        uid: found.st_uid,
        gid: found.st_gid,
        special_device: found.st_rdev,
        inode: found.st_ino,
        size: found.st_size as u64,
        block_size: found.st_blksize as u64,
        blocks: found.st_blocks as u64,
        accessed: time(found.st_atime, found.st_atime_nsec),
        modified: time(found.st_mtime, found.st_mtime_nsec),
        changed: time(found.st_ctime, found.st_ctime_nsec),
        created: Time::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_calls_tell_the_same() {
        let asked = stat(c"/").unwrap();
        let plain = from_stat(&rustix::fs::stat(c"/").unwrap());
        assert_eq!(Stat { created: Time::default(), accessed: plain.accessed, ..asked }, plain);
        assert_eq!(stat_descriptor(-1), Err(crate::Errno::EBADF));
    }
}
