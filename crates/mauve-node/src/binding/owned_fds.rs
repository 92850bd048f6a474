//! The file descriptors that the script owns.
//!
//! A script uses raw numbers. It may close or transfer only descriptors that it has opened or that
//! the process has inherited. The number of a descriptor of the loop is `EBADF`.

use std::collections::BTreeMap;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mauve::{Errno, Result};
use mauve_sys::fs::open;

/// Behind a mutex, because pool threads open and close files.
static OWNED: Mutex<BTreeMap<RawFd, OwnedFd>> = Mutex::new(BTreeMap::new());

fn owned() -> MutexGuard<'static, BTreeMap<RawFd, OwnedFd>> {
    OWNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the descriptors that the process has inherited. Called before anything is opened.
pub(crate) fn add_inherited() {
    for fd in mauve_sys::process::take_inherited() {
        insert(fd);
    }
}

/// Adds a descriptor. Returns its number.
pub(super) fn insert(fd: OwnedFd) -> RawFd {
    let number = fd.as_raw_fd();
    owned().insert(number, fd);
    number
}

/// Removes a descriptor whose ownership the script transfers.
pub(super) fn take(number: RawFd) -> Result<OwnedFd> {
    owned().remove(&number).ok_or(Errno::EBADF)
}

/// Closes a descriptor of the script. A standard descriptor is redirected to `/dev/null` instead.
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
