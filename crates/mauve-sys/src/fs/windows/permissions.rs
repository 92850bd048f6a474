//! Permissions of files, of which Windows has one that is simple: a file may be read-only.

use std::ffi::CStr;

use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_READONLY, FILE_BASIC_INFO, FileBasicInfo,
    SetFileInformationByHandle,
};

use super::path::to_path;
use super::{descriptor, information};
use crate::descriptor::RawDescriptor;
pub use crate::fs::types::Owner;
use crate::{Errno, Result};

/// The bit of `access(2)` for writing.
const W_OK: i32 = 2;

/// The permission without which a file is read-only.
const S_IWUSR: u32 = 0o200;

/// Checks whether the file exists and, if `mode` has the bit for writing, is not read-only. Access control
/// lists are not checked.
#[doc(alias = "uv_fs_access")]
pub fn access(path: &CStr, mode: i32) -> Result<()> {
    let found = std::fs::metadata(to_path(path)?)?;
    let refused = mode & W_OK != 0 && found.permissions().readonly() && !found.is_dir();
    if refused { Err(Errno::EPERM) } else { Ok(()) }
}

/// Makes the file at `path` read-only, or writable.
#[doc(alias = "uv_fs_chmod")]
pub fn chmod(path: &CStr, mode: u32) -> Result<()> {
    let path = to_path(path)?;
    let mut permissions = std::fs::metadata(&path)?.permissions();
    permissions.set_readonly(mode & S_IWUSR == 0);
    Ok(std::fs::set_permissions(path, permissions)?)
}

/// Makes an open file read-only, or writable.
#[doc(alias = "uv_fs_fchmod")]
pub fn fchmod(fd: RawDescriptor, mode: u32) -> Result<()> {
    let fd = descriptor(&fd)?;
    // SAFETY: the struct is that of the class, and consists of numbers.
    let before: FILE_BASIC_INFO = unsafe { information(fd, FileBasicInfo) }?;
    let attributes = match mode & S_IWUSR {
        0 => before.FileAttributes | FILE_ATTRIBUTE_READONLY,
        _ => before.FileAttributes & !FILE_ATTRIBUTE_READONLY,
    };
    // Zeros do not change the times. Without an attribute, zero would not change the attributes either.
    let info = FILE_BASIC_INFO {
        CreationTime: 0,
        LastAccessTime: 0,
        LastWriteTime: 0,
        ChangeTime: 0,
        FileAttributes: if attributes == 0 { FILE_ATTRIBUTE_NORMAL } else { attributes },
    };
    let (at, size) = ((&raw const info).cast(), size_of_val(&info) as u32);
    // SAFETY: the struct is that of the class.
    match unsafe { SetFileInformationByHandle(fd.handle(), FileBasicInfo, at, size) } {
        0 => Err(Errno::last()),
        _ => Ok(()),
    }
}

/// Has no effect, as in libuv: owners have no numbers.
#[doc(alias = "uv_fs_chown")]
pub fn chown(_path: &CStr, _: Owner) -> Result<()> {
    Ok(())
}

/// Has no effect, as in libuv: owners have no numbers.
#[doc(alias = "uv_fs_lchown")]
pub fn lchown(_path: &CStr, _: Owner) -> Result<()> {
    Ok(())
}

/// Has no effect, as in libuv: owners have no numbers.
#[doc(alias = "uv_fs_fchown")]
pub fn fchown(_fd: RawDescriptor, _: Owner) -> Result<()> {
    Ok(())
}
