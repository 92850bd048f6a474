//! An io_uring that does several reads with one system call, and nothing else.
//!
//! It is a batching device: every read says that it must not wait (`RWF_NOWAIT`), so the kernel has
//! done or refused all of them when the call returns. Nothing is ever in flight, so there is
//! nothing to wait for, to cancel, or to be woken by.

use std::os::fd::RawFd;

use io_uring::{IoUring, opcode, types};

use super::read_write::Segment;
use crate::{Errno, Result};

/// How many operations go with one call. Their descriptions fill one page.
const ENTRIES: usize = 64;
/// For so many reads it pays to lend their file to the ring.
const MANY: usize = 16;

/// A variable that is set to zero by those who want no ring at all.
const SWITCH: &str = "UV_USE_IO_URING";

pub(super) struct Ring {
    uring: IoUring,
    pushed: usize,
    lending: Lending,
}

/// A file that the ring holds for the length of one call: the kernel then looks it up once, and not
/// for each read.
struct Lending {
    /// Whether this kernel is able to.
    possible: bool,
    /// The file, if there is one, and none: what the kernel is told at the beginning and at the end.
    files: Box<[RawFd; 2]>,
}

/// What the lending itself is known by.
const LENT: u64 = u64::MAX;
const TAKEN_BACK: u64 = u64::MAX - 1;
const NO_FILE: RawFd = -1;

impl Ring {
    /// `None` if there shall be none, or if the system has none to give: it may be too old, or a
    /// filter may forbid it.
    #[cold]
    pub fn open() -> Option<Self> {
        if std::env::var_os(SWITCH).is_some_and(|value| value == "0") {
            return None;
        }
        // No flags: a loop may be run by one thread after the other.
        let uring = IoUring::new(ENTRIES as u32).ok()?;
        let possible = uring.submitter().register_files_sparse(1).is_ok();
        let lending = Lending { possible, files: Box::new([NO_FILE; 2]) };
        // Came with the operation that we need.
        uring.params().is_feature_rw_cur_pos().then_some(Self { uring, pushed: 0, lending })
    }

    /// Whether no other read may be pushed. There is always room to take back a file.
    pub fn is_full(&self) -> bool {
        self.pushed >= ENTRIES - 1
    }

    /// Adds a read to those that [`run`](Self::run) does. There will be about `count` of them.
    ///
    /// # Safety
    /// The segment must be good for it until then, or until the ring is dropped.
    pub unsafe fn push(&mut self, read: (usize, RawFd, u64), into: Segment, count: usize) {
        let (tag, fd, offset) = read;
        if self.pushed == 0 && count >= MANY && self.lending.possible {
            self.lending.files[0] = fd;
            self.update(0, LENT);
        }
        let (into, length) = (into.base(), into.len() as u32);
        let read = if self.lending.files[0] == fd {
            opcode::Read::new(types::Fixed(0), into, length)
        } else {
            opcode::Read::new(types::Fd(fd), into, length)
        };
        let read = read.offset(offset).rw_flags(libc::RWF_NOWAIT).build().user_data(tag as u64);
        // SAFETY: promised by the caller. There is room, see `is_full`.
        let pushed = unsafe { self.uring.submission().push(&read) };
        self.pushed += usize::from(pushed.is_ok());
    }

    /// Has the ring hold what is at `index` of the files, from then on.
    fn update(&mut self, index: usize, tag: u64) {
        let update = opcode::FilesUpdate::new(&raw const self.lending.files[index], 1);
        // SAFETY: the files stay where they are until the ring is dropped.
        let pushed = unsafe { self.uring.submission().push(&update.build().user_data(tag)) };
        self.pushed += usize::from(pushed.is_ok());
    }

