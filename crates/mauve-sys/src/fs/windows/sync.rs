//! Flushing and truncating files.

use windows_sys::Win32::Storage::FileSystem::{
    FILE_END_OF_FILE_INFO, FileEndOfFileInfo, FlushFileBuffers, SetFileInformationByHandle,
};

use crate::descriptor::{RawDescriptor, handle};
use crate::{Errno, Result};

/// Writes the data and metadata of a file to its device.
#[doc(alias = "uv_fs_fsync")]
pub fn fsync(fd: RawDescriptor) -> Result<()> {
    // SAFETY: the call fails if the number is not an open handle.
    if unsafe { FlushFileBuffers(handle(fd)) } == 0 { Err(Errno::last()) } else { Ok(()) }
}

/// Writes the data of a file to its device, and its metadata, as [`fsync`].
#[doc(alias = "uv_fs_fdatasync")]
pub fn fdatasync(fd: RawDescriptor) -> Result<()> {
    fsync(fd)
}

/// Truncates a file, or extends it with zeros.
#[doc(alias = "uv_fs_ftruncate")]
pub fn ftruncate(fd: RawDescriptor, length: i64) -> Result<()> {
    if length < 0 {
        return Err(Errno::EINVAL);
    }
    let info = FILE_END_OF_FILE_INFO { EndOfFile: length };
    let (at, size) = ((&raw const info).cast(), size_of_val(&info) as u32);
    // SAFETY: the struct is that of the class. The call fails if the number is not an open handle.
    match unsafe { SetFileInformationByHandle(handle(fd), FileEndOfFileInfo, at, size) } {
        0 => Err(Errno::last()),
        _ => Ok(()),
    }
}
