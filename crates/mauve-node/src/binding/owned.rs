//! The descriptors that belong to the script, by their numbers.
//!
//! A script knows files by numbers. It may close or give away only what it has opened or what the
//! process has inherited: a number of one of the loop's own descriptors is `EBADF`.

use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mauve::{Errno, Result};
use mauve_sys::fs::open;

/// Files are opened and closed on threads of the pool, too.
static OWNED: Mutex<BTreeMap<RawFd, OwnedFd>> = Mutex::new(BTreeMap::new());

fn owned() -> MutexGuard<'static, BTreeMap<RawFd, OwnedFd>> {
    OWNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives the script what the process has inherited.
pub(crate) fn keep_inherited() {
    for fd in mauve_sys::process::take_inherited() {
        keep(fd);
    }
}

/// Gives a descriptor to the script. Returns its number.
pub(super) fn keep(fd: OwnedFd) -> RawFd {
    let number = fd.as_raw_fd();
    owned().insert(number, fd);
    number
}

/// Takes a descriptor that the script gives away.
pub(super) fn take(number: RawFd) -> Result<OwnedFd> {
    owned().remove(&number).ok_or(Errno::EBADF)
}

/// Closes a descriptor of the script. One of the standard ones stays open, and leads nowhere.
pub(super) fn close(number: RawFd) -> Result<()> {
    let replace = match number {
        0 => rustix::stdio::dup2_stdin::<OwnedFd>,
        1 => rustix::stdio::dup2_stdout,
        2 => rustix::stdio::dup2_stderr,
        _ => return open::close(take(number)?),
    };
    replace(open::open(c"/dev/null", libc::O_RDWR, 0)?)
        .map_err(|error| Errno::from_raw(error.raw_os_error()))
}
