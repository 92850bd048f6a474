//! Who may do what with a file.

use std::ffi::CStr;
use std::os::fd::RawFd;

use rustix::fs::{Access, AtFlags, CWD, Gid, Mode, Uid};

use super::{call, descriptor};
use crate::{Errno, Result};

/// Whether the real user of this process may do what `mode` says, in the bits of `access(2)`.
#[doc(alias = "uv_fs_access")]
pub fn access(path: &CStr, mode: i32) -> Result<()> {
    let mode = Access::from_bits(mode as u32).ok_or(Errno::EINVAL)?;
    call(|| rustix::fs::accessat(CWD, path, mode, AtFlags::empty()))
}

/// Changes the permissions of the file at `path`.
#[doc(alias = "uv_fs_chmod")]
pub fn set_mode(path: &CStr, mode: u32) -> Result<()> {
    call(|| rustix::fs::chmodat(CWD, path, Mode::from_raw_mode(mode), AtFlags::empty()))
}

/// Changes the permissions of an open file.
#[doc(alias = "uv_fs_fchmod")]
pub fn set_mode_of(fd: RawFd, mode: u32) -> Result<()> {
    let fd = descriptor(&fd)?;
    call(|| rustix::fs::fchmod(fd, Mode::from_raw_mode(mode)))
}

/// Whom a file is to belong to. `u32::MAX` leaves it as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
}

impl Owner {
    fn ids(self) -> (Option<Uid>, Option<Gid>) {
        let known = |id: &u32| *id != u32::MAX;
        let uid = Some(self.uid).filter(known).map(Uid::from_raw);
        (uid, Some(self.gid).filter(known).map(Gid::from_raw))
    }
}

/// Gives the file at `path` to somebody.
#[doc(alias = "uv_fs_chown")]
pub fn set_owner(path: &CStr, owner: Owner) -> Result<()> {
    let (uid, gid) = owner.ids();
    call(|| rustix::fs::chownat(CWD, path, uid, gid, AtFlags::empty()))
}

/// Gives the file or symbolic link at `path` to somebody.
#[doc(alias = "uv_fs_lchown")]
pub fn set_owner_of_link(path: &CStr, owner: Owner) -> Result<()> {
    let (uid, gid) = owner.ids();
    call(|| rustix::fs::chownat(CWD, path, uid, gid, AtFlags::SYMLINK_NOFOLLOW))
}

/// Gives an open file to somebody.
#[doc(alias = "uv_fs_fchown")]
pub fn set_owner_of(fd: RawFd, owner: Owner) -> Result<()> {
    let (fd, (uid, gid)) = (descriptor(&fd)?, owner.ids());
    call(|| rustix::fs::fchown(fd, uid, gid))
}
