//! Copying files on Apple's systems: `copyfile`, and `sendfile` to a socket.

use std::ffi::CStr;
use std::os::fd::OwnedFd;

use crate::fs::copy::{Reflink, copy_opened};
pub(crate) use crate::platform::send::send;
use crate::{Errno, Result};

/// Copies a file. `copyfile` shares the blocks if the file system can; otherwise the file is copied as
/// on other systems.
pub(crate) fn copy_file(
    path: &CStr,
    new_path: &CStr,
    exclusive: bool,
    reflink: Reflink,
) -> Result<()> {
    // `copyfile` creates the copy, and fails if there is another file.
    let clones = reflink != Reflink::Never && exclusive || reflink == Reflink::Always;
    if !clones {
        return copy_opened(path, new_path, exclusive, Reflink::Never);
    }
    if !exclusive {
        // The clone replaces an existing file, unless it is the same one.
        crate::fs::stat::stat(path)?;
        if is_same(path, new_path) {
            return Ok(());
        }
        let _ = crate::fs::links::unlink(new_path);
    }
    let flags = libc::COPYFILE_CLONE_FORCE | libc::COPYFILE_EXCL;
    // SAFETY: both paths are null-terminated, and a null state is allowed.
    let copied =
        unsafe { libc::copyfile(path.as_ptr(), new_path.as_ptr(), std::ptr::null_mut(), flags) };
    match (copied, reflink) {
        (0, _) => Ok(()),
        (_, Reflink::Always) => Err(Errno::last()),
        _ if Errno::last() == Errno::EEXIST => Err(Errno::EEXIST),
        _ => copy_opened(path, new_path, exclusive, Reflink::Never),
    }
}

fn is_same(path: &CStr, other: &CStr) -> bool {
    let file = |path| crate::fs::stat::stat(path).map(|found| (found.dev, found.ino));
    file(path).is_ok() && file(path) == file(other)
}

/// Not called: `copy_file` clones by path.
pub(crate) fn clone(_to: &OwnedFd, _from: &OwnedFd) -> Result<()> {
    Err(Errno::ENOSYS)
}
