//! Setting the times of a file.

use std::ffi::CStr;
use std::os::windows::io::AsRawHandle as _;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_OPEN_REPARSE_POINT, FILE_WRITE_ATTRIBUTES, SetFileTime,
};

use super::OpenMode;
use crate::clock::{self, Clock, UNIX_EPOCH};
use crate::descriptor::{RawDescriptor, handle};
use crate::fs::stat::Timespec;
pub use crate::fs::types::{FileTimes, TimeChange};
use crate::{Errno, Result};

impl TimeChange {
    /// The time for the system call; `None` if it does not change. `EINVAL` if the system cannot represent it.
    fn raw(self) -> Result<Option<FILETIME>> {
        let time = match self {
            Self::Omit => return Ok(None),
            Self::Set(time) => time,
            Self::Now => {
                let (seconds, nanoseconds) = clock::now(Clock::Realtime);
                Timespec { seconds, nanoseconds }
            }
        };
        let units = time.seconds.checked_mul(10_000_000);
        let units = units.and_then(|units| units.checked_add(i64::from(time.nanoseconds / 100)));
        let units = units.and_then(|units| units.checked_add(UNIX_EPOCH));
        let units = units.and_then(|units| u64::try_from(units).ok()).ok_or(Errno::EINVAL)?;
        Ok(Some(FILETIME { dwLowDateTime: units as u32, dwHighDateTime: (units >> 32) as u32 }))
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
    set_times(path, times, FILE_FLAG_OPEN_REPARSE_POINT)
}

fn set_times(path: &CStr, times: FileTimes, flags: u32) -> Result<()> {
    let file = OpenMode::existing(FILE_WRITE_ATTRIBUTES, flags).open(path)?;
    futime(file.as_raw_handle() as RawDescriptor, times)
}

/// Sets the times of an open file.
#[doc(alias = "uv_fs_futime")]
pub fn futime(fd: RawDescriptor, times: FileTimes) -> Result<()> {
    let (accessed, modified) = (times.accessed.raw()?, times.modified.raw()?);
    let pointer = |time: &Option<FILETIME>| time.as_ref().map_or(std::ptr::null(), |time| time);
    let (accessed, modified) = (pointer(&accessed), pointer(&modified));
    // SAFETY: the times are null or local variables. The call fails if the number is not an open handle.
    match unsafe { SetFileTime(handle(fd), std::ptr::null(), accessed, modified) } {
        0 => Err(Errno::last()),
        _ => Ok(()),
    }
}
