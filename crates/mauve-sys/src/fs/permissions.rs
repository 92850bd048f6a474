//! Permissions and owners of files: `access`, `chmod`, `chown` and their variants.

use std::ffi::CStr;
use std::os::fd::RawFd;

use super::check;
pub use super::types::Owner;
use crate::Result;

/// Checks whether the real user of this process has the permissions `mode`, in the bits of
/// `access(2)`.
#[doc(alias = "uv_fs_access")]
pub fn access(path: &CStr, mode: i32) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::access(path.as_ptr(), mode) })
}

/// Changes the permissions of the file at `path`.
#[doc(alias = "uv_fs_chmod")]
pub fn chmod(path: &CStr, mode: u32) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::chmod(path.as_ptr(), mode as libc::mode_t) })
}

/// Changes the permissions of an open file.
#[doc(alias = "uv_fs_fchmod")]
pub fn fchmod(fd: RawFd, mode: u32) -> Result<()> {
    // SAFETY: the call takes a number, and fails if it is not an open descriptor.
    check(|| unsafe { libc::fchmod(fd, mode as libc::mode_t) })
}

/// Changes the owner of the file at `path`.
#[doc(alias = "uv_fs_chown")]
pub fn chown(path: &CStr, owner: Owner) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::chown(path.as_ptr(), owner.uid, owner.gid) })
}

/// Changes the owner of the file at `path`. Does not follow a symbolic link.
#[doc(alias = "uv_fs_lchown")]
pub fn lchown(path: &CStr, owner: Owner) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::lchown(path.as_ptr(), owner.uid, owner.gid) })
}

/// Changes the owner of an open file.
#[doc(alias = "uv_fs_fchown")]
pub fn fchown(fd: RawFd, owner: Owner) -> Result<()> {
    // SAFETY: the call takes a number, and fails if it is not an open descriptor.
    check(|| unsafe { libc::fchown(fd, owner.uid, owner.gid) })
}
