//! Operations on whole files.

use std::path::Path;

use mauve_sys::fs::copy::{Reflink, copy_file};

use super::{blocking, to_c_path};
use crate::{Errno, Result};

/// Reads the contents of a file.
pub async fn read(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let path = path.as_ref().to_owned();
    blocking(move || std::fs::read(path)).await
}

/// Reads the contents of a file as a string. `EILSEQ` if they are not valid UTF-8.
pub async fn read_to_string(path: impl AsRef<Path>) -> Result<String> {
    String::from_utf8(read(path).await?).map_err(|_| Errno::EILSEQ)
}

/// Writes `contents` to a file. Creates the file, or replaces its contents.
pub async fn write(path: impl AsRef<Path>, contents: impl Into<Vec<u8>>) -> Result<()> {
    let (path, contents) = (path.as_ref().to_owned(), contents.into());
    blocking(move || std::fs::write(path, contents)).await
}

/// Copies a file and its permissions in the kernel, and replaces `to`. A file system that supports
/// reflinks copies no data.
#[doc(alias = "uv_fs_copyfile")]
pub async fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<()> {
    let (from, to) = (to_c_path(from.as_ref())?, to_c_path(to.as_ref())?);
    blocking(move || Ok(copy_file(&from, &to, false, Reflink::Auto)?)).await
}
