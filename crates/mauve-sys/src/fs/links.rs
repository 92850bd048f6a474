//! Links, and where they lead.

use std::ffi::{CStr, CString, c_char};

use rustix::fs::{AtFlags, CWD};

use super::call;
use crate::{Errno, Result};

/// Gives a file one more name.
#[doc(alias = "uv_fs_link")]
pub fn link(path: &CStr, new_path: &CStr) -> Result<()> {
    call(|| rustix::fs::linkat(CWD, path, CWD, new_path, AtFlags::empty()))
}

/// Makes a symbolic link at `new_path` that says `target`.
#[doc(alias = "uv_fs_symlink")]
pub fn link_symbolically(target: &CStr, new_path: &CStr) -> Result<()> {
    call(|| rustix::fs::symlinkat(target, CWD, new_path))
}

/// What a symbolic link says.
#[doc(alias = "uv_fs_readlink")]
pub fn read_link(path: &CStr) -> Result<CString> {
    call(|| rustix::fs::readlinkat(CWD, path, Vec::new()))
}

/// The absolute path of a file that exists, free of links and dots.
#[doc(alias = "uv_fs_realpath")]
pub fn real_path(path: &CStr) -> Result<CString> {
    // SAFETY: a string that ends with a zero, and no buffer: the C library makes one that fits.
    let found: *mut c_char = unsafe { libc::realpath(path.as_ptr(), std::ptr::null_mut()) };
    if found.is_null() {
        return Err(Errno::last());
    }
    // SAFETY: a string that the C library has made for us.
    let path = unsafe { CStr::from_ptr(found) }.to_owned();
    // SAFETY: from its allocator, and not used after this.
    unsafe { libc::free(found.cast()) };
    Ok(path)
}
