//! Setting the times of a file: `utime`, `futime`, `lutime`.

use std::ffi::{CStr, c_int};
use std::os::fd::RawFd;

use libc::timespec;

use super::check;
use super::stat::Timespec;
use crate::Result;

/// A change of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeChange {
    /// Set to the current time (`UTIME_NOW`).
    Now,
    /// Do not change (`UTIME_OMIT`).
    Omit,
    /// Set to this time.
    Set(Timespec),
}

impl TimeChange {
    /// Converts libuv's representation: seconds with a fraction, infinity for now, NaN to omit.
    pub fn from_seconds(seconds: f64) -> Self {
        if seconds.is_infinite() {
            return Self::Now;
        }
        if seconds.is_nan() {
            return Self::Omit;
        }
        let whole = seconds as i64;
        match ((seconds - whole as f64) * 1e9) as i64 {
            // Nanoseconds are positive, also before the epoch.
            nanoseconds @ ..0 => Self::Set(Timespec {
                seconds: whole.saturating_sub(1),
                nanoseconds: (nanoseconds + 1_000_000_000) as u32,
            }),
            // The kernel rejects values that are too large.
            nanoseconds => Self::Set(Timespec {
                seconds: whole,
                nanoseconds: u32::try_from(nanoseconds).unwrap_or(u32::MAX),
            }),
        }
    }

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

/// The changes of the access time and the modification time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTimes {
    /// The time of the last access.
    pub accessed: TimeChange,
    /// The time of the last change of the contents.
    pub modified: TimeChange,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn set(seconds: i64, nanoseconds: u32) -> TimeChange {
        TimeChange::Set(Timespec { seconds, nanoseconds })
    }

    #[test]
    fn nanoseconds_are_positive_before_and_after_the_epoch() {
        assert_eq!(TimeChange::from_seconds(1.5), set(1, 500_000_000));
        assert_eq!(TimeChange::from_seconds(-1.25), set(-2, 750_000_000));
        assert_eq!(TimeChange::from_seconds(-1e-10), set(0, 0));
        assert_eq!(TimeChange::from_seconds(1e-9), set(0, 1));
    }

    #[test]
    fn infinity_means_now_and_nan_means_omit() {
        assert_eq!(TimeChange::from_seconds(f64::INFINITY), TimeChange::Now);
        assert_eq!(TimeChange::from_seconds(f64::NAN), TimeChange::Omit);
        assert_eq!(TimeChange::from_seconds(1e300), set(i64::MAX, u32::MAX));
    }
}
