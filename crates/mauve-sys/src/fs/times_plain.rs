//! The times of files on DragonFly BSD, illumos and Solaris.

use super::unix::FileTimes;
use crate::fs::stat::Timespec;

/// The types of the fields differ between the systems.
#[allow(clippy::unnecessary_cast)]
pub(crate) fn file_times(found: &rustix::fs::Stat) -> FileTimes {
    FileTimes {
        accessed: time(found.st_atime as i64, found.st_atime_nsec as i64),
        modified: time(found.st_mtime as i64, found.st_mtime_nsec as i64),
        changed: time(found.st_ctime as i64, found.st_ctime_nsec as i64),
        created: None,
    }
}

pub(crate) fn time(seconds: i64, nanoseconds: i64) -> Timespec {
    Timespec { seconds, nanoseconds: nanoseconds as u32 }
}
