//! The types of the operations, which all systems share.

use std::ffi::CString;

use super::stat::Timespec;

/// Whether a copy shares its blocks with the original (copy on write, `FICLONE`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reflink {
    /// The copy shares no blocks.
    Never,
    /// The copy shares blocks if the file system supports it.
    Auto,
    /// The copy fails if the file system cannot share blocks.
    Always,
}

/// What a symbolic link leads to, which has a meaning on Windows only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// A link to a file, or to what does not exist.
    File,
    /// A link to a directory.
    Directory,
    /// A junction, which any user may create, to a directory with an absolute path.
    Junction,
}

/// The type of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_dirent_type_t")]
pub enum FileType {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A character device.
    CharacterDevice,
    /// A block device.
    BlockDevice,
    /// The file system does not report the type.
    Unknown,
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "uv_dirent_t")]
#[non_exhaustive]
pub struct DirEntry {
    /// The file name, without the path of the directory.
    pub name: CString,
    /// The type of the file.
    pub file_type: FileType,
}

/// The owner of a file. `u32::MAX` means unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
}

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
}

/// The changes of the access time and the modification time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTimes {
    /// The time of the last access.
    pub accessed: TimeChange,
    /// The time of the last change of the contents.
    pub modified: TimeChange,
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
