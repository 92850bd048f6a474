//! The selector on Linux: epoll, or `poll` with `MAUVE_SELECTOR=poll`.

use std::os::fd::{BorrowedFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::fs::{FileType, OFlags};

use super::{epoll, poll};
use crate::fd::borrow;
use crate::selector::{Event, Interest, Key, Select};
use crate::{Errno, Result};

/// The environment variable that selects `poll`.
const VARIABLE: &str = "MAUVE_SELECTOR";

/// The selector that was chosen when it was opened.
pub(crate) enum Selector {
    Epoll(epoll::Selector),
    Poll(poll::Selector),
}

impl Selector {
    /// Opens the selector that the environment names. `EINVAL` for an unknown name.
    pub fn new(waker: BorrowedFd<'_>) -> Result<Self> {
        match std::env::var_os(VARIABLE) {
            Some(name) if name == "poll" => poll::Selector::new(waker).map(Self::Poll),
            Some(name) if name != "epoll" => Err(Errno::EINVAL),
            _ => epoll::Selector::new(waker).map(Self::Epoll),
        }
    }
}

/// Calls a method of the selector that was chosen.
macro_rules! forward {
    ($self:ident, $selector:ident => $call:expr) => {
        match $self {
            Selector::Epoll($selector) => $call,
            Selector::Poll($selector) => {
                seldom();
                $call
            }
        }
    };
}

/// `EBADF` for a descriptor that only refers to a path, and `EPERM` for `/dev/null`, `/dev/zero` and
/// `/dev/full`. `poll` accepts them.
fn refuse_as_epoll(fd: RawFd) -> Result<()> {
    const MEMORY: u32 = 1;
    const ALWAYS_READY: [u32; 3] = [3, 5, 7];
    let fd = borrow(&fd)?;
    if rustix::fs::fcntl_getfl(fd)?.contains(OFlags::PATH) {
        return Err(Errno::EBADF);
    }
    let status = rustix::fs::fstat(fd)?;
    let device = (rustix::fs::major(status.st_rdev), rustix::fs::minor(status.st_rdev));
    let refused = FileType::from_raw_mode(status.st_mode) == FileType::CharacterDevice
        && device.0 == MEMORY
        && ALWAYS_READY.contains(&device.1);
    if refused { Err(Errno::EPERM) } else { Ok(()) }
}

/// Makes the compiler place code for epoll first.
#[cold]
fn seldom() {}

/// Each method is one branch, and a direct call that the compiler may inline.
impl Select for Selector {
    fn fd(&self) -> Option<RawFd> {
        forward!(self, selector => selector.fd())
    }

    #[inline]
    fn max_events(&self) -> usize {
        forward!(self, selector => selector.max_events())
    }

    #[inline]
    fn is_empty(&self) -> bool {
        forward!(self, selector => selector.is_empty())
    }

    fn probe(&self, fd: RawFd) -> Result<()> {
        match self {
            Self::Epoll(selector) => selector.probe(fd),
            Self::Poll(selector) => refuse_as_epoll(fd).and_then(|()| selector.probe(fd)),
        }
    }

    #[inline]
    fn register(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        forward!(self, selector => selector.register(fd, key, interest))
    }

    #[inline]
    fn reregister(&mut self, fd: RawFd, key: Key, interest: Interest) -> Result<()> {
        forward!(self, selector => selector.reregister(fd, key, interest))
    }

    #[inline]
    fn deregister(&mut self, fd: RawFd, registered: bool) -> Result<()> {
        forward!(self, selector => selector.deregister(fd, registered))
    }

    #[inline]
    fn deregister_and_close(
        &mut self,
        fd: OwnedFd,
        registered: bool,
        explicit: bool,
    ) -> Result<()> {
        forward!(self, selector => selector.deregister_and_close(fd, registered, explicit))
    }

    fn rebuild(&mut self, waker: BorrowedFd<'_>) -> Result<bool> {
        forward!(self, selector => selector.rebuild(waker))
    }

    fn require_explicit_deregister(&mut self) {
        forward!(self, selector => selector.require_explicit_deregister());
    }

    #[inline(always)] // Called once per iteration, from one place.
    fn wait(&mut self, timeout: Option<u32>, events: &mut Vec<Event>) -> Result<bool> {
        forward!(self, selector => selector.wait(timeout, events))
    }

    fn wait_for(&mut self, timeout: Duration, events: &mut Vec<Event>) -> Result<bool> {
        forward!(self, selector => selector.wait_for(timeout, events))
    }

    fn disable_cancellation(&mut self) {
        forward!(self, selector => selector.disable_cancellation());
    }

    fn block_profiling_signal(&mut self, block: bool) {
        forward!(self, selector => selector.block_profiling_signal(block));
    }

    #[inline]
    fn has_mask(&self) -> bool {
        forward!(self, selector => selector.has_mask())
    }

    fn reopen(&mut self) -> Result<()> {
        forward!(self, selector => selector.reopen())
    }

    fn add_waker(&mut self, waker: BorrowedFd<'_>) -> Result<()> {
        forward!(self, selector => selector.add_waker(waker))
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::{AsFd as _, AsRawFd as _};

    use rustix::fs::Mode;

    use super::*;

    #[test]
    fn both_selectors_refuse_the_same_files() {
        let waker = crate::waker::open().unwrap().fd;
        let epoll = Selector::Epoll(epoll::Selector::new(waker.as_fd()).unwrap());
        let poll = Selector::Poll(poll::Selector::new(waker.as_fd()).unwrap());
        for path in ["/", "/dev/null", "/dev/zero", "/dev/full", "/dev/ptmx"] {
            for flags in [OFlags::RDONLY, OFlags::PATH] {
                // A container may lack some of them.
                let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else { continue };
                let fd = file.as_raw_fd();
                assert_eq!(poll.probe(fd), epoll.probe(fd), "{path}, {flags:?}");
            }
        }
        let (reader, _writer) = rustix::pipe::pipe().unwrap();
        assert_eq!(poll.probe(reader.as_raw_fd()), Ok(()));
    }
}
