//! Users and groups of the system's user database (NSS).

use std::ffi::{CStr, CString, OsString, c_char, c_int};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

pub use super::accounts::{Group, User};
use crate::{Errno, Result};

/// The effective user of this process.
#[doc(alias = "uv_os_get_passwd")]
pub fn current_user() -> Result<User> {
    // SAFETY: the call has no arguments and cannot fail.
    user(unsafe { libc::geteuid() })
}

/// Looks up a user by id; `ENOENT` if there is none.
#[doc(alias = "uv_os_get_passwd2")]
pub fn user(uid: u32) -> Result<User> {
    lookup(
        // SAFETY: `lookup` passes valid pointers and the size of the buffer.
        |entry, buffer, size, found| unsafe { libc::getpwuid_r(uid, entry, buffer, size, found) },
        |entry: &libc::passwd| {
            // SAFETY: the strings of an entry that was found are null or null-terminated.
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

/// Looks up a group by id; `ENOENT` if there is none.
#[doc(alias = "uv_os_get_group")]
pub fn group(gid: u32) -> Result<Group> {
    lookup(
        // SAFETY: `lookup` passes valid pointers and the size of the buffer.
        |entry, buffer, size, found| unsafe { libc::getgrgid_r(gid, entry, buffer, size, found) },
        |entry: &libc::group| {
            let mut members = Vec::new();
            // SAFETY: the list of an entry that was found is null or ends with a null pointer.
            // Its strings are null-terminated.
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

/// Calls one of the reentrant functions (`getpwuid_r`), and doubles the buffer until the strings fit.
fn lookup<E, T>(
    get: impl Fn(*mut E, *mut c_char, usize, *mut *mut E) -> c_int,
    convert: impl Fn(&E) -> T,
) -> Result<T> {
    let mut size = 2048;
    loop {
        let mut entry = MaybeUninit::uninit();
        let mut found = std::ptr::null_mut();
        let mut strings = vec![0 as c_char; size];
        match get(entry.as_mut_ptr(), strings.as_mut_ptr(), size, &mut found) {
            // SAFETY: null, or a pointer to `entry`, which the call has filled. Its strings are in
            // `strings`.
            0 => return unsafe { found.as_ref() }.map(convert).ok_or(Errno::ENOENT),
            libc::ERANGE => size *= 2,
            libc::EINTR => {}
            error => return Err(Errno::from_raw(error)),
        }
    }
}

/// # Safety
/// The pointer is null or points to a null-terminated string.
unsafe fn text(text: *const c_char) -> CString {
    if text.is_null() {
        return CString::default();
    }
    // SAFETY: not null, so the caller promises a null-terminated string.
    unsafe { CStr::from_ptr(text) }.to_owned()
}

/// # Safety
/// The pointer is null or points to a null-terminated string.
unsafe fn path(path: *const c_char) -> PathBuf {
    // SAFETY: the caller promises that it is null or a null-terminated string.
    OsString::from_vec(unsafe { text(path) }.into_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_found() {
        let root = user(0).unwrap();
        assert_eq!((root.name.as_c_str(), root.uid), (c"root", 0));
        assert_eq!(group(0).unwrap().gid, 0);
    }

    #[test]
    fn an_unused_id_is_not_found() {
        assert_eq!(user(4_000_000_000), Err(Errno::ENOENT));
        assert_eq!(group(4_000_000_000), Err(Errno::ENOENT));
    }
}
