//! Whole files at once.

use std::path::Path;

use mauve_sys::fs::copy::{Reflink, copy_file};

use super::{blocking, to_c};
use crate::{Errno, Result};

/// All that is in a file.
pub async fn read(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let path = path.as_ref().to_owned();
    blocking(move || std::fs::read(path)).await
}

/// All that is in a file, which must be UTF-8 (`EILSEQ` otherwise).
pub async fn read_to_string(path: impl AsRef<Path>) -> Result<String> {
    String::from_utf8(read(path).await?).map_err(|_| Errno::EILSEQ)
}

/// Makes a file with these contents, or replaces those it has.
pub async fn write(path: impl AsRef<Path>, contents: impl Into<Vec<u8>>) -> Result<()> {
    let (path, contents) = (path.as_ref().to_owned(), contents.into());
    blocking(move || std::fs::write(path, contents)).await
}

/// Copies a file with its permissions, in the kernel; without moving any data if the file system
/// can have two files share it. Replaces what is there.
#[doc(alias = "uv_fs_copyfile")]
pub async fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<()> {
    let (from, to) = (to_c(from.as_ref())?, to_c(to.as_ref())?);
    blocking(move || Ok(copy_file(&from, &to, false, Reflink::Auto)?)).await
}
