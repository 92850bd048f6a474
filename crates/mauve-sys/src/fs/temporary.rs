//! Files and directories under unique names.

use std::ffi::{CStr, CString};
use std::os::fd::{FromRawFd, OwnedFd};

use crate::{Errno, Result};

/// Makes a directory. The last six characters of `template`, which must be `XXXXXX`, become
/// something unique; also if the directory cannot be made, in which case the name tells what was
/// tried last.
#[doc(alias = "uv_fs_mkdtemp")]
pub fn make_directory(template: &CStr) -> (CString, Result<()>) {
    let (name, made) = fill_in(template, |name| {
        // SAFETY: a string that ends with a zero and is ours to change.
        !unsafe { libc::mkdtemp(name) }.is_null()
    });
    (name, made.then_some(()).ok_or_else(Errno::last))
}

/// Makes and opens a file, in the same way.
#[doc(alias = "uv_fs_mkstemp")]
pub fn make_file(template: &CStr) -> (CString, Result<OwnedFd>) {
    loop {
        let (name, fd) = fill_in(template, |name| {
            // SAFETY: a string that ends with a zero and is ours to change.
            unsafe { libc::mkostemp(name, libc::O_CLOEXEC) }
        });
        if fd >= 0 {
            // SAFETY: the system has just opened it.
            return (name, Ok(unsafe { OwnedFd::from_raw_fd(fd) }));
        }
        match Errno::last() {
            // With another name.
            Errno::EINTR => {}
            error => return (name, Err(error)),
        }
    }
}

/// Has `make` write into a copy of the template. The C library's error stays what it was.
fn fill_in<T>(template: &CStr, make: impl FnOnce(*mut libc::c_char) -> T) -> (CString, T) {
    let name = template.to_owned().into_raw();
    let made = make(name);
    // SAFETY: made by `into_raw` above; the length of the string has not changed.
    (unsafe { CString::from_raw(name) }, made)
}
