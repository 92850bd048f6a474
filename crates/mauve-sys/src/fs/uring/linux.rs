//! An io_uring that performs several non-blocking reads with one system call.
//!
//! It is used only for batching. Every read has `RWF_NOWAIT`, so the kernel has completed or refused
//! all of them when the call returns, in the order in which they were pushed. Nothing stays in
//! flight, so there is nothing to wait for and nothing to cancel.

use std::os::fd::RawFd;

use io_uring::{IoUring, opcode, types};

use crate::fs::read_write::{IoVec, Position};
use crate::{Errno, Result};

/// The size of the submission queue, whose entries fill one page.
const ENTRIES: usize = 64;
/// From this many reads on, registering their file with the io_uring saves time.
const REGISTER_FROM: usize = 16;

/// The environment variable that disables io_uring if it is `0`.
const ENABLE_VARIABLE: &str = "UV_USE_IO_URING";

pub struct Uring {
    uring: IoUring,
    pushed: usize,
    registered: Registered,
}

/// A file that is registered during one call, so that the kernel looks it up once instead of for
/// each read.
struct Registered {
    /// Whether this kernel supports it.
    supported: bool,
    /// The arguments of the two updates of a call: the file (or `NO_FILE`), and `NO_FILE`.
    files: Box<[RawFd; 2]>,
}

/// The user data of the update that registers the file.
const REGISTER: u64 = u64::MAX;
/// The user data of the update that unregisters it.
const UNREGISTER: u64 = u64::MAX - 1;
const NO_FILE: RawFd = -1;

impl Uring {
    /// Opens an io_uring. `None` if it is disabled or not available: the kernel may be too old, or a
    /// seccomp filter may forbid it.
    #[cold]
    pub fn open() -> Option<Self> {
        if std::env::var_os(ENABLE_VARIABLE).is_some_and(|value| value == "0") {
            return None;
        }
        // No flags such as SINGLE_ISSUER: different threads may run a loop, one after the other.
        let uring = IoUring::new(ENTRIES as u32).ok()?;
        let supported = uring.submitter().register_files_sparse(1).is_ok();
        let registered = Registered { supported, files: Box::new([NO_FILE; 2]) };
        // This feature was added with the operation IORING_OP_READ.
        uring.params().is_feature_rw_cur_pos().then_some(Self { uring, pushed: 0, registered })
    }

    /// Replaces the io_uring by another file, for a test of a broken one.
    #[cfg(test)]
    pub fn replace_descriptor(&self, file: &std::fs::File) {
        use std::os::fd::AsRawFd as _;
        // SAFETY: both descriptors are open. The io_uring's descriptor stays open.
        let replaced = unsafe { libc::dup2(file.as_raw_fd(), self.as_raw_fd()) };
        assert!(replaced >= 0);
    }

    /// Whether the submission queue is full. One entry is reserved for unregistering a file.
    pub fn is_full(&self) -> bool {
        self.pushed >= ENTRIES - 1
    }

