//! Setting the times of a file: `utime`, `futime`, `lutime`.

use std::ffi::{CStr, c_int};
use std::os::fd::RawFd;

use libc::timespec;

use super::check;
pub use super::types::{FileTimes, TimeChange};
use crate::Result;

impl TimeChange {
    #[allow(clippy::unnecessary_cast)] // The numbers have different types on other systems.
    fn raw(self) -> timespec {
        let (seconds, nanoseconds) = match self {
            Self::Now => (0, libc::UTIME_NOW as i64),
            Self::Omit => (0, libc::UTIME_OMIT as i64),
            Self::Set(time) => (time.seconds, time.nanoseconds.into()),
        };
        // SAFETY: a struct of numbers, some of which only fill gaps on some systems.
        let mut raw: timespec = unsafe { std::mem::zeroed() };
        raw.tv_sec = seconds as _;
        raw.tv_nsec = nanoseconds as _;
        raw
    }
}

impl FileTimes {
    pub(super) fn raw(self) -> [timespec; 2] {
        [self.accessed.raw(), self.modified.raw()]
    }
}

/// Sets the times of the file at `path`.
#[doc(alias = "uv_fs_utime")]
pub fn utime(path: &CStr, times: FileTimes) -> Result<()> {
    set_times(path, times, 0)
}

/// Sets the times of the file at `path`. Does not follow a symbolic link.
#[doc(alias = "uv_fs_lutime")]
pub fn lutime(path: &CStr, times: FileTimes) -> Result<()> {
    set_times(path, times, libc::AT_SYMLINK_NOFOLLOW)
}

fn set_times(path: &CStr, times: FileTimes, flags: c_int) -> Result<()> {
    let times = times.raw();
    // SAFETY: `path` is a C string and `times` has two elements; both outlive the call.
    check(|| unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) })
}

/// Sets the times of an open file.
#[doc(alias = "uv_fs_futime")]
pub fn futime(fd: RawFd, times: FileTimes) -> Result<()> {
    let times = times.raw();
    // SAFETY: `times` has two elements. The call fails if the number is not an open descriptor.
    check(|| unsafe { libc::futimens(fd, times.as_ptr()) })
}
