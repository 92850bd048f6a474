//! Files and directories.
//!
//! The functions are those of [`std::fs`], to be awaited: each runs on a thread of the pool, and
//! the loop goes on meanwhile. What the page cache has of a [`File`] is read on the loop's own
//! thread, since that takes less time than asking another one; tasks that read at the same time share
//! a system call. So are files asked about whose paths are cached, if there is nothing else to wait
//! for.
//!
//! ```
//! use mauve::{Loop, fs};
//!
//! let lp: Loop = Loop::new()?;
//! lp.block_on(async {
//!     let folder = fs::create_unique_dir(std::env::temp_dir().join("notes-")).await?;
//!     let path = folder.join("today");
//!     fs::write(&path, "buy milk").await?;
//!     assert_eq!(fs::read_to_string(&path).await?, "buy milk");
//!     fs::remove_dir_all(folder).await
//! })?;
//! # Ok::<(), mauve::Errno>(())
//! ```
//!
//! A future that is dropped leaves its operation alone: what was begun is done to its end. Only a read
//! at an offset that was not yet tried is not, for the file may be gone by then.
//!
//! # Panics
//! All functions panic outside of a running loop.

mod directory;
mod file;
mod inline;
mod path_query;
mod paths;
mod unique;
mod whole;

use std::ffi::{CStr, CString, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

pub use directory::{ReadDir, read_dir};
pub use file::File;
pub use mauve_sys::fs::statfs::StatFs;
pub use paths::{
    canonicalize, create_dir, create_dir_all, exists, hard_link, lstat, metadata, read_link,
    remove_dir, remove_dir_all, remove_file, rename, set_permissions, stat, symlink,
    symlink_metadata, volume,
};
pub use unique::{create_unique_dir, create_unique_file};
pub use whole::{copy, read, read_to_string, write};

use crate::{Errno, Result, WorkError, spawn_blocking};

/// Does something on a thread of the pool.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T> {
    match spawn_blocking(work).await {
        Ok(result) => Ok(result?),
        Err(WorkError::NoThread(error)) => Err(error),
        Err(WorkError::Cancelled) => Err(Errno::ECANCELED),
        Err(WorkError::Panicked) => unreachable!("no operation on files panics"),
    }
}

/// A path as the system takes it; `EINVAL` if it has a zero in the middle.
fn to_c(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Errno::EINVAL)
}

/// Lends a path as the system takes it, without an allocation if it is not too long.
fn with_c<R>(path: &Path, action: impl FnOnce(&CStr) -> R) -> Result<R> {
    let bytes = path.as_os_str().as_bytes();
    let mut room = [0; 256];
    match room.get_mut(..=bytes.len()) {
        Some(room) => {
            room[..bytes.len()].copy_from_slice(bytes);
            CStr::from_bytes_with_nul(room).map(action).map_err(|_| Errno::EINVAL)
        }
        None => to_c(path).map(|path| action(&path)),
    }
}

/// The inverse of [`to_c`].
fn from_c(path: CString) -> PathBuf {
    OsString::from_vec(path.into_bytes()).into()
}
