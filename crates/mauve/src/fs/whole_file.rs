//! Operations on whole files.

use std::io;
use std::path::Path;

use mauve_sys::fs::copy::{Reflink, copy_file};

use super::{blocking, from_c_path, to_c_path};

/// Reads the contents of a file.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let bytes = mauve::fs::read("/dev/null").await?;
/// assert!(bytes.is_empty());
/// # Ok(())
/// # }
/// ```
pub async fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let path = path.as_ref().to_owned();
    blocking(move || std::fs::read(path)).await
}

/// Reads the contents of a file as a string. `InvalidData` if they are not valid UTF-8.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// let limits = fs::read_to_string("/proc/self/limits").await?;
/// assert!(limits.contains("Max open files"));
/// # Ok(())
/// # }
/// ```
pub async fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    let path = path.as_ref().to_owned();
    blocking(move || std::fs::read_to_string(path)).await
}

/// Writes `contents` to a file. Creates the file, or replaces its contents.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let path = directory.join("file");
/// fs::write(&path, "text").await?;
/// assert_eq!(fs::read(&path).await?, b"text");
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
pub async fn write(path: impl AsRef<Path>, contents: impl Into<Vec<u8>>) -> io::Result<()> {
    let (path, contents) = (path.as_ref().to_owned(), contents.into());
    blocking(move || std::fs::write(path, contents)).await
}

/// Copies a file and its permissions in the kernel, and replaces `to`. A file system that supports
/// reflinks copies no data. Returns the size of the copy.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// # use mauve::fs;
/// # let directory = fs::mkdtemp(std::env::temp_dir().join("example-")).await?;
/// let (from, to) = (directory.join("from"), directory.join("to"));
/// fs::write(&from, "text").await?;
/// assert_eq!(fs::copy(&from, &to).await?, 4);
/// assert_eq!(fs::read_to_string(&to).await?, "text");
/// # fs::remove_dir_all(directory).await?;
/// # Ok(())
/// # }
/// ```
#[doc(alias = "uv_fs_copyfile")]
pub async fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<u64> {
    let (from, to) = (to_c_path(from.as_ref())?, to_c_path(to.as_ref())?);
    blocking(move || {
        copy_file(&from, &to, false, Reflink::Auto)?;
        Ok(std::fs::metadata(from_c_path(to))?.len())
    })
    .await
}
