//! The times of files on macOS, FreeBSD, NetBSD and OpenBSD, which have birth times.

use super::times_plain::{self, time};
use super::unix::FileTimes;

/// The types of the fields differ between the systems.
#[allow(clippy::unnecessary_cast)]
pub(crate) fn file_times(found: &rustix::fs::Stat) -> FileTimes {
    let created = time(found.st_birthtime as i64, found.st_birthtime_nsec as i64);
    FileTimes { created: Some(created), ..times_plain::file_times(found) }
}
