//! An io_uring that performs several reads with one system call, and nothing else.
//!
//! It is a batching device: every read is marked as non-blocking (`RWF_NOWAIT`), so the kernel has
//! done or refused all of them when the call returns, in the order in which they were pushed.
//! Nothing is ever in flight, so there is nothing to wait for and nothing to cancel.

use std::os::fd::RawFd;

use io_uring::{IoUring, opcode, types};

use super::read_write::{Position, Segment};
use crate::{Errno, Result};

/// How many operations go with one call. Their descriptions fill one page.
const ENTRIES: usize = 64;
/// For so many reads it pays to register their file with the io_uring.
const MANY: usize = 16;

/// The environment variable that turns io_uring off, if it is zero.
const SWITCH: &str = "UV_USE_IO_URING";

pub(super) struct Uring {
    uring: IoUring,
    pushed: usize,
    registered: Registered,
}

/// A file that is registered for the length of one call: the kernel then looks it up once, and not
/// for each read.
struct Registered {
    /// Whether this kernel supports it.
    possible: bool,
    /// The file, or none, and none: the registrations at the beginning and at the end of a call.
    files: Box<[RawFd; 2]>,
}

/// The tags of the two registrations.
const REGISTER: u64 = u64::MAX;
const UNREGISTER: u64 = u64::MAX - 1;
const NO_FILE: RawFd = -1;

impl Uring {
    /// `None` if io_uring is turned off, or not available: the kernel may be too old, or a filter
    /// may forbid it.
    #[cold]
    pub fn open() -> Option<Self> {
        if std::env::var_os(SWITCH).is_some_and(|value| value == "0") {
            return None;
        }
        // No flags: a loop may be run by one thread after the other.
        let uring = IoUring::new(ENTRIES as u32).ok()?;
        let possible = uring.submitter().register_files_sparse(1).is_ok();
        let registered = Registered { possible, files: Box::new([NO_FILE; 2]) };
        // Came with the operation that we need.
        uring.params().is_feature_rw_cur_pos().then_some(Self { uring, pushed: 0, registered })
    }

    /// Whether no other read may be pushed. There is always room to unregister a file.
    pub fn is_full(&self) -> bool {
        self.pushed >= ENTRIES - 1
    }

    /// Adds a read to those that [`run`](Self::run) performs. There will be about `count` of them.
    ///
    /// # Safety
    /// The segment must be valid until then, or until this value is dropped.
    pub unsafe fn push(&mut self, read: (usize, RawFd, Position), into: Segment, count: usize) {
        let (tag, fd, position) = read;
        if self.pushed == 0 && count >= MANY && self.registered.possible {
            self.registered.files[0] = fd;
            self.update(0, REGISTER);
        }
        let (into, length) = (into.base(), into.len() as u32);
        let read = if self.registered.files[0] == fd {
            opcode::Read::new(types::Fixed(0), into, length)
        } else {
            opcode::Read::new(types::Fd(fd), into, length)
        };
        let read = read
            .offset(position.raw() as u64)
            .rw_flags(libc::RWF_NOWAIT)
            .build()
            .user_data(tag as u64);
        // SAFETY: promised by the caller. There is room, see `is_full`.
        let pushed = unsafe { self.uring.submission().push(&read) };
        self.pushed += usize::from(pushed.is_ok());
    }

    /// Registers what is at `index` of the files.
    fn update(&mut self, index: usize, tag: u64) {
        let update = opcode::FilesUpdate::new(&raw const self.registered.files[index], 1);
        // SAFETY: the files stay where they are until the io_uring is dropped.
        let pushed = unsafe { self.uring.submission().push(&update.build().user_data(tag)) };
        self.pushed += usize::from(pushed.is_ok());
    }

