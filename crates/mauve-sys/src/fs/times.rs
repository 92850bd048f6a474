//! Setting the times of a file: `utime`, `futime`, `lutime`.

use std::ffi::CStr;
use std::os::fd::RawFd;

use rustix::fs::{AtFlags, CWD, Timestamps, UTIME_NOW, UTIME_OMIT};
use rustix::time::Timespec as RawTimespec;

use super::stat::Timespec;
use super::{call, descriptor};
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

    fn raw(self) -> RawTimespec {
        match self {
            Self::Now => RawTimespec { tv_sec: 0, tv_nsec: UTIME_NOW },
            Self::Omit => RawTimespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
            Self::Set(time) => {
                RawTimespec { tv_sec: time.seconds, tv_nsec: time.nanoseconds.into() }
            }
        }
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
    fn raw(self) -> Timestamps {
        Timestamps { last_access: self.accessed.raw(), last_modification: self.modified.raw() }
    }
}

/// Sets the times of the file at `path`.
#[doc(alias = "uv_fs_utime")]
pub fn utime(path: &CStr, times: FileTimes) -> Result<()> {
    call(|| rustix::fs::utimensat(CWD, path, &times.raw(), AtFlags::empty()))
}

/// Sets the times of the file at `path`. Does not follow a symbolic link.
#[doc(alias = "uv_fs_lutime")]
pub fn lutime(path: &CStr, times: FileTimes) -> Result<()> {
    call(|| rustix::fs::utimensat(CWD, path, &times.raw(), AtFlags::SYMLINK_NOFOLLOW))
}

/// Sets the times of an open file.
#[doc(alias = "uv_fs_futime")]
pub fn futime(fd: RawFd, times: FileTimes) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::futimens(fd, &times.raw()))
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
