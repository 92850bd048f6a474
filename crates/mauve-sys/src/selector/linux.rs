//! The selector on Linux: epoll, or `poll` with `MAUVE_SELECTOR=poll`.

use std::ops::{Deref, DerefMut};
use std::os::fd::{BorrowedFd, RawFd};

use rustix::fs::{FileType, OFlags};

use super::{epoll, poll};
use crate::fd::borrow;
use crate::selector::{Event, Select, WaitCall, WaitOptions};
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

    /// As [`Select::probe`]. Both selectors refuse the same descriptors.
    pub fn probe(&self, fd: RawFd) -> Result<()> {
        match self {
            Self::Epoll(selector) => selector.probe(fd),
            Self::Poll(selector) => refuse_as_epoll(fd).and_then(|()| selector.probe(fd)),
        }
    }

    /// As [`Select::begin_wait`], with a direct call that the compiler may inline.
    #[inline(always)] // Called once per iteration, by one caller.
    pub fn begin_wait(&mut self, options: WaitOptions<'_>) -> WaitCall {
        match self {
            Self::Epoll(selector) => selector.begin_wait(options),
            Self::Poll(selector) => begin_cold(selector, options),
        }
    }

    /// Performs a wait.
    ///
    /// # Safety
    /// The selector that has prepared it exists, and has begun no other wait since.
    #[inline(always)]
    pub unsafe fn run(call: &WaitCall) -> Result<usize> {
        // SAFETY: the caller guarantees it.
        unsafe { if call.fd < 0 { run_cold(call) } else { epoll::Selector::run(call) } }
    }

    /// As [`Select::end_wait`], with a direct call that the compiler may inline.
    #[inline(always)]
    pub fn end_wait(&mut self, count: usize, events: &mut Vec<Event>) -> bool {
        match self {
            Self::Epoll(selector) => selector.end_wait(count, events),
            Self::Poll(selector) => end_cold(selector, count, events),
        }
    }
}

impl Deref for Selector {
    type Target = dyn Select;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match self {
            Self::Epoll(selector) => selector,
            Self::Poll(selector) => selector,
        }
    }
}

impl DerefMut for Selector {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Epoll(selector) => selector,
            Self::Poll(selector) => selector,
        }
    }
}

// Make the compiler place the code of epoll first.

#[cold]
fn begin_cold(selector: &mut poll::Selector, options: WaitOptions<'_>) -> WaitCall {
    selector.begin_wait(options)
}

/// # Safety
/// As [`Selector::run`].
#[cold]
unsafe fn run_cold(call: &WaitCall) -> Result<usize> {
    // SAFETY: the caller guarantees it.
    unsafe { poll::Selector::run(call) }
}

#[cold]
fn end_cold(selector: &mut poll::Selector, count: usize, events: &mut Vec<Event>) -> bool {
    selector.end_wait(count, events)
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
