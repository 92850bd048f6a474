//! Files on systems other than Linux: `stat` and `statvfs`.

use std::ffi::CStr;
use std::os::fd::{BorrowedFd, OwnedFd};

pub(crate) use libc::{dirent as RawEntry, readdir};
use rustix::fs::{AtFlags, CWD};

use super::call;
use super::stat::{Stat, Timespec};
use super::statfs::StatFs;
use super::system::file_times;
use crate::{Errno, Result};

pub(crate) fn stat(path: &CStr) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::statat(CWD, path, AtFlags::empty()))?))
}

pub(crate) fn lstat(path: &CStr) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW))?))
}

pub(crate) fn fstat(fd: BorrowedFd<'_>) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::fstat(fd))?))
}

pub(crate) use fstat as plain_fstat;

/// The times of a file.
pub(crate) struct FileTimes {
    pub accessed: Timespec,
    pub modified: Timespec,
    pub changed: Timespec,
    /// `None` if the system does not have it.
    pub created: Option<Timespec>,
}

/// The types of the fields differ between the systems.
#[allow(clippy::unnecessary_cast)]
fn convert(found: &rustix::fs::Stat) -> Stat {
    let FileTimes { accessed, modified, changed, created } = file_times(found);
    Stat {
        dev: found.st_dev as u64,
        mode: found.st_mode as u32,
        nlink: found.st_nlink as u64,
        uid: found.st_uid,
        gid: found.st_gid,
        rdev: found.st_rdev as u64,
        ino: found.st_ino as u64,
        size: found.st_size as u64,
        blksize: found.st_blksize as u64,
        blocks: found.st_blocks as u64,
        accessed,
        modified,
        changed,
        // As in libuv.
        created: created.unwrap_or(changed),
    }
}

/// The status of a file system, which has no type.
pub(crate) fn statfs(path: &CStr) -> Result<StatFs> {
    let found = call(|| rustix::fs::statvfs(path))?;
    Ok(StatFs {
        kind: 0,
        block_size: found.f_bsize,
        blocks: found.f_blocks,
        free_blocks: found.f_bfree,
        available_blocks: found.f_bavail,
        files: found.f_files,
        free_files: found.f_ffree,
        fragment_size: found.f_frsize,
    })
}

/// Files cannot share blocks.
pub(crate) fn clone(_to: &OwnedFd, _from: &OwnedFd) -> Result<()> {
    Err(Errno::ENOSYS)
}
