//! File status on systems other than Linux: `stat`.

use std::ffi::CStr;
use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, CWD};

use crate::Result;
use crate::fs::call;
use crate::fs::stat::{Stat, Timespec};
use crate::platform::file_times::file_times;

pub(crate) fn stat(path: &CStr) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::statat(CWD, path, AtFlags::empty()))?))
}

pub(crate) fn lstat(path: &CStr) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW))?))
}

pub(crate) fn fstat(fd: BorrowedFd<'_>) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::fstat(fd))?))
}

/// The times of the last access and of the last change of the contents.
pub(crate) fn times(found: &rustix::fs::Stat) -> [Timespec; 2] {
    let FileTimes { accessed, modified, .. } = file_times(found);
    [accessed, modified]
}

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
