//! Directories: creating, removing and reading them.

use std::ffi::CStr;
use std::ptr::NonNull;

pub use super::types::{DirEntry, FileType};
use super::{check, system};
use crate::faults::{self, Call};
use crate::{Errno, Result, errno};

/// Creates a directory.
#[doc(alias = "uv_fs_mkdir")]
pub fn mkdir(path: &CStr, mode: u32) -> Result<()> {
    faults::check(Call::Create)?;
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::mkdir(path.as_ptr(), mode as libc::mode_t) })
}

/// Removes an empty directory.
#[doc(alias = "uv_fs_rmdir")]
pub fn rmdir(path: &CStr) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::rmdir(path.as_ptr()) })
}

/// An open directory. Yields its entries in the order of the file system, without `.` and `..`.
#[doc(alias = "uv_dir_t")]
pub struct Directory(NonNull<libc::DIR>);

// SAFETY: functions on an open directory may be called by any thread, one at a time.
unsafe impl Send for Directory {}

impl Directory {
    /// Opens the directory at `path`.
    #[doc(alias = "uv_fs_opendir")]
    pub fn open(path: &CStr) -> Result<Self> {
        faults::check(Call::Open)?;
        loop {
            // SAFETY: `path` is a C string that outlives the call.
            let opened = unsafe { libc::opendir(path.as_ptr()) };
            match NonNull::new(opened).ok_or_else(Errno::last) {
                Err(Errno::EINTR) => {}
                result => return result.map(Self),
            }
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // SAFETY: it is open, and not used afterwards.
        unsafe { libc::closedir(self.0.as_ptr()) };
    }
}

impl Iterator for Directory {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            // SAFETY: `location` returns the valid address of the thread's errno.
            unsafe { *errno::location() = 0 };
            // SAFETY: the directory is open.
            let entry = unsafe { system::readdir(self.0.as_ptr()) };
            if entry.is_null() {
                match Errno::last() {
                    Errno::EINTR => continue,
                    error => return (error.raw() != 0).then_some(Err(error)),
                }
            }
            // SAFETY: the entry and its name, which ends with a zero, are valid until the next call.
            let (name, file_type) = unsafe {
                (CStr::from_ptr((&raw const (*entry).d_name).cast()), system::file_type(entry))
            };
            if name != c"." && name != c".." {
                return Some(Ok(DirEntry { name: name.to_owned(), file_type }));
            }
        }
    }
}

/// Reads all entries of the directory at `path`, sorted by the bytes of their names.
#[doc(alias = "uv_fs_scandir")]
pub fn scandir(path: &CStr) -> Result<Vec<DirEntry>> {
    let mut entries = Directory::open(path)?.collect::<Result<Vec<_>>>()?;
    entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}