    /// Performs all that was pushed, and reports each result. When this returns, the kernel has none
    /// of the memory. `false` if the io_uring is broken; what was not reported was not done.
    pub fn run(&mut self, mut report: impl FnMut(usize, Result<usize>)) -> bool {
        if self.registered.files[0] != NO_FILE {
            self.update(1, UNREGISTER);
        }
        let (mut left, mut in_flight) = (std::mem::take(&mut self.pushed), 0);
        while left > 0 {
            // The first call does not wait, and leaves nothing in flight. A second one is for a
            // kernel that keeps a read all the same: its memory is the caller's again only when it
            // has ended.
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
                    REGISTER | UNREGISTER => self.registered.possible &= result == 1,
                    // Not the read's fault.
                    tag if !self.registered.possible && result == -libc::EBADF => {
                        report(tag as usize, Err(Errno::EAGAIN));
                    }
                    tag => {
                        let bytes = usize::try_from(result).map_err(|_| Errno::from_raw(-result));
                        report(tag as usize, bytes);
                    }
                }
            }
        }
        self.registered.files[0] = NO_FILE;
        true
    }
}

#[cfg(test)]
impl std::os::fd::AsRawFd for Uring {
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
        let Some(mut uring) = Uring::open() else { return };
        let path = std::env::temp_dir().join(format!("mauve-uring-{}", std::process::id()));
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
                let read = (index, file.as_raw_fd(), Position::At(index as u64 * 4096));
                // SAFETY: the pages stay until the end of the test.
                unsafe { uring.push(read, Segment::over(page), ENTRIES) };
                if uring.is_full() {
                    break;
                }
            }
            assert_eq!(uring.pushed, ENTRIES - 1);
            // One call, and as many ends as beginnings.
            assert_eq!(uring.uring.submit().unwrap(), ENTRIES - 1);
            assert_eq!(uring.uring.completion().len(), ENTRIES - 1);
            for ended in uring.uring.completion() {
                let expected = [4096, -libc::EAGAIN].contains(&ended.result());
                assert!(expected || ended.user_data() == REGISTER, "{ended:?}");
            }
            uring.pushed = 0;
            assert!(uring.run(|_, _| unreachable!("only the file is unregistered")));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_is_not_kept_open_after_the_call() {
        let Some(mut uring) = Uring::open() else { return };
        let path = std::env::temp_dir().join(format!("mauve-registered-{}", std::process::id()));
        std::fs::write(&path, "text").unwrap();
        let mut bytes = [[0u8; 4]; MANY];
        for _ in 0..3 {
            // A lock is held as long as the file is open somewhere.
            let file = File::open(&path).unwrap();
            let lock = libc::LOCK_EX | libc::LOCK_NB;
            // SAFETY: plain numbers.
            assert_eq!(unsafe { libc::flock(file.as_raw_fd(), lock) }, 0);
            for (index, bytes) in bytes.iter_mut().enumerate() {
                let read = (index, file.as_raw_fd(), Position::At(0));
                // SAFETY: the bytes stay until the end of the test.
                unsafe { uring.push(read, Segment::over(bytes), MANY) };
            }
            let mut reported = 0;
            assert!(uring.run(|_, result| {
                assert!([Ok(4), Err(Errno::EAGAIN)].contains(&result), "{result:?}");
                reported += 1;
            }));
            assert_eq!(reported, MANY);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_registered_is_reported_as_not_done() {
        let Some(mut uring) = Uring::open() else { return };
        let mut bytes = [[0u8; 4]; MANY];
        for (index, bytes) in bytes.iter_mut().enumerate() {
            // SAFETY: the bytes stay until the end of the test.
            unsafe { uring.push((index, 9999, Position::At(0)), Segment::over(bytes), MANY) };
        }
        assert!(uring.run(|_, result| assert_eq!(result, Err(Errno::EAGAIN))));
        assert!(!uring.registered.possible);
    }

    #[test]
    fn a_broken_io_uring_reports_nothing() {
        let Some(mut uring) = Uring::open() else { return };
        let null = File::open("/dev/null").unwrap();
        // SAFETY: the io_uring's own descriptor, which is something else from now on.
        assert!(unsafe { libc::dup2(null.as_raw_fd(), uring.as_raw_fd()) } >= 0);
        let mut page = [0u8; 10];
        // SAFETY: the page stays until the end of the test.
        unsafe { uring.push((0, null.as_raw_fd(), Position::At(0)), Segment::over(&mut page), 1) };
        assert!(!uring.run(|_, _| unreachable!("nothing was done")));
    }
}
