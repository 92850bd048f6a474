//! Files and directories, for tasks.
//!
//! The functions are asynchronous versions of those of [`std::fs`]. They run on the thread pool,
//! with two exceptions that save the round trip to it:
//!
//! * Reads that the page cache can serve run on the loop's thread. Those of several tasks share one
//!   system call.
//! * `stat` calls whose path is cached run on the loop's thread if no other request is in flight.
//!
//! ```
//! use mauve::{Loop, fs};
//!
//! let lp: Loop = Loop::new()?;
//! lp.block_on(async {
//!     let directory = fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
//!     let path = directory.join("greeting");
//!     fs::write(&path, "hello").await?;
//!     assert_eq!(fs::read_to_string(&path).await?, "hello");
//!     fs::remove_dir_all(directory).await
//! })?;
//! # Ok::<(), mauve::Errno>(())
//! ```
//!
//! An operation starts when its future is first polled. Dropping the future after that does not stop
//! the operation, except for a read that no thread has started: it is cancelled. File operations wait
//! for each other if all threads of the pool are busy, but not for
//! [`spawn_blocking`](crate::spawn_blocking).
//!
//! # Panics
//! All functions panic if no loop runs on this thread.

mod file;
mod file_io;
mod inline;
mod open_options;
mod path_request;
mod paths;
mod read;
mod read_dir;
mod temp;
mod watch;
mod whole_file;

use std::ffi::{CStr, CString};
use std::io;
use std::path::Path;

pub use file::File;
#[doc(inline)]
pub use mauve_sys::fs::statfs::StatFs as FileSystemStat;
pub use open_options::OpenOptions;
pub use paths::{
    canonicalize, create_dir, create_dir_all, exists, file_system_stat, hard_link, metadata,
    read_link, remove_dir, remove_dir_all, remove_file, rename, set_permissions, stat, symlink,
    symlink_metadata, symlink_stat,
};
pub(crate) use read::read_with;
pub use read_dir::{ReadDir, read_dir};
pub use temp::{create_temp_dir, create_temp_file};
pub use watch::{Changes, watch};
pub use whole_file::{copy, read, read_to_string, write};

use mauve_core::pool::Lane;

use crate::core::current;
use crate::{BlockingTask, Errno, Result, WorkError};

/// Runs `work` on a thread of the pool.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    match BlockingTask::new(current(), Lane::Normal, work).await {
        Ok(result) => result,
        Err(WorkError::NoThread(error)) => Err(error.into()),
        Err(WorkError::Cancelled) => Err(Errno::ECANCELED.into()),
        Err(WorkError::Panicked(_)) => unreachable!("file operations do not panic"),
    }
}

/// Converts a path for a system call. `EINVAL` if it contains a NUL byte.
fn to_c_path(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Errno::EINVAL)
}

/// Calls `action` with the path as a C string, which is on the stack if it is short.
fn with_c_path<R>(path: &Path, action: impl FnOnce(&CStr) -> R) -> Result<R> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut stack = [0; 256];
    match stack.get_mut(..=bytes.len()) {
        Some(buffer) => {
            buffer[..bytes.len()].copy_from_slice(bytes);
            CStr::from_bytes_with_nul(buffer).map(action).map_err(|_| Errno::EINVAL)
        }
        None => to_c_path(path).map(|path| action(&path)),
    }
}
