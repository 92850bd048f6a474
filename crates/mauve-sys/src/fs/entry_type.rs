//! The types of directory entries.

use super::directory::FileType;
use super::system::RawEntry;

/// The type of an entry, as far as the directory has it.
///
/// # Safety
/// The entry is valid. It may be shorter than its type.
pub unsafe fn file_type(entry: *const RawEntry) -> FileType {
    // SAFETY: promised by the caller.
    match unsafe { (*entry).d_type } {
        libc::DT_REG => FileType::File,
        libc::DT_DIR => FileType::Directory,
        libc::DT_LNK => FileType::Symlink,
        libc::DT_FIFO => FileType::Fifo,
        libc::DT_SOCK => FileType::Socket,
        libc::DT_CHR => FileType::CharacterDevice,
        libc::DT_BLK => FileType::BlockDevice,
        _ => FileType::Unknown,
    }
}
