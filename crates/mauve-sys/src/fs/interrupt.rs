//! Reads and writes that can be cancelled while they wait for data or space.
//!
//! A thread that is in `read` cannot be recalled. So the thread waits with `poll` first, for the
//! descriptor and for the cancellation. Only one of them wins: the operation is not cancelled after it has
//! begun to transfer bytes.

use std::io::{PipeReader, PipeWriter, Write as _, pipe};
use std::os::fd::{AsFd as _, RawFd};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{FileType, OFlags, fcntl_getfl, fstat};

use super::{call, descriptor};
use crate::{Errno, Result};

const WAITING: u8 = 0;
const TRANSFERRING: u8 = 1;
const CANCELLED: u8 = 2;

/// What an operation waits for.
#[derive(Debug, Clone, Copy)]
pub enum Direction {
    /// Data, or the end of it.
    Read,
    /// Space.
    Write,
}

/// The wait of one operation on one thread, which another thread may cancel.
#[derive(Debug)]
pub struct Interrupt {
    state: AtomicU8,
    cancelled: PipeReader,
    cancel: Mutex<Option<PipeWriter>>,
}

impl Interrupt {
    /// For an operation on a descriptor that may block for any time: a pipe, a socket, a terminal in
    /// blocking mode. `None` for others, and if no descriptors are left for the cancellation.
    pub fn for_descriptor(fd: RawFd) -> Option<Self> {
        let file = descriptor(&fd).ok()?;
        let kind = FileType::from_raw_mode(fstat(file).ok()?.st_mode);
        if matches!(kind, FileType::RegularFile | FileType::Directory | FileType::BlockDevice)
            || fcntl_getfl(file).ok()?.contains(OFlags::NONBLOCK)
        {
            return None;
        }
        let (cancelled, cancel) = pipe().ok()?;
        let (state, cancel) = (AtomicU8::new(WAITING), Mutex::new(Some(cancel)));
        Some(Self { state, cancelled, cancel })
    }

    /// Waits until the descriptor is ready. Fails with `ECANCELED` if [`cancel`](Self::cancel) was called
    /// before.
    pub fn wait(&self, fd: RawFd, direction: Direction) -> Result<()> {
        let flags = match direction {
            Direction::Read => PollFlags::IN,
            Direction::Write => PollFlags::OUT,
        };
        let file = descriptor(&fd)?;
        loop {
            let mut entries = [
                PollFd::from_borrowed_fd(file, flags),
                PollFd::from_borrowed_fd(self.cancelled.as_fd(), PollFlags::IN),
            ];
            call(|| poll(&mut entries, None))?;
            if !entries[1].revents().is_empty() || !entries[0].revents().is_empty() {
                return if self.enter(TRANSFERRING) { Ok(()) } else { Err(Errno::ECANCELED) };
            }
        }
    }

    /// Cancels the wait. Returns false if it has ended already, or was cancelled before.
    pub fn cancel(&self) -> bool {
        if !self.enter(CANCELLED) {
            return false;
        }
        let writer = self.cancel.lock().ok().and_then(|mut writer| writer.take());
        // Closing it would end the wait, too, but a forked child may have a copy.
        writer.is_some_and(|mut writer| writer.write_all(&[0]).is_ok())
    }

    fn enter(&self, state: u8) -> bool {
        self.state.compare_exchange(WAITING, state, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd as _;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_wait_ends_when_it_is_cancelled_and_only_once() {
        let (reader, _writer) = pipe().unwrap();
        let interrupt = Interrupt::for_descriptor(reader.as_raw_fd()).unwrap();
        thread::scope(|scope| {
            let wait = scope.spawn(|| interrupt.wait(reader.as_raw_fd(), Direction::Read));
            thread::sleep(Duration::from_millis(5));
            assert!(interrupt.cancel());
            assert!(!interrupt.cancel());
            assert_eq!(wait.join().unwrap(), Err(Errno::ECANCELED));
        });
    }

    #[test]
    fn an_operation_whose_wait_has_ended_cannot_be_cancelled() {
        let (reader, mut writer) = pipe().unwrap();
        writer.write_all(b"x").unwrap();
        let interrupt = Interrupt::for_descriptor(reader.as_raw_fd()).unwrap();
        assert_eq!(interrupt.wait(reader.as_raw_fd(), Direction::Read), Ok(()));
        assert!(!interrupt.cancel());
    }

    #[test]
    fn a_wait_that_was_cancelled_before_fails_at_once() {
        let (_reader, writer) = pipe().unwrap();
        let interrupt = Interrupt::for_descriptor(writer.as_raw_fd()).unwrap();
        assert!(interrupt.cancel());
        assert_eq!(interrupt.wait(writer.as_raw_fd(), Direction::Write), Err(Errno::ECANCELED));
    }

    #[test]
    fn files_and_non_blocking_descriptors_have_nothing_to_wait_for() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert!(Interrupt::for_descriptor(file.as_raw_fd()).is_some());
        let file = std::fs::File::open("/").unwrap();
        assert!(Interrupt::for_descriptor(file.as_raw_fd()).is_none());
        let (reader, _writer) = pipe().unwrap();
        rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK).unwrap();
        assert!(Interrupt::for_descriptor(reader.as_raw_fd()).is_none());
        assert!(Interrupt::for_descriptor(-1).is_none());
    }
}
