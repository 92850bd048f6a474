//! The times of a file.

use std::ffi::CStr;
use std::os::fd::RawFd;

use rustix::fs::{AtFlags, CWD, Timestamps, UTIME_NOW, UTIME_OMIT};
use rustix::time::Timespec;

use super::stat::Time;
use super::{call, descriptor};
use crate::Result;

/// What becomes of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It becomes the current time.
    Now,
    /// It stays.
    Keep,
    /// It becomes this one.
    Set(Time),
}

impl Change {
    /// libuv's way to say it: seconds with a fraction, infinity for now, no number to keep it.
    pub fn from_seconds(seconds: f64) -> Self {
        if seconds.is_infinite() {
            return Self::Now;
        }
        if seconds.is_nan() {
            return Self::Keep;
        }
        let whole = seconds as i64;
        match ((seconds - whole as f64) * 1e9) as i64 {
            // Nanoseconds count forwards, also before the epoch.
            nanoseconds @ ..0 => Self::Set(Time {
                seconds: whole.saturating_sub(1),
                nanoseconds: (nanoseconds + 1_000_000_000) as u32,
            }),
            // Too many of them are the kernel's to refuse.
            nanoseconds => Self::Set(Time {
                seconds: whole,
                nanoseconds: u32::try_from(nanoseconds).unwrap_or(u32::MAX),
            }),
        }
    }

    fn raw(self) -> Timespec {
        match self {
            Self::Now => Timespec { tv_sec: 0, tv_nsec: UTIME_NOW },
            Self::Keep => Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
            Self::Set(time) => Timespec { tv_sec: time.seconds, tv_nsec: time.nanoseconds.into() },
        }
    }
}

/// The changes of the two times that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// When the file was last read.
    pub accessed: Change,
    /// When its contents changed.
    pub modified: Change,
}

impl Times {
    fn raw(self) -> Timestamps {
        Timestamps { last_access: self.accessed.raw(), last_modification: self.modified.raw() }
    }
}

/// Sets the times of the file at `path`.
#[doc(alias = "uv_fs_utime")]
pub fn set(path: &CStr, times: Times) -> Result<()> {
    call(|| rustix::fs::utimensat(CWD, path, &times.raw(), AtFlags::empty()))
}

/// Sets the times of the file or symbolic link at `path`.
#[doc(alias = "uv_fs_lutime")]
pub fn set_of_link(path: &CStr, times: Times) -> Result<()> {
    call(|| rustix::fs::utimensat(CWD, path, &times.raw(), AtFlags::SYMLINK_NOFOLLOW))
}

/// Sets the times of an open file.
#[doc(alias = "uv_fs_futime")]
pub fn set_of(fd: RawFd, times: Times) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::futimens(fd, &times.raw()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(seconds: i64, nanoseconds: u32) -> Change {
        Change::Set(Time { seconds, nanoseconds })
    }

    #[test]
    fn fractions_count_forwards_on_both_sides_of_the_epoch() {
        assert_eq!(Change::from_seconds(1.5), set(1, 500_000_000));
        assert_eq!(Change::from_seconds(-1.25), set(-2, 750_000_000));
        assert_eq!(Change::from_seconds(-1e-10), set(0, 0));
        assert_eq!(Change::from_seconds(1e-9), set(0, 1));
    }

    #[test]
    fn what_is_no_number_of_seconds_has_a_meaning() {
        assert_eq!(Change::from_seconds(f64::INFINITY), Change::Now);
        assert_eq!(Change::from_seconds(f64::NAN), Change::Keep);
        assert_eq!(Change::from_seconds(1e300), set(i64::MAX, u32::MAX));
    }
}
