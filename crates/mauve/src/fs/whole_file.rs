//! Operations on whole files.

use std::io;
use std::path::Path;

use mauve_sys::fs::copy::{Reflink, copy_file};
use mauve_sys::fs::path::from_c;
use mauve_sys::fs::read_write::Position;

use super::{File, blocking, to_c_path};

/// How much is read at least of a file that is larger than its size, as those of `/proc` are.
const MIN_READ: usize = 8 << 10;

/// Reads the contents of a file.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
pub async fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let path = path.as_ref().to_owned();
    let open = move || {
        let file = std::fs::File::open(path)?;
        let size = file.metadata()?.len();
        Ok((file, size))
    };
    let (file, size) = blocking(open).await?;
    let file = File::from_std(file);
    let mut bytes = Vec::new();
    // One more, so that the end is found without a larger buffer.
    bytes.try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1))?;
    loop {
        let room = bytes.capacity() - bytes.len();
        let length = if room == 0 { bytes.len().max(MIN_READ) } else { room };
        if file.append_from(&mut bytes, length, Position::Current).await? == 0 {
            return Ok(bytes);
        }
    }
}

/// Reads the contents of a file as a string. `InvalidData` if they are not valid UTF-8.
///
/// # Cancel safety
/// The operation has no effect, so nothing is lost if the future is dropped.
pub async fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    String::from_utf8(read(path).await?).map_err(invalid)
}

/// Writes `contents` to a file. Creates the file, or replaces its contents.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
pub async fn write(path: impl AsRef<Path>, contents: impl Into<Vec<u8>>) -> io::Result<()> {
    let (path, contents) = (path.as_ref().to_owned(), contents.into());
    blocking(move || std::fs::write(path, contents)).await
}

/// Copies a file and its permissions in the kernel, and replaces `to`. A file system that supports
/// reflinks copies no data. Returns the size of the copy.
///
/// # Cancel safety
/// Once the future was polled, the operation runs to its end, even if the future is dropped.
#[doc(alias = "uv_fs_copyfile")]
pub async fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<u64> {
    let (from, to) = (to_c_path(from.as_ref())?, to_c_path(to.as_ref())?);
    blocking(move || {
        copy_file(&from, &to, false, Reflink::Auto)?;
        Ok(std::fs::metadata(from_c(&to)?)?.len())
    })
    .await
}
