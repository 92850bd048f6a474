//! Operations on paths.

use std::ffi::CStr;
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use mauve_sys::fs::path::from_c;
use mauve_sys::fs::{links, nowait, stat as system};

use super::path_request::{self, Operation};
use super::{FileSystemStat, blocking, inline, to_c_path, with_c_path};
use crate::Stat;
use crate::core::current;

/// Whether the path exists. Follows symbolic links.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
#[doc(alias = "try_exists")]
#[doc(alias = "uv_fs_access")]
pub async fn exists(path: impl AsRef<Path>) -> io::Result<bool> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::exists(from_c(path)?)?)).await
}

/// Creates a directory.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_mkdir")]
pub async fn create_dir(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::create_dir(from_c(path)?)?)).await
}

/// Creates a directory and its missing parents.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
pub async fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::create_dir_all(from_c(path)?)?)).await
}

/// Removes an empty directory.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_rmdir")]
pub async fn remove_dir(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::remove_dir(from_c(path)?)?)).await
}

/// Removes a directory and its contents.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
pub async fn remove_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::remove_dir_all(from_c(path)?)?)).await
}

/// Removes a file.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_unlink")]
pub async fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::remove_file(from_c(path)?)?)).await
}

/// Reads the target of a symbolic link.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
#[doc(alias = "uv_fs_readlink")]
pub async fn read_link(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::read_link(from_c(path)?)?)).await
}

/// Returns the absolute path with all symbolic links resolved.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
#[doc(alias = "uv_fs_realpath")]
pub async fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::canonicalize(from_c(path)?)?)).await
}

/// The metadata of a file.
///
/// [`stat`] needs one system call less if no other request is in flight: a [`Metadata`] can only be
/// obtained from an open file.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let metadata = mauve::fs::metadata("/").await?;
/// assert!(metadata.is_dir());
/// let error = mauve::fs::metadata("/no/such/path").await.unwrap_err();
/// assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
/// # Ok(())
/// # }
/// ```
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
pub async fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    let cached = |path: &CStr| File::from(nowait::open_path(path)?).metadata().ok();
    get_metadata(path.as_ref(), cached, |path| Ok(std::fs::metadata(from_c(path)?)?)).await
}

/// The metadata of a file, without following a symbolic link.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
pub async fn symlink_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    let cached = |path: &CStr| File::from(nowait::open_link(path)?).metadata().ok();
    get_metadata(path.as_ref(), cached, |path| Ok(std::fs::symlink_metadata(from_c(path)?)?)).await
}

/// The metadata of a file, with the fields of libuv's `uv_stat_t`.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
#[doc(alias = "uv_fs_stat")]
pub async fn stat(path: impl AsRef<Path>) -> io::Result<Stat> {
    get_metadata(path.as_ref(), nowait::stat, system::stat).await
}

/// As [`stat`], without following a symbolic link.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
#[doc(alias = "uv_fs_lstat")]
pub async fn symlink_stat(path: impl AsRef<Path>) -> io::Result<Stat> {
    get_metadata(path.as_ref(), nowait::lstat, system::lstat).await
}

/// Gets metadata on the loop's thread if the path is cached and no other request is in flight, and
/// on the pool otherwise. Checking the cache costs more than the `stat` call itself, but saves the
/// round trip to the pool. With many requests in flight, that round trip is cheap.
async fn get_metadata<T: Send + 'static>(
    path: &Path,
    cached: fn(&CStr) -> Option<T>,
    operation: Operation<T>,
) -> io::Result<T> {
    let core = current();
    if !core.engine(|engine| engine.has_requests()) {
        let cached = || with_c_path(path, cached).ok().flatten();
        if let Some(metadata) = inline::attempt(core.clone(), cached).await {
            return Ok(metadata);
        }
    }
    path_request::run_on(core, path, operation).await
}

/// Renames a file or directory. Replaces `to`.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_rename")]
pub async fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (from.as_ref().to_owned(), to.as_ref().to_owned());
    blocking(move || std::fs::rename(from, to)).await
}

/// Creates a hard link.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_link")]
pub async fn hard_link(original: impl AsRef<Path>, link: impl AsRef<Path>) -> io::Result<()> {
    let (original, link) = (original.as_ref().to_owned(), link.as_ref().to_owned());
    blocking(move || std::fs::hard_link(original, link)).await
}

/// Creates a symbolic link to `original`.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// # let directory = fs::create_temp_dir(std::env::temp_dir().join("example-")).await?;
/// let link = directory.join("link");
/// fs::symlink("/", &link).await?;
/// assert_eq!(fs::read_link(&link).await?.to_str(), Some("/"));
/// assert!(fs::symlink_metadata(&link).await?.is_symlink());
/// assert_eq!(fs::canonicalize(&link).await?.to_str(), Some("/"));
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_symlink")]
pub async fn symlink(original: impl AsRef<Path>, link: impl AsRef<Path>) -> io::Result<()> {
    let (original, link) = (to_c_path(original.as_ref())?, to_c_path(link.as_ref())?);
    blocking(move || Ok(links::symlink(&original, &link, links::LinkKind::File)?)).await
}

/// Sets the permissions of a file.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_chmod")]
pub async fn set_permissions(path: impl AsRef<Path>, permissions: Permissions) -> io::Result<()> {
    let path = path.as_ref().to_owned();
    blocking(move || std::fs::set_permissions(path, permissions)).await
}

/// Statistics of the file system that contains `path`: its size and free space.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
#[doc(alias = "uv_fs_statfs")]
pub async fn file_system_stat(path: impl AsRef<Path>) -> io::Result<FileSystemStat> {
    path_request::run(path.as_ref(), mauve_sys::fs::statfs::statfs).await
}
