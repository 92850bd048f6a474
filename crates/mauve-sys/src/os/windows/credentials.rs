//! The user and the groups of this process, which cannot be changed on Windows.

use std::ffi::CStr;

use crate::{Errno, Result};

/// # Errors
/// `ENOSYS`.
pub fn set_uid(_id: u32) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// # Errors
/// `ENOSYS`.
pub fn set_effective_uid(_id: u32) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// # Errors
/// `ENOSYS`.
pub fn set_gid(_id: u32) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// # Errors
/// `ENOSYS`.
pub fn set_effective_gid(_id: u32) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// # Errors
/// `ENOSYS`.
pub fn set_groups(_groups: &[u32]) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// # Errors
/// `ENOSYS`.
pub fn init_groups(_user: &CStr, _group: u32) -> Result<()> {
    Err(Errno::ENOSYS)
}