    /// Pushes a read for [`run`](Self::run): its tag, its descriptor and its position. `count` is the
    /// expected number of reads.
    ///
    /// # Safety
    /// The memory must be valid until `run` returns, or until this value is dropped.
    pub unsafe fn push(&mut self, read: (usize, RawFd, Position), into: IoVec, count: usize) {
        let (tag, fd, position) = read;
        if self.pushed == 0 && count >= REGISTER_FROM && self.registered.supported {
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
        // SAFETY: the caller promises that the memory stays valid. A full queue is an error.
        let pushed = unsafe { self.uring.submission().push(&read) };
        self.pushed += usize::from(pushed.is_ok());
    }

    /// Pushes an update of the registered file to `files[index]`.
    fn update(&mut self, index: usize, tag: u64) {
        let update = opcode::FilesUpdate::new(&raw const self.registered.files[index], 1);
        // SAFETY: the box keeps the files in place until the io_uring is dropped.
        let pushed = unsafe { self.uring.submission().push(&update.build().user_data(tag)) };
        self.pushed += usize::from(pushed.is_ok());
    }

    /// Performs all pushed reads and reports each result. When this returns, the kernel does not use
    /// their memory any more. Returns false if the io_uring is broken: reads without a report were
    /// not performed.
    pub fn run(&mut self, mut report: impl FnMut(usize, Result<usize>)) -> bool {
        if self.registered.files[0] != NO_FILE {
            self.update(1, UNREGISTER);
        }
        let (mut left, mut in_flight) = (std::mem::take(&mut self.pushed), 0);
        while left > 0 {
            // The first call does not wait, and leaves nothing in flight. Should a kernel keep a
            // read in flight nevertheless, the next call waits for it: its memory is in use.
            match self.uring.submit_and_wait(in_flight) {
                Ok(0) if in_flight == 0 => return false,
                Ok(submitted) => in_flight += submitted,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) if in_flight == 0 => return false,
                Err(_) => std::thread::yield_now(),
            }
            for completion in self.uring.completion() {
                (left, in_flight) = (left - 1, in_flight - 1);
                let result = completion.result();
                match completion.user_data() {
                    REGISTER | UNREGISTER => self.registered.supported &= result == 1,
                    // The registration has failed, not the read.
                    tag if !self.registered.supported && result == -libc::EBADF => {
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
    fn all_reads_are_complete_when_the_call_returns() {
        let Some(mut uring) = Uring::open() else { return };
        let path = std::env::temp_dir().join(format!("mauve-uring-{}", std::process::id()));
        std::fs::write(&path, vec![7; ENTRIES * 4096]).unwrap();
        let file = File::open(&path).unwrap();
        let mut pages = vec![[0u8; 4096]; ENTRIES];
        for cached in [true, false] {
            if !cached {
                file.sync_all().unwrap();
                // SAFETY: the call takes only integers.
                unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
            }
            for (index, page) in pages.iter_mut().enumerate() {
                let read = (index, file.as_raw_fd(), Position::At(index as u64 * 4096));
                // SAFETY: the pages live until the end of the test.
                unsafe { uring.push(read, IoVec::from_slice(page), ENTRIES) };
                if uring.is_full() {
                    break;
                }
            }
            assert_eq!(uring.pushed, ENTRIES - 1);
            // One call completes all that it submits.
            assert_eq!(uring.uring.submit().unwrap(), ENTRIES - 1);
            assert_eq!(uring.uring.completion().len(), ENTRIES - 1);
            for completion in uring.uring.completion() {
                let expected = [4096, -libc::EAGAIN].contains(&completion.result());
                assert!(expected || completion.user_data() == REGISTER, "{completion:?}");
            }
            uring.pushed = 0;
            assert!(uring.run(|_, _| unreachable!("only unregisters the file")));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_registered_file_is_not_kept_open_after_the_call() {
        let Some(mut uring) = Uring::open() else { return };
        let path = std::env::temp_dir().join(format!("mauve-registered-{}", std::process::id()));
        std::fs::write(&path, "text").unwrap();
        let mut bytes = [[0u8; 4]; REGISTER_FROM];
        for _ in 0..3 {
            // A lock is held until the last reference to the open file is dropped.
            let file = File::open(&path).unwrap();
            let lock = libc::LOCK_EX | libc::LOCK_NB;
            // SAFETY: the call takes only integers.
            assert_eq!(unsafe { libc::flock(file.as_raw_fd(), lock) }, 0);
            for (index, bytes) in bytes.iter_mut().enumerate() {
                let read = (index, file.as_raw_fd(), Position::At(0));
                // SAFETY: the bytes live until the end of the test.
                unsafe { uring.push(read, IoVec::from_slice(bytes), REGISTER_FROM) };
            }
            let mut reported = 0;
            assert!(uring.run(|_, result| {
                assert!([Ok(4), Err(Errno::EAGAIN)].contains(&result), "{result:?}");
                reported += 1;
            }));
            assert_eq!(reported, REGISTER_FROM);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_registered_is_reported_as_eagain() {
        let Some(mut uring) = Uring::open() else { return };
        let mut bytes = [[0u8; 4]; REGISTER_FROM];
        for (index, bytes) in bytes.iter_mut().enumerate() {
            let read = (index, 9999, Position::At(0));
            // SAFETY: the bytes live until the end of the test.
            unsafe { uring.push(read, IoVec::from_slice(bytes), REGISTER_FROM) };
        }
        assert!(uring.run(|_, result| assert_eq!(result, Err(Errno::EAGAIN))));
        assert!(!uring.registered.supported);
    }

    #[test]
    fn a_broken_io_uring_reports_nothing() {
        let Some(mut uring) = Uring::open() else { return };
        let null = File::open("/dev/null").unwrap();
        // SAFETY: both descriptors are open. The io_uring's descriptor stays open.
        assert!(unsafe { libc::dup2(null.as_raw_fd(), uring.as_raw_fd()) } >= 0);
        let mut page = [0u8; 10];
        let read = (0, null.as_raw_fd(), Position::At(0));
        // SAFETY: the page lives until the end of the test.
        unsafe { uring.push(read, IoVec::from_slice(&mut page), 1) };
        assert!(!uring.run(|_, _| unreachable!("nothing was read")));
    }
}
