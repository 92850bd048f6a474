//! Files on Apple's systems: `copyfile`, `sendfile` to a socket, `F_FULLFSYNC`.

use std::ffi::{CStr, c_int};
use std::os::fd::RawFd;

use super::cancellable;
use super::copy::{Reflink, copy_opened};
pub(crate) use super::entry_type::file_type;
pub(crate) use super::mkstemp::mkstemp;
pub(crate) use super::sendfile::send;
pub(crate) use super::times_birth::file_times;
pub(crate) use super::unix::*;
use crate::{Errno, Result};

/// `PTHREAD_CANCEL_DISABLE`, which the crate libc does not declare.
pub(crate) const CANCEL_DISABLE: libc::c_int = 0;

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

/// Sends up to `length` bytes, which is not zero, from `offset` on. Returns how many were sent.
pub(crate) fn sendfile(to: RawFd, from: RawFd, offset: i64, length: usize) -> (usize, Result<()>) {
    // How much to send, and then how much was sent.
    let mut count = i64::try_from(length).unwrap_or(i64::MAX);
    let none = std::ptr::null_mut();
    // SAFETY: there are no headers, and the count is a local variable.
    if unsafe { libc::sendfile(from, to, offset, &raw mut count, none, 0) } == 0 {
        return (count as usize, Ok(()));
    }
    // Only these errors change the count.
    match Errno::last() {
        error @ (Errno::EAGAIN | Errno::EINTR) => (count as usize, Err(error)),
        error => (0, Err(error)),
    }
}

// `fsync` leaves data in the cache of the device; `F_FULLFSYNC` does not.
unsafe extern "C-unwind" {
    fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
}

/// A cancellation point.
///
/// # Safety
/// Safe to call with any number.
pub(crate) unsafe extern "C-unwind" fn fsync(fd: c_int) -> c_int {
    // SAFETY: both take only integers. Not all file systems support the first one.
    unsafe {
        match fcntl(fd, libc::F_FULLFSYNC) {
            -1 => cancellable::fsync(fd),
            result => result,
        }
    }
}

pub(crate) use fsync as fdatasync;
