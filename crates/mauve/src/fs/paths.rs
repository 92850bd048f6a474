//! Operations on what a path leads to.

use std::ffi::CStr;
use std::fs::{File, Metadata, Permissions};
use std::path::{Path, PathBuf};

use mauve_sys::fs::{nowait, stat as system};

use super::path_query::{self, Operation, as_path};
use super::{StatFs, blocking, inline, with_c};
use crate::core::current;
use crate::{Result, Stat};

/// Declares the operations that take one path, as `std::fs` has them.
macro_rules! on_a_path {
    ($($(#[$doc:meta])* $name:ident -> $output:ty = $operation:path;)*) => {
        $(
            $(#[$doc])*
            pub async fn $name(path: impl AsRef<Path>) -> Result<$output> {
                path_query::run(path.as_ref(), |path| Ok($operation(as_path(path))?)).await
            }
        )*
    };
}

on_a_path! {
    /// Whether there is something. A link that leads nowhere is nothing.
    #[doc(alias = "uv_fs_access")]
    exists -> bool = std::fs::exists;

    /// Makes a directory.
    #[doc(alias = "uv_fs_mkdir")]
    create_dir -> () = std::fs::create_dir;

    /// Makes a directory and those around it, as far as they are missing.
    create_dir_all -> () = std::fs::create_dir_all;

    /// Removes an empty directory.
    #[doc(alias = "uv_fs_rmdir")]
    remove_dir -> () = std::fs::remove_dir;

    /// Removes a directory with all that is in it.
    remove_dir_all -> () = std::fs::remove_dir_all;

    /// Removes a file.
    #[doc(alias = "uv_fs_unlink")]
    remove_file -> () = std::fs::remove_file;

    /// What a symbolic link says.
    #[doc(alias = "uv_fs_readlink")]
    read_link -> PathBuf = std::fs::read_link;

    /// The absolute path of something that exists, free of links and dots.
    #[doc(alias = "uv_fs_realpath")]
    canonicalize -> PathBuf = std::fs::canonicalize;
}

/// What is known about a file.
///
/// [`stat`] costs one system call less if the loop waits for nothing else: only the standard library
/// can make its own type.
pub async fn metadata(path: impl AsRef<Path>) -> Result<Metadata> {
    let cached = |path: &CStr| File::from(nowait::open_path(path)?).metadata().ok();
    query(path.as_ref(), cached, |path| Ok(std::fs::metadata(as_path(path))?)).await
}

/// What is known about a file or a symbolic link.
pub async fn symlink_metadata(path: impl AsRef<Path>) -> Result<Metadata> {
    let cached = |path: &CStr| File::from(nowait::open_link(path)?).metadata().ok();
    query(path.as_ref(), cached, |path| Ok(std::fs::symlink_metadata(as_path(path))?)).await
}

/// What the system knows about a file, in libuv's terms.
///
/// ```
/// use mauve::{Loop, fs};
///
/// let lp: Loop = Loop::new()?;
/// let root = lp.block_on(fs::stat("/"))?;
/// assert_eq!(root.mode & 0o170000, 0o040000, "a directory");
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_fs_stat")]
pub async fn stat(path: impl AsRef<Path>) -> Result<Stat> {
    query(path.as_ref(), nowait::stat, system::stat).await
}

/// What the system knows about a file or a symbolic link, in libuv's terms.
#[doc(alias = "uv_fs_lstat")]
pub async fn lstat(path: impl AsRef<Path>) -> Result<Stat> {
    query(path.as_ref(), nowait::lstat, system::lstat).await
}

/// Queries a file: on the loop's thread if it waits for no other request and all of the path is
/// cached. That costs more than the query itself and saves the round trip to the pool; with many
/// requests at a time, that round trip is cheap.
async fn query<T: Send + 'static>(
    path: &Path,
    cached: fn(&CStr) -> Option<T>,
    operation: Operation<T>,
) -> Result<T> {
    let core = current();
    if !core.engine(|engine| engine.has_requests()) {
        let cached = || with_c(path, cached).ok().flatten();
        if let Some(found) = inline::attempt(core.clone(), cached).await {
            return Ok(found);
        }
    }
    path_query::run_on(core, path, operation).await
}

/// Gives something another name; what had that name is gone.
#[doc(alias = "uv_fs_rename")]
pub async fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<()> {
    let (from, to) = (from.as_ref().to_owned(), to.as_ref().to_owned());
    blocking(move || std::fs::rename(from, to)).await
}

/// Gives a file one more name.
#[doc(alias = "uv_fs_link")]
pub async fn hard_link(original: impl AsRef<Path>, link: impl AsRef<Path>) -> Result<()> {
    let (original, link) = (original.as_ref().to_owned(), link.as_ref().to_owned());
    blocking(move || std::fs::hard_link(original, link)).await
}

/// Makes a symbolic link that says `original`.
#[doc(alias = "uv_fs_symlink")]
pub async fn symlink(original: impl AsRef<Path>, link: impl AsRef<Path>) -> Result<()> {
    let (original, link) = (original.as_ref().to_owned(), link.as_ref().to_owned());
    blocking(move || std::os::unix::fs::symlink(original, link)).await
}

/// Changes who may do what with a file.
#[doc(alias = "uv_fs_chmod")]
pub async fn set_permissions(path: impl AsRef<Path>, permissions: Permissions) -> Result<()> {
    let path = path.as_ref().to_owned();
    blocking(move || std::fs::set_permissions(path, permissions)).await
}

/// About the file system that a file is on: its size, and how much is free.
#[doc(alias = "uv_fs_statfs")]
pub async fn volume(path: impl AsRef<Path>) -> Result<StatFs> {
    path_query::run(path.as_ref(), mauve_sys::fs::statfs::statfs).await
}
