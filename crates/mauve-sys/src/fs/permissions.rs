//! Permissions and owners of files: `access`, `chmod`, `chown` and their variants.

use std::ffi::CStr;
use std::os::fd::RawFd;

use rustix::fs::{Access, AtFlags, CWD, Gid, Uid};

use super::{call, descriptor};
use crate::{Errno, Result};

/// Checks whether the real user of this process has the permissions `mode`, in the bits of
/// `access(2)`.
#[doc(alias = "uv_fs_access")]
pub fn access(path: &CStr, mode: i32) -> Result<()> {
    let mode = Access::from_bits(mode as _).ok_or(Errno::EINVAL)?;
    call(|| rustix::fs::accessat(CWD, path, mode, AtFlags::empty()))
}

/// Changes the permissions of the file at `path`.
#[doc(alias = "uv_fs_chmod")]
pub fn chmod(path: &CStr, mode: u32) -> Result<()> {
    call(|| rustix::fs::chmodat(CWD, path, super::mode(mode), AtFlags::empty()))
}

/// Changes the permissions of an open file.
#[doc(alias = "uv_fs_fchmod")]
pub fn fchmod(fd: RawFd, mode: u32) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::fchmod(fd, super::mode(mode)))
}

/// The owner of a file. `u32::MAX` means unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
}

impl Owner {
    fn ids(self) -> (Option<Uid>, Option<Gid>) {
        let changes = |id: &u32| *id != u32::MAX;
        let uid = Some(self.uid).filter(changes).map(Uid::from_raw);
        (uid, Some(self.gid).filter(changes).map(Gid::from_raw))
    }
}

/// Changes the owner of the file at `path`.
#[doc(alias = "uv_fs_chown")]
pub fn chown(path: &CStr, owner: Owner) -> Result<()> {
    let (uid, gid) = owner.ids();
    call(|| rustix::fs::chownat(CWD, path, uid, gid, AtFlags::empty()))
}

/// Changes the owner of the file at `path`. Does not follow a symbolic link.
#[doc(alias = "uv_fs_lchown")]
pub fn lchown(path: &CStr, owner: Owner) -> Result<()> {
    let (uid, gid) = owner.ids();
    call(|| rustix::fs::chownat(CWD, path, uid, gid, AtFlags::SYMLINK_NOFOLLOW))
}

/// Changes the owner of an open file.
#[doc(alias = "uv_fs_fchown")]
pub fn fchown(fd: RawFd, owner: Owner) -> Result<()> {
    let (fd, (uid, gid)) = (descriptor(&fd)?, owner.ids());
    call(|| rustix::fs::fchown(fd, uid, gid))
}
