//! Temporary files and directories with unique names.

use std::ffi::{CStr, CString};
use std::os::fd::{FromRawFd, OwnedFd};

use super::system;
use crate::faults::{self, Call};
use crate::{Errno, Result};

/// Creates a directory. Replaces the last six characters of `template`, which must be `XXXXXX`.
/// Returns the name, and after an error the last name that was tried.
#[doc(alias = "uv_fs_mkdtemp")]
pub fn mkdtemp(template: &CStr) -> (CString, Result<()>) {
    if let Err(error) = faults::check(Call::Create) {
        return (template.to_owned(), Err(error));
    }
    let (name, created) = fill_template(template, |name| {
        // SAFETY: `name` is null-terminated and writable.
        !unsafe { libc::mkdtemp(name) }.is_null()
    });
    (name, created.then_some(()).ok_or_else(Errno::last))
}

/// Creates and opens a file. The name is chosen as in [`mkdtemp`].
#[doc(alias = "uv_fs_mkstemp")]
pub fn mkstemp(template: &CStr) -> (CString, Result<OwnedFd>) {
    if let Err(error) = faults::check(Call::OpenNew) {
        return (template.to_owned(), Err(error));
    }
    loop {
        let (name, fd) = fill_template(template, |name| {
            // SAFETY: `name` is null-terminated and writable.
            unsafe { system::mkstemp(name) }
        });
        if fd >= 0 {
            // SAFETY: `mkstemp` has just opened it, so nothing else owns it.
            return (name, Ok(unsafe { OwnedFd::from_raw_fd(fd) }));
        }
        match Errno::last() {
            // Repeat with a new name.
            Errno::EINTR => {}
            error => return (name, Err(error)),
        }
    }
}

/// Calls `create` with a writable copy of the template. Preserves `errno`.
fn fill_template<T>(template: &CStr, create: impl FnOnce(*mut libc::c_char) -> T) -> (CString, T) {
    let name = template.to_owned().into_raw();
    let created = create(name);
    // SAFETY: `into_raw` has returned the pointer, and the length of the string has not changed.
    (unsafe { CString::from_raw(name) }, created)
}
