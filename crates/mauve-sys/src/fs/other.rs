//! Files on systems without files of their own.

pub(crate) use super::cancellable::{fdatasync, fsync};
pub(crate) use super::copy::{copy_buffered as send, copy_opened as copy_file};
use super::directory::FileType;
pub(crate) use super::mkstemp::mkstemp;
use super::stat::Timespec;
pub(crate) use super::unix::*;

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub(crate) const CANCEL_DISABLE: libc::c_int = 1;

/// Unknown: directories do not have the types of their entries.
///
/// # Safety
/// None, unlike that of other systems.
pub(crate) unsafe fn file_type(_: *const RawEntry) -> FileType {
    FileType::Unknown
}

/// The times of a file, whose fields have the names of POSIX. The types of the fields differ between the
/// systems.
#[allow(clippy::unnecessary_cast)]
pub(crate) fn file_times(found: &rustix::fs::Stat) -> FileTimes {
    let time = |time: libc::timespec| Timespec {
        seconds: time.tv_sec as i64,
        nanoseconds: time.tv_nsec as u32,
    };
    FileTimes {
        accessed: time(found.st_atim),
        modified: time(found.st_mtim),
        changed: time(found.st_ctim),
        created: None,
    }
}
