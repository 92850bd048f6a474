//! The flags of `poll`, which event ports use too.

use crate::selector::{Interest, Readiness};
use crate::{Errno, Result};

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android", target_os = "illumos"))] {
        use libc::POLLRDHUP;
    } else {
        /// The system does not report that a peer has shut down its writing side.
        const POLLRDHUP: i16 = 0;
    }
}

/// The flags that `interest` waits for. `ENOSYS` if the system cannot report it.
pub(crate) fn flags(interest: Interest) -> Result<i16> {
    if POLLRDHUP == 0 && interest.contains(Interest::DISCONNECT) {
        return Err(Errno::ENOSYS);
    }
    let flag = |wanted: Interest, flag: i16| if interest.intersects(wanted) { flag } else { 0 };
    Ok(flag(Interest::READABLE, libc::POLLIN)
        | flag(Interest::WRITABLE, libc::POLLOUT)
        | flag(Interest::DISCONNECT, POLLRDHUP)
        | flag(Interest::PRIORITIZED, libc::POLLPRI))
}

/// What the flags that the system has returned mean.
pub(crate) fn readiness(flags: i16) -> Readiness {
    let has = |flag: i16| flags & flag != 0;
    let mut readiness = Readiness::empty();
    readiness.set(Readiness::READABLE, has(libc::POLLIN));
    readiness.set(Readiness::WRITABLE, has(libc::POLLOUT));
    readiness.set(Readiness::DISCONNECT, has(POLLRDHUP));
    readiness.set(Readiness::PRIORITIZED, has(libc::POLLPRI));
    readiness.set(Readiness::ERROR, has(libc::POLLERR));
    readiness.set(Readiness::HANGUP, has(libc::POLLHUP));
    readiness
}
