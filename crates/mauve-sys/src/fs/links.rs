//! Links and names of files: `link`, `symlink`, `readlink`, `realpath`, `rename`, `unlink`.

use std::ffi::{CStr, CString, c_char};

use super::check;
pub use super::types::LinkKind;
use crate::faults::{self, Call};
use crate::{Errno, Result};

/// Creates a hard link at `new_path`.
#[doc(alias = "uv_fs_link")]
pub fn link(path: &CStr, new_path: &CStr) -> Result<()> {
    faults::check(Call::Create)?;
    // SAFETY: both paths are C strings that outlive the call.
    check(|| unsafe { libc::link(path.as_ptr(), new_path.as_ptr()) })
}

/// Creates a symbolic link at `new_path` that contains `target`.
#[doc(alias = "uv_fs_symlink")]
pub fn symlink(target: &CStr, new_path: &CStr, _: LinkKind) -> Result<()> {
    faults::check(Call::Create)?;
    // SAFETY: both paths are C strings that outlive the call.
    check(|| unsafe { libc::symlink(target.as_ptr(), new_path.as_ptr()) })
}

/// Reads the target of a symbolic link.
#[doc(alias = "uv_fs_readlink")]
pub fn readlink(path: &CStr) -> Result<CString> {
    let mut target = vec![0; 256];
    loop {
        // SAFETY: `path` is a C string, and the call writes at most the size of `target`.
        let length =
            unsafe { libc::readlink(path.as_ptr(), target.as_mut_ptr().cast(), target.len()) };
        match usize::try_from(length) {
            Err(_) if Errno::last() == Errno::EINTR => {}
            Err(_) => return Err(Errno::last()),
            // It may have been cut.
            Ok(length) if length == target.len() => target.resize(2 * length, 0),
            Ok(length) => {
                target.truncate(length);
                return CString::new(target).map_err(|_| Errno::EINVAL);
            }
        }
    }
}

/// The canonical absolute path of an existing file, without symbolic links and dots.
#[doc(alias = "uv_fs_realpath")]
pub fn realpath(path: &CStr) -> Result<CString> {
    let found: *mut c_char = loop {
        // SAFETY: `path` is null-terminated. A null buffer makes the C library allocate the result.
        let found = unsafe { libc::realpath(path.as_ptr(), std::ptr::null_mut()) };
        match Errno::last() {
            _ if !found.is_null() => break found,
            Errno::EINTR => {}
            error => return Err(error),
        }
    };
    // SAFETY: `realpath` has returned a null-terminated string.
    let path = unsafe { CStr::from_ptr(found) }.to_owned();
    // SAFETY: `realpath` has allocated it with `malloc`, and it is not used after this.
    unsafe { libc::free(found.cast()) };
    Ok(path)
}

/// Renames a file or directory. Replaces an existing file at `new_path`.
#[doc(alias = "uv_fs_rename")]
pub fn rename(path: &CStr, new_path: &CStr) -> Result<()> {
    faults::check(Call::Create)?;
    // SAFETY: both paths are C strings that outlive the call.
    check(|| unsafe { libc::rename(path.as_ptr(), new_path.as_ptr()) })
}

/// Removes a name of a file.
#[doc(alias = "uv_fs_unlink")]
pub fn unlink(path: &CStr) -> Result<()> {
    // SAFETY: `path` is a C string that outlives the call.
    check(|| unsafe { libc::unlink(path.as_ptr()) })
}