    /// Does all that was pushed, and tells how each ended. When this returns, the kernel has let go
    /// of all memory. `false` if the ring is of no use any more; what was not told was not done.
    pub fn run(&mut self, mut tell: impl FnMut(usize, Result<usize>)) -> bool {
        if self.lending.files[0] != NO_FILE {
            self.update(1, TAKEN_BACK);
        }
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
                (left, in_flight) = (left - 1, in_flight - 1);
                let result = ended.result();
                match ended.user_data() {
                    LENT | TAKEN_BACK => self.lending.possible &= result == 1,
                    // Not the read's fault.
                    tag if !self.lending.possible && result == -libc::EBADF => {
                        tell(tag as usize, Err(Errno::EAGAIN));
                    }
                    tag => {
                        let bytes = usize::try_from(result).map_err(|_| Errno::from_raw(-result));
                        tell(tag as usize, bytes);
                    }
                }
            }
        }
        self.lending.files[0] = NO_FILE;
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
        std::fs::write(&path, vec![7; ENTRIES * 4096]).unwrap();
        let file = File::open(&path).unwrap();
        let mut pages = vec![[0u8; 4096]; ENTRIES];
        for cached in [true, false] {
            if !cached {
                file.sync_all().unwrap();
                // SAFETY: plain numbers.
                unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
            }
            for (index, page) in pages.iter_mut().enumerate() {
                let read = (index, file.as_raw_fd(), index as u64 * 4096);
                // SAFETY: the pages stay until the end of the test.
                unsafe { ring.push(read, Segment::over(page), ENTRIES) };
                if ring.is_full() {
                    break;
                }
            }
            assert_eq!(ring.pushed, ENTRIES - 1);
            // One call, and as many ends as beginnings.
            assert_eq!(ring.uring.submit().unwrap(), ENTRIES - 1);
            assert_eq!(ring.uring.completion().len(), ENTRIES - 1);
            for ended in ring.uring.completion() {
                let expected = [4096, -libc::EAGAIN].contains(&ended.result());
                assert!(expected || ended.user_data() == LENT, "{ended:?}");
            }
            ring.pushed = 0;
            assert!(ring.run(|_, _| unreachable!("only the file is taken back")));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_was_lent_is_let_go() {
        let Some(mut ring) = Ring::open() else { return };
        let path = std::env::temp_dir().join(format!("mauve-lent-{}", std::process::id()));
        std::fs::write(&path, "text").unwrap();
        let mut bytes = [[0u8; 4]; MANY];
        for _ in 0..3 {
            // A lock is held until nobody has the file any more.
            let file = File::open(&path).unwrap();
            let lock = libc::LOCK_EX | libc::LOCK_NB;
            // SAFETY: plain numbers.
            assert_eq!(unsafe { libc::flock(file.as_raw_fd(), lock) }, 0);
            for (index, bytes) in bytes.iter_mut().enumerate() {
                let read = (index, file.as_raw_fd(), 0);
                // SAFETY: the bytes stay until the end of the test.
                unsafe { ring.push(read, Segment::over(bytes), MANY) };
            }
            let mut told = 0;
            assert!(ring.run(|_, result| {
                assert!([Ok(4), Err(Errno::EAGAIN)].contains(&result), "{result:?}");
                told += 1;
            }));
            assert_eq!(told, MANY);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_lent_is_left_to_others() {
        let Some(mut ring) = Ring::open() else { return };
        let mut bytes = [[0u8; 4]; MANY];
        for (index, bytes) in bytes.iter_mut().enumerate() {
            // SAFETY: the bytes stay until the end of the test.
            unsafe { ring.push((index, 9999, 0), Segment::over(bytes), MANY) };
        }
        assert!(ring.run(|_, result| assert_eq!(result, Err(Errno::EAGAIN))));
        assert!(!ring.lending.possible);
    }

    #[test]
    fn a_ring_whose_descriptor_is_gone_says_so_and_tells_nothing() {
        let Some(mut ring) = Ring::open() else { return };
        let null = File::open("/dev/null").unwrap();
        // SAFETY: the ring's own descriptor, which is something else from now on.
        assert!(unsafe { libc::dup2(null.as_raw_fd(), ring.as_raw_fd()) } >= 0);
        let mut page = [0u8; 10];
        // SAFETY: the page stays until the end of the test.
        unsafe { ring.push((0, null.as_raw_fd(), 0), Segment::over(&mut page), 1) };
        assert!(!ring.run(|_, _| unreachable!("nothing was done")));
    }
}
