//! The user of this process. Users and groups have no numbers on Windows.

use std::ffi::{CString, OsString};
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::path::PathBuf;
use std::ptr::null_mut;

use windows_sys::Win32::Security::TOKEN_READ;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
use windows_sys::Win32::System::WindowsProgramming::GetUserNameW;
use windows_sys::Win32::UI::Shell::GetUserProfileDirectoryW;

use crate::fs::path;
pub use crate::os::accounts::{Group, User};
use crate::{Errno, Result};

/// The size of the longest path.
const MAX_PATH: usize = 1 << 15;

/// The length of the longest name (`UNLEN`), and a terminator.
const MAX_NAME: usize = 257;

/// The user of this process, with the number -1 and without a shell.
#[doc(alias = "uv_os_get_passwd")]
pub fn current_user() -> Result<User> {
    let name = CString::new(path::from_wide(&name()?)).map_err(|_| Errno::EINVAL)?;
    Ok(User { name, uid: u32::MAX, gid: u32::MAX, home: profile()?, shell: PathBuf::new() })
}

fn name() -> Result<Vec<u16>> {
    let mut buffer = [0; MAX_NAME];
    let mut length = MAX_NAME as u32;
    // SAFETY: the buffer has the size that is passed.
    if unsafe { GetUserNameW(buffer.as_mut_ptr(), &raw mut length) } == 0 {
        return Err(Errno::last());
    }
    // The length includes the terminator.
    Ok(buffer[..(length as usize).saturating_sub(1)].to_vec())
}

/// The folder of the user's profile.
fn profile() -> Result<PathBuf> {
    let mut token = null_mut();
    // SAFETY: stores a handle in a local variable.
    if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_READ, &raw mut token) } == 0 {
        return Err(Errno::last());
    }
    // SAFETY: it was just opened.
    let token = unsafe { OwnedHandle::from_raw_handle(token) };
    let mut buffer = vec![0; MAX_PATH];
    let mut length = MAX_PATH as u32;
    let (at, size) = (buffer.as_mut_ptr(), &raw mut length);
    // SAFETY: the buffer has the size that is passed.
    if unsafe { GetUserProfileDirectoryW(token.as_raw_handle(), at, size) } == 0 {
        return Err(Errno::last());
    }
    let end = buffer.iter().position(|unit| *unit == 0).unwrap_or(MAX_PATH);
    Ok(OsString::from_wide(&buffer[..end]).into())
}

/// `ENOTSUP`: users have no numbers.
#[doc(alias = "uv_os_get_passwd2")]
pub fn user(_uid: u32) -> Result<User> {
    Err(Errno::ENOTSUP)
}

/// `ENOTSUP`: groups have no numbers.
#[doc(alias = "uv_os_get_group")]
pub fn group(_gid: u32) -> Result<Group> {
    Err(Errno::ENOTSUP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_user_has_a_name_and_a_home() {
        let user = current_user().unwrap();
        assert!(!user.name.is_empty());
        assert!(user.home.is_absolute());
        assert_eq!(super::user(0), Err(Errno::ENOTSUP));
    }
}
