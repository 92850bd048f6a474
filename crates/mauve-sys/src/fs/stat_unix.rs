//! File status on systems other than Linux: `stat`.

use std::ffi::CStr;
use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, CWD};

use super::birth_time::birth_time;
use crate::Result;
use crate::fs::call;
use crate::fs::stat::{Stat, Timespec};

pub(crate) fn stat(path: &CStr) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::statat(CWD, path, AtFlags::empty()))?))
}

pub(crate) fn lstat(path: &CStr) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW))?))
}

pub(crate) fn fstat(fd: BorrowedFd<'_>) -> Result<Stat> {
    Ok(convert(&call(|| rustix::fs::fstat(fd))?))
}

/// The types of the fields differ between the systems.
#[allow(clippy::unnecessary_cast)]
fn convert(found: &rustix::fs::Stat) -> Stat {
    let time =
        |seconds: i64, nanoseconds: i64| Timespec { seconds, nanoseconds: nanoseconds as u32 };
    let changed = time(found.st_ctime as i64, found.st_ctime_nsec as i64);
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
        accessed: time(found.st_atime as i64, found.st_atime_nsec as i64),
        modified: time(found.st_mtime as i64, found.st_mtime_nsec as i64),
        changed,
        // Unknown on some systems. As in libuv.
        created: birth_time(found).map_or(changed, |(seconds, nanos)| time(seconds, nanos)),
    }
}
