//! An io_uring that does several reads with one system call, and nothing else.
//!
//! It is a batching device: every read says that it must not wait (`RWF_NOWAIT`), so the kernel has
//! done or refused all of them when the call returns. Nothing is ever in flight, so there is
//! nothing to wait for, to cancel, or to be woken by.

use std::os::fd::RawFd;

use io_uring::{IoUring, opcode, types};

use super::read_write::Segment;
use crate::{Errno, Result};

/// How many reads go with one call. Their descriptions fill one page.
pub(super) const CAPACITY: usize = 64;

/// A variable that is set to zero by those who want no ring at all.
const SWITCH: &str = "UV_USE_IO_URING";

pub(super) struct Ring {
    uring: IoUring,
    pushed: usize,
}

impl Ring {
    /// `None` if there shall be none, or if the system has none to give: it may be too old, or a
    /// filter may forbid it.
    #[cold]
    pub fn open() -> Option<Self> {
        if std::env::var_os(SWITCH).is_some_and(|value| value == "0") {
            return None;
        }
        // No flags: a loop may be run by one thread after the other.
        let uring = IoUring::new(CAPACITY as u32).ok()?;
        // Came with the operation that we need.
        uring.params().is_feature_rw_cur_pos().then_some(Self { uring, pushed: 0 })
    }

    pub fn is_full(&self) -> bool {
        self.pushed == CAPACITY
    }

    /// Adds a read to those that [`run`](Self::run) does.
    ///
    /// # Safety
    /// The segment must be good for it until then, or until the ring is dropped.
    pub unsafe fn push(&mut self, tag: usize, fd: RawFd, segment: Segment, offset: u64) {
        let read = opcode::Read::new(types::Fd(fd), segment.base(), segment.len() as u32)
            .offset(offset)
            .rw_flags(libc::RWF_NOWAIT)
            .build()
            .user_data(tag as u64);
        // SAFETY: promised by the caller.
        let pushed = unsafe { self.uring.submission().push(&read) };
        self.pushed += usize::from(pushed.is_ok());
    }

    /// Does all that was pushed, and tells how each ended. When this returns, the kernel has let go
    /// of all memory. `false` if the ring is of no use any more; what was not told was not done.
    pub fn run(&mut self, mut tell: impl FnMut(usize, Result<usize>)) -> bool {
        let (mut left, mut in_flight) = (std::mem::take(&mut self.pushed), 0);
        while left > 0 {
            // The first call finds nothing to wait for, and leaves nothing. A second one is there
            // for a kernel that keeps a read all the same: its memory is the caller's again only
            // when it has ended.
            match self.uring.submit_and_wait(in_flight) {
                Ok(0) if in_flight == 0 => return false,
                Ok(submitted) => in_flight += submitted,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) if in_flight == 0 => return false,
                Err(_) => std::thread::yield_now(),
            }
            for ended in self.uring.completion() {
                let result = ended.result();
                let bytes = usize::try_from(result).map_err(|_| Errno::from_raw(-result));
                tell(ended.user_data() as usize, bytes);
                (left, in_flight) = (left - 1, in_flight - 1);
            }
        }
        true
    }
}

#[cfg(test)]
impl std::os::fd::AsRawFd for Ring {
    fn as_raw_fd(&self) -> RawFd {
        self.uring.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn nothing_is_in_flight_when_the_call_returns() {
        let Some(mut ring) = Ring::open() else { return };
        let path = std::env::temp_dir().join(format!("mauve-ring-{}", std::process::id()));
        std::fs::write(&path, vec![7; CAPACITY * 4096]).unwrap();
        let file = File::open(&path).unwrap();
        let mut pages = vec![[0u8; 4096]; CAPACITY];
        for cached in [true, false] {
            if !cached {
                file.sync_all().unwrap();
                // SAFETY: plain numbers.
                unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
            }
            for (index, page) in pages.iter_mut().enumerate() {
                let (segment, offset) = (Segment::over(page), index as u64 * 4096);
                // SAFETY: the pages stay until the end of the test.
                unsafe { ring.push(index, file.as_raw_fd(), segment, offset) };
            }
            assert!(ring.is_full());
            // One call, and as many ends as beginnings.
            assert_eq!(ring.uring.submit().unwrap(), CAPACITY);
            assert_eq!(ring.uring.completion().len(), CAPACITY);
            for ended in ring.uring.completion() {
                assert!([4096, -libc::EAGAIN].contains(&ended.result()), "{ended:?}");
            }
            ring.pushed = 0;
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_ring_whose_descriptor_is_gone_says_so_and_tells_nothing() {
        let Some(mut ring) = Ring::open() else { return };
        let null = File::open("/dev/null").unwrap();
        // SAFETY: the ring's own descriptor, which is something else from now on.
        assert!(unsafe { libc::dup2(null.as_raw_fd(), ring.as_raw_fd()) } >= 0);
        let mut page = [0u8; 10];
        // SAFETY: the page stays until the end of the test.
        unsafe { ring.push(0, null.as_raw_fd(), Segment::over(&mut page), 0) };
        assert!(!ring.run(|_, _| unreachable!("nothing was done")));
    }
}
