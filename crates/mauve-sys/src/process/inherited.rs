//! The descriptors that this process was started with.
//!
//! They are recorded by an initialiser that runs before `main`: later nothing distinguishes an
//! inherited descriptor from one that was opened here without the close-on-exec flag. Nothing in the
//! process owns an inherited descriptor until [`take_inherited`] returns it.
//!
//! Only programs have the initialiser, by the feature `inherited`: a library that is loaded later
//! cannot know what was inherited.

use std::ffi::CStr;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, PoisonError};

/// What was recorded and is not taken yet.
static INHERITED: Mutex<Vec<RawFd>> = Mutex::new(Vec::new());

#[used]
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn() = record;

/// Records all descriptors but the standard ones that are open and not closed on exec.
extern "C" fn record() {
    // SAFETY: a string.
    let directory = unsafe { libc::opendir(c"/proc/self/fd".as_ptr()) };
    if directory.is_null() {
        return;
    }
    let mut inherited = INHERITED.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        // SAFETY: an open directory that only this thread reads.
        let entry = unsafe { libc::readdir(directory) };
        if entry.is_null() {
            break;
        }
        // SAFETY: an entry's name is a string, until the next one is read.
        let name = unsafe { CStr::from_ptr((&raw const (*entry).d_name).cast()) };
        let number = name.to_str().ok().and_then(|name| name.parse().ok());
        if let Some(fd) = number
            && fd > 2
            && is_inheritable(fd)
        {
            inherited.push(fd);
        }
    }
    // SAFETY: opened above.
    unsafe { libc::closedir(directory) };
}

fn is_inheritable(fd: RawFd) -> bool {
    // SAFETY: numbers; a bad descriptor is an error.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFD) };
    flags != -1 && flags & libc::FD_CLOEXEC == 0
}

/// Takes ownership of the descriptors that this process was started with, except the standard ones.
/// They are closed on exec from now on. A second call returns none.
pub fn take_inherited() -> Vec<OwnedFd> {
    let mut inherited = INHERITED.lock().unwrap_or_else(PoisonError::into_inner);
    // A descriptor that was made to close on exec has found another owner.
    inherited.drain(..).filter(|fd| is_inheritable(*fd)).map(take).collect()
}

fn take(fd: RawFd) -> OwnedFd {
    // SAFETY: numbers.
    unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    // SAFETY: it was open before any code of this program ran, so no value owns it, and only its
    // owner may close it. The record has each number once.
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
