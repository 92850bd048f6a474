//! Changes the user and the groups of this process.
//!
//! The C library changes all threads, unlike the system calls. Permissions are checked when a file
//! is opened, so operations on open files are not affected.

use std::ffi::CStr;

use libc::{c_int, gid_t, uid_t};

use crate::{Errno, Result};

fn check(result: c_int) -> Result<()> {
    if result == 0 { Ok(()) } else { Err(Errno::last()) }
}

/// Sets the user id.
///
/// # Errors
/// `EPERM` without the privilege.
pub fn set_uid(id: uid_t) -> Result<()> {
    // SAFETY: the function accepts any number.
    check(unsafe { libc::setuid(id) })
}

/// Sets the effective user id.
///
/// # Errors
/// `EPERM` without the privilege.
pub fn set_effective_uid(id: uid_t) -> Result<()> {
    // For `setresuid`, which musl calls, this number means that nothing is changed.
    if id == uid_t::MAX {
        return Err(Errno::EINVAL);
    }
    // SAFETY: the function accepts any number.
    check(unsafe { libc::seteuid(id) })
}

/// Sets the group id.
///
/// # Errors
/// `EPERM` without the privilege.
pub fn set_gid(id: gid_t) -> Result<()> {
    // SAFETY: the function accepts any number.
    check(unsafe { libc::setgid(id) })
}

/// Sets the effective group id.
///
/// # Errors
/// `EPERM` without the privilege.
pub fn set_effective_gid(id: gid_t) -> Result<()> {
    // For `setresgid`, too, this number means that nothing is changed.
    if id == gid_t::MAX {
        return Err(Errno::EINVAL);
    }
    // SAFETY: the function accepts any number.
    check(unsafe { libc::setegid(id) })
}

/// Sets the supplementary groups.
///
/// # Errors
/// `EPERM` without the privilege, `EINVAL` for too many groups.
pub fn set_groups(groups: &[gid_t]) -> Result<()> {
    // SAFETY: the pointer and the length are those of the slice.
    check(unsafe { libc::setgroups(groups.len() as _, groups.as_ptr()) })
}

/// Sets the supplementary groups to those of a user and one more.
///
/// # Errors
/// `EPERM` without the privilege.
pub fn init_groups(user: &CStr, group: gid_t) -> Result<()> {
    // SAFETY: the name ends with a null byte.
    check(unsafe { libc::initgroups(user.as_ptr(), group as _) })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Setting what is set already needs no privilege and changes nothing for the other tests.
    #[test]
    fn the_current_ids_can_be_set_again() {
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        assert_eq!(set_effective_uid(user.as_raw()), Ok(()));
        assert_eq!(set_effective_gid(group.as_raw()), Ok(()));
    }

    #[test]
    fn an_invalid_id_is_an_error() {
        assert_eq!(set_effective_uid(uid_t::MAX), Err(Errno::EINVAL));
        assert_eq!(set_effective_gid(gid_t::MAX), Err(Errno::EINVAL));
    }
}
