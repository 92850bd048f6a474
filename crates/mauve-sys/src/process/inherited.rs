//! The descriptors that this process has inherited.
//!
//! An initialiser that runs before `main` records them. Later, an inherited descriptor cannot be
//! distinguished from one that the process has opened without close-on-exec. Nothing owns an
//! inherited descriptor until [`take_inherited`] returns it.
//!
//! Executables enable the initialiser with the feature `inherited`. A library that is loaded later
//! cannot determine which descriptors were inherited.

use std::ffi::CStr;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, PoisonError};

use super::system::FD_DIRECTORY;

/// The recorded descriptors that are not taken yet.
static INHERITED: Mutex<Vec<RawFd>> = Mutex::new(Vec::new());

#[used]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static AT_START: extern "C" fn() = record;

/// Records all open descriptors without close-on-exec, except the first three.
extern "C" fn record() {
    // SAFETY: the path is null-terminated.
    let directory = unsafe { libc::opendir(FD_DIRECTORY.as_ptr()) };
    if directory.is_null() {
        return;
    }
    let mut inherited = INHERITED.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        // SAFETY: the directory is open, and only this thread reads it.
        let entry = unsafe { libc::readdir(directory) };
        if entry.is_null() {
            break;
        }
        // SAFETY: the name of an entry is null-terminated, and valid until the next call of `readdir`.
        let name = unsafe { CStr::from_ptr((&raw const (*entry).d_name).cast()) };
        let number = name.to_str().ok().and_then(|name| name.parse().ok());
        if let Some(fd) = number
            && fd > 2
            && is_inheritable(fd)
        {
            inherited.push(fd);
        }
    }
    // SAFETY: `opendir` has opened it, and it is not used afterwards.
    unsafe { libc::closedir(directory) };
}

fn is_inheritable(fd: RawFd) -> bool {
    // SAFETY: F_GETFD takes no pointer. A number that is not an open descriptor is an error.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFD) };
    flags != -1 && flags & libc::FD_CLOEXEC == 0
}

/// Takes ownership of the inherited descriptors, except the first three, and sets close-on-exec.
/// Returns none on the second call.
pub fn take_inherited() -> Vec<OwnedFd> {
    let mut inherited = INHERITED.lock().unwrap_or_else(PoisonError::into_inner);
    // A descriptor with close-on-exec has got another owner since the start.
    inherited.drain(..).filter(|fd| is_inheritable(*fd)).map(take).collect()
}

fn take(fd: RawFd) -> OwnedFd {
    // SAFETY: F_SETFD takes only integers.
    unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    // SAFETY: it was open before any code of this program ran, so no value owns it, and nothing may
    // close it. Each number is recorded once.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn descriptors_opened_later_are_not_taken() {
        let file = std::fs::File::open("/dev/null").unwrap();
        let inheritable = rustix::io::dup(&file).unwrap();
        assert!(is_inheritable(inheritable.as_raw_fd()));
        let taken = take_inherited();
        assert!(taken.iter().all(|fd| fd.as_raw_fd() != inheritable.as_raw_fd()), "{taken:?}");
        assert!(take_inherited().is_empty());
    }
}
