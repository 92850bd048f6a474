//! Users and groups, from whatever database the system is configured to ask.

use std::ffi::{CStr, CString, OsString, c_char, c_int};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use crate::{Errno, Result};

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name to log in with.
    pub name: CString,
    /// Its number.
    pub uid: u32,
    /// The number of its main group.
    pub gid: u32,
    /// Where its files are.
    pub home: PathBuf,
    /// What it logs in to.
    pub shell: PathBuf,
}

/// A group of accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it is called.
    pub name: CString,
    /// Its number.
    pub gid: u32,
    /// The names of the accounts that the group lists. Those whose main group it is may be missing.
    pub members: Vec<CString>,
}

/// The account that this process acts for.
#[doc(alias = "uv_os_get_passwd")]
pub fn current_user() -> Result<User> {
    user(rustix::process::geteuid().as_raw())
}

/// An account by its number; `ENOENT` if there is none.
#[doc(alias = "uv_os_get_passwd2")]
pub fn user(uid: u32) -> Result<User> {
    look_up(
        // SAFETY: all pointers are to memory of the right type and of the size that is given.
        |entry, buffer, size, found| unsafe { libc::getpwuid_r(uid, entry, buffer, size, found) },
        |entry: &libc::passwd| {
            // SAFETY: the strings of an entry that was found are null or end with a zero.
            unsafe {
                User {
                    name: text(entry.pw_name),
                    uid: entry.pw_uid,
                    gid: entry.pw_gid,
                    home: path(entry.pw_dir),
                    shell: path(entry.pw_shell),
                }
            }
        },
    )
}

/// A group by its number; `ENOENT` if there is none.
#[doc(alias = "uv_os_get_group")]
pub fn group(gid: u32) -> Result<Group> {
    look_up(
        // SAFETY: all pointers are to memory of the right type and of the size that is given.
        |entry, buffer, size, found| unsafe { libc::getgrgid_r(gid, entry, buffer, size, found) },
        |entry: &libc::group| {
            let mut members = Vec::new();
            // SAFETY: the list of an entry that was found is null or ends with a null pointer,
            // and its strings end with a zero.
            unsafe {
                let mut next = entry.gr_mem;
                while !next.is_null() && !(*next).is_null() {
                    members.push(text(*next));
                    next = next.add(1);
                }
                Group { name: text(entry.gr_name), gid: entry.gr_gid, members }
            }
        },
    )
}

/// Calls one of the `_r` functions, with more and more room for the strings, until they fit.
fn look_up<E, T>(
    ask: impl Fn(*mut E, *mut c_char, usize, *mut *mut E) -> c_int,
    convert: impl Fn(&E) -> T,
) -> Result<T> {
    let mut room = 2048;
    loop {
        let mut entry = MaybeUninit::uninit();
        let mut found = std::ptr::null_mut();
        let mut strings = vec![0 as c_char; room];
        match ask(entry.as_mut_ptr(), strings.as_mut_ptr(), room, &mut found) {
            // SAFETY: null, or `entry`, which was filled; its strings are still there.
            0 => return unsafe { found.as_ref() }.map(convert).ok_or(Errno::ENOENT),
            libc::ERANGE => room *= 2,
            libc::EINTR => {}
            error => return Err(Errno::from_raw(error)),
        }
    }
}

/// # Safety
/// The pointer is null or points to a string that ends with a zero.
unsafe fn text(text: *const c_char) -> CString {
    if text.is_null() {
        return CString::default();
    }
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_owned()
}

/// # Safety
/// As for [`text`].
unsafe fn path(path: *const c_char) -> PathBuf {
    // SAFETY: promised by the caller.
    OsString::from_vec(unsafe { text(path) }.into_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_superuser_is_known_everywhere() {
        let root = user(0).unwrap();
        assert_eq!((root.name.as_c_str(), root.uid), (c"root", 0));
        assert_eq!(group(0).unwrap().gid, 0);
    }

    #[test]
    fn a_number_that_nobody_has_is_not_found() {
        assert_eq!(user(4_000_000_000), Err(Errno::ENOENT));
        assert_eq!(group(4_000_000_000), Err(Errno::ENOENT));
    }
}
