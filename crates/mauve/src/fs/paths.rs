//! Operations on paths.

use std::ffi::CStr;
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use mauve_sys::fs::{nowait, stat as system};

use super::path_request::{self, Operation, as_path};
use super::{StatFs, blocking, inline, with_c_path};
use crate::Stat;
use crate::core::current;

/// Whether the path exists. Follows symbolic links.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// assert!(mauve::fs::exists("/").await?);
/// assert!(!mauve::fs::exists("/no/such/path").await?);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_access")]
pub async fn exists(path: impl AsRef<Path>) -> io::Result<bool> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::exists(as_path(path))?)).await
}

/// [`exists`], with tokio's name.
pub async fn try_exists(path: impl AsRef<Path>) -> io::Result<bool> {
    exists(path).await
}

/// Creates a directory.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// # let path = directory.join("file");
/// use std::io::ErrorKind;
/// use mauve::fs;
///
/// fs::create_dir(&path).await?;
/// assert_eq!(fs::create_dir(&path).await.unwrap_err().kind(), ErrorKind::AlreadyExists);
/// fs::remove_dir(&path).await?;
/// # mauve::fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_mkdir")]
pub async fn create_dir(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::create_dir(as_path(path))?)).await
}

/// Creates a directory and its missing parents.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// fs::create_dir_all(directory.join("a/b/c")).await?;
/// assert!(fs::metadata(directory.join("a/b")).await?.is_dir());
/// fs::remove_dir_all(&directory).await?;
/// assert!(!fs::exists(&directory).await?);
/// # Ok(())
/// # }
/// ```
pub async fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::create_dir_all(as_path(path))?)).await
}

/// Removes an empty directory.
#[doc(alias = "uv_fs_rmdir")]
pub async fn remove_dir(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::remove_dir(as_path(path))?)).await
}

/// Removes a directory and its contents.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// # let path = directory.join("file");
/// use mauve::fs;
///
/// fs::create_dir_all(path.join("a/b")).await?;
/// fs::remove_dir_all(&path).await?;
/// assert!(fs::metadata(&path).await.is_err());
/// # mauve::fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
pub async fn remove_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::remove_dir_all(as_path(path))?)).await
}

/// Removes a file.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let path = directory.join("file");
/// fs::write(&path, "text").await?;
/// fs::remove_file(&path).await?;
/// assert!(!fs::exists(&path).await?);
/// # fs::remove_dir(directory).await?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_unlink")]
pub async fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::remove_file(as_path(path))?)).await
}

/// Reads the target of a symbolic link.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// # let path = directory.join("file");
/// use mauve::fs;
///
/// fs::symlink("target", &path).await?;
/// assert_eq!(fs::read_link(&path).await?.to_str(), Some("target"));
/// # mauve::fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_readlink")]
pub async fn read_link(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::read_link(as_path(path))?)).await
}

/// Returns the absolute path with all symbolic links resolved.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let path = mauve::fs::canonicalize("/dev/../dev").await?;
/// assert_eq!(path, std::path::Path::new("/dev"));
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_realpath")]
pub async fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    path_request::run(path.as_ref(), |path| Ok(std::fs::canonicalize(as_path(path))?)).await
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
pub async fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    let cached = |path: &CStr| File::from(nowait::open_path(path)?).metadata().ok();
    get_metadata(path.as_ref(), cached, |path| Ok(std::fs::metadata(as_path(path))?)).await
}

/// The metadata of a file, without following a symbolic link.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # let directory = mauve::fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// # let path = directory.join("file");
/// use mauve::fs;
///
/// fs::symlink("no such file", &path).await?;
/// assert!(fs::symlink_metadata(&path).await?.is_symlink());
/// assert!(fs::metadata(&path).await.is_err());
/// # mauve::fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
pub async fn symlink_metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    let cached = |path: &CStr| File::from(nowait::open_link(path)?).metadata().ok();
    get_metadata(path.as_ref(), cached, |path| Ok(std::fs::symlink_metadata(as_path(path))?)).await
}

/// The metadata of a file, with the fields of libuv's `uv_stat_t`.
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
pub async fn stat(path: impl AsRef<Path>) -> io::Result<Stat> {
    get_metadata(path.as_ref(), nowait::stat, system::stat).await
}

/// As [`stat`], without following a symbolic link.
#[doc(alias = "uv_fs_lstat")]
pub async fn lstat(path: impl AsRef<Path>) -> io::Result<Stat> {
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
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let (old, new) = (directory.join("old"), directory.join("new"));
/// fs::write(&old, "text").await?;
/// fs::rename(&old, &new).await?;
/// assert!(!fs::exists(old).await? && fs::exists(new).await?);
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_rename")]
pub async fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    let (from, to) = (from.as_ref().to_owned(), to.as_ref().to_owned());
    blocking(move || std::fs::rename(from, to)).await
}

/// Creates a hard link.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let (original, link) = (directory.join("original"), directory.join("link"));
/// fs::write(&original, "text").await?;
/// fs::hard_link(&original, &link).await?;
/// assert_eq!(fs::read(&link).await?, b"text");
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
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
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let link = directory.join("link");
/// fs::symlink("/", &link).await?;
/// assert_eq!(fs::read_link(&link).await?.to_str(), Some("/"));
/// assert!(fs::symlink_metadata(&link).await?.is_symlink());
/// assert_eq!(fs::canonicalize(&link).await?.to_str(), Some("/"));
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_symlink")]
pub async fn symlink(original: impl AsRef<Path>, link: impl AsRef<Path>) -> io::Result<()> {
    let (original, link) = (original.as_ref().to_owned(), link.as_ref().to_owned());
    blocking(move || std::os::unix::fs::symlink(original, link)).await
}

/// Sets the permissions of a file.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// use std::os::unix::fs::PermissionsExt;
/// # use mauve::fs;
///
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let path = directory.join("secret");
/// fs::write(&path, "text").await?;
/// fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).await?;
/// assert_eq!(fs::stat(&path).await?.mode & 0o777, 0o600);
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_chmod")]
pub async fn set_permissions(path: impl AsRef<Path>, permissions: Permissions) -> io::Result<()> {
    let path = path.as_ref().to_owned();
    blocking(move || std::fs::set_permissions(path, permissions)).await
}

/// Statistics of the file system that contains `path`: its size and free space.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let root = mauve::fs::statfs("/").await?;
/// assert!(root.free_blocks <= root.blocks);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_statfs")]
pub async fn statfs(path: impl AsRef<Path>) -> io::Result<StatFs> {
    path_request::run(path.as_ref(), mauve_sys::fs::statfs::statfs).await
}
