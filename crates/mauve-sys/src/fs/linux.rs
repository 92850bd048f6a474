//! Files on Linux: `statx`, `statfs`, `FICLONE`, `copy_file_range` and `sendfile`.

use std::ffi::CStr;
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};

pub(crate) use libc::dirent64 as RawEntry;
use rustix::fs::{AtFlags, CWD, Statx, StatxFlags, makedev};

pub(crate) use super::cancellable::{fdatasync, fsync};
pub(crate) use super::copy::copy_opened as copy_file;
use super::copy::{copy_buffered, is_unsupported};
pub(crate) use super::entry_type::file_type;
pub(crate) use super::mkostemp::mkstemp;
use super::stat::{Stat, Timespec};
use super::statfs::StatFs;
use super::{call, check};
use crate::{Errno, Result};

unsafe extern "C" {
    /// `readdir`, with the name that libuv calls with glibc.
    #[cfg_attr(target_env = "gnu", link_name = "readdir64")]
    pub(crate) fn readdir(directory: *mut libc::DIR) -> *mut RawEntry;
}

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub(crate) const CANCEL_DISABLE: libc::c_int = 1;

pub(crate) fn stat(path: &CStr) -> Result<Stat> {
    statx(CWD, path, AtFlags::empty())
}

pub(crate) fn lstat(path: &CStr) -> Result<Stat> {
    statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW)
}

pub(crate) fn fstat(fd: BorrowedFd<'_>) -> Result<Stat> {
    statx(fd, c"", AtFlags::EMPTY_PATH)
}

fn statx(directory: BorrowedFd<'_>, path: &CStr, flags: AtFlags) -> Result<Stat> {
    let mask = StatxFlags::BASIC_STATS | StatxFlags::BTIME;
    match call(|| rustix::fs::statx(directory, path, flags, mask)) {
        Ok(found) => Ok(from_statx(&found)),
        // Old kernels, some sandboxes and some file systems do not allow `statx`, or a part of it.
        Err(Errno::ENOSYS | Errno::EPERM | Errno::EINVAL | Errno::ENOTSUP) => {
            let (directory, flags) = (directory.as_raw_fd(), flags.bits() as libc::c_int);
            plain(|found| {
                // SAFETY: `path` is a C string, and `found` is writable.
                unsafe { libc::fstatat64(directory, path.as_ptr(), found, flags) }
            })
        }
        Err(error) => Err(error),
    }
}

/// `fstat` without the time of creation.
pub(crate) fn plain_fstat(fd: BorrowedFd<'_>) -> Result<Stat> {
    // SAFETY: `found` is writable.
    plain(|found| unsafe { libc::fstat64(fd.as_raw_fd(), found) })
}

fn plain(call: impl Fn(*mut libc::stat64) -> libc::c_int) -> Result<Stat> {
    let mut found = std::mem::MaybeUninit::<libc::stat64>::zeroed();
    let target = found.as_mut_ptr();
    check(|| call(target))?;
    // SAFETY: all bytes are initialised, and the struct consists of numbers.
    Ok(from_stat(unsafe { found.assume_init_ref() }))
}

pub(crate) fn from_statx(found: &Statx) -> Stat {
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

fn from_stat(found: &libc::stat64) -> Stat {
    let time = |seconds, nanoseconds: i64| Timespec { seconds, nanoseconds: nanoseconds as u32 };
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

#[allow(clippy::unnecessary_cast)] // The types differ between the C libraries.
pub(crate) fn statfs(path: &CStr) -> Result<StatFs> {
    let mut found = std::mem::MaybeUninit::<libc::statfs64>::uninit();
    let (path, target) = (path.as_ptr(), found.as_mut_ptr());
    // SAFETY: `path` is a C string, and the call writes the struct.
    check(|| unsafe { libc::statfs64(path, target) })?;
    // SAFETY: the call has succeeded.
    let found = unsafe { found.assume_init() };
    Ok(StatFs {
        kind: found.f_type as u64,
        block_size: found.f_bsize as u64,
        blocks: found.f_blocks,
        free_blocks: found.f_bfree,
        available_blocks: found.f_bavail,
        files: found.f_files,
        free_files: found.f_ffree,
        fragment_size: found.f_frsize as u64,
    })
}

/// Makes `to` share the blocks of `from`.
pub(crate) fn clone(to: &OwnedFd, from: &OwnedFd) -> Result<()> {
    call(|| rustix::fs::ioctl_ficlone(to, from))
}

/// Copies up to `length` bytes from `offset` on.
pub(crate) fn send(
    to: BorrowedFd<'_>,
    from: BorrowedFd<'_>,
    offset: i64,
    length: usize,
) -> Result<usize> {
    let mut at = offset as u64;
    match call(|| rustix::fs::copy_file_range(from, Some(&mut at), to, None, length)) {
        // Files of procfs and sysfs copy nothing this way.
        Ok(0) if length > 0 => {}
        // Not supported for these files, or by this kernel.
        Err(error) if is_unsupported(error) => {}
        result => return result,
    }
    if offset < 0 || length == 0 {
        // The result is that of `pread`, as in libuv.
        return copy_buffered(to, from, offset, length);
    }
    let mut at = offset;
    // SAFETY: the descriptors are borrowed, and the offset outlives the call.
    let sent = unsafe { libc::sendfile64(to.as_raw_fd(), from.as_raw_fd(), &raw mut at, length) };
    match usize::try_from(sent).map_err(|_| Errno::last()) {
        Err(Errno::EINTR) => send(to, from, offset, length),
        Err(error) if is_unsupported(error) => copy_buffered(to, from, offset, length),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd as _;

    use super::*;

    #[test]
    fn statx_and_stat_return_the_same() {
        // A relative path: qemu-user lets `stat`, but not `statx`, look for others in its own folder.
        let extended = stat(c".").unwrap();
        let plain = plain_fstat(std::fs::File::open(".").unwrap().as_fd()).unwrap();
        assert_eq!(Stat { created: plain.changed, accessed: plain.accessed, ..extended }, plain);
        assert_eq!(crate::fs::stat::fstat(-1), Err(crate::Errno::EBADF));
    }
}
