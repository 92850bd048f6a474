//! Links and names of files: `link`, `symlink`, `readlink`, `realpath`, `rename`, `unlink`.

use std::ffi::{CStr, CString, c_char};

use rustix::fs::{AtFlags, CWD};

use super::call;
use crate::{Errno, Result};

/// Creates a hard link at `new_path`.
#[doc(alias = "uv_fs_link")]
pub fn link(path: &CStr, new_path: &CStr) -> Result<()> {
    call(|| rustix::fs::linkat(CWD, path, CWD, new_path, AtFlags::empty()))
}

/// Creates a symbolic link at `new_path` that contains `target`.
#[doc(alias = "uv_fs_symlink")]
pub fn symlink(target: &CStr, new_path: &CStr) -> Result<()> {
    call(|| rustix::fs::symlinkat(target, CWD, new_path))
}

/// Reads the target of a symbolic link.
#[doc(alias = "uv_fs_readlink")]
pub fn readlink(path: &CStr) -> Result<CString> {
    call(|| rustix::fs::readlinkat(CWD, path, Vec::new()))
}

/// The canonical absolute path of an existing file, without symbolic links and dots.
#[doc(alias = "uv_fs_realpath")]
pub fn realpath(path: &CStr) -> Result<CString> {
    // SAFETY: `path` is null-terminated. A null buffer makes the C library allocate the result.
    let found: *mut c_char = unsafe { libc::realpath(path.as_ptr(), std::ptr::null_mut()) };
    if found.is_null() {
        return Err(Errno::last());
    }
    // SAFETY: `realpath` has returned a null-terminated string.
    let path = unsafe { CStr::from_ptr(found) }.to_owned();
    // SAFETY: `realpath` has allocated it with `malloc`, and it is not used after this.
    unsafe { libc::free(found.cast()) };
    Ok(path)
}

/// Renames a file or directory. Replaces an existing file at `new_path`.
#[doc(alias = "uv_fs_rename")]
pub fn rename(path: &CStr, new_path: &CStr) -> Result<()> {
    call(|| rustix::fs::renameat(CWD, path, CWD, new_path))
}

/// Removes a name of a file.
#[doc(alias = "uv_fs_unlink")]
pub fn unlink(path: &CStr) -> Result<()> {
    call(|| rustix::fs::unlinkat(CWD, path, AtFlags::empty()))
}
