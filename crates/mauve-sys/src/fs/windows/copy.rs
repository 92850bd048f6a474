//! Copying files: `copyfile` and `sendfile`.

use std::ffi::CStr;

use windows_sys::Win32::Storage::FileSystem::CopyFileW;

use super::path::to_wide;
use super::{read_write, stat};
use crate::descriptor::RawDescriptor;
use crate::fs::read_write::Position;
pub use crate::fs::types::Reflink;
use crate::{Errno, Result};

/// Copies a file with its attributes and the time of its last change.
///
/// Replaces an existing file at `new_path`, unless `exclusive` is set (`EEXIST`). Copying a file onto
/// itself does nothing. `ENOSYS` if the copy must share its blocks.
#[doc(alias = "uv_fs_copyfile")]
pub fn copy_file(path: &CStr, new_path: &CStr, exclusive: bool, reflink: Reflink) -> Result<()> {
    if reflink == Reflink::Always {
        return Err(Errno::ENOSYS);
    }
    let (from, to) = (to_wide(path)?, to_wide(new_path)?);
    // SAFETY: both paths are null-terminated and outlive the call.
    if unsafe { CopyFileW(from.as_ptr(), to.as_ptr(), exclusive.into()) } != 0 {
        return Ok(());
    }
    let error = Errno::last();
    if !exclusive && is_same(path, new_path) { Ok(()) } else { Err(error) }
}

fn is_same(path: &CStr, other: &CStr) -> bool {
    match (stat(path), stat(other)) {
        (Ok(one), Ok(other)) => (one.dev, one.ino) == (other.dev, other.ino),
        _ => false,
    }
}

/// Copies `length` bytes from `offset` of `from` to the current position of `to`, or less if the file
/// ends before. Returns how many bytes were copied. Both are files.
#[doc(alias = "uv_fs_sendfile")]
pub fn sendfile(
    to: RawDescriptor,
    from: RawDescriptor,
    offset: i64,
    length: usize,
) -> Result<usize> {
    let mut at = u64::try_from(offset).map_err(|_| Errno::EINVAL)?;
    let mut buffer = vec![0; length.min(64 << 10)];
    let mut copied = 0;
    while copied < length {
        let wanted = buffer.len().min(length - copied);
        let step = read_write::read_into(from, &mut buffer[..wanted], Position::At(at))
            .and_then(|read| read_write::write_from(to, &buffer[..read], Position::Current));
        match step {
            Ok(0) => break,
            Ok(written) => {
                copied += written;
                at += written as u64;
            }
            // The next call reports the error again.
            Err(_) if copied > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(copied)
}
