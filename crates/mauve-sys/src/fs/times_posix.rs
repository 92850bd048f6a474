//! The times of files on systems whose fields have the names of POSIX.

use crate::fs::stat::Timespec;
use crate::platform::stat::FileTimes;

/// The types of the fields differ between the systems.
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
