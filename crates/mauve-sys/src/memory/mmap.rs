//! Mapping files with `mmap`.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::ptr::NonNull;

use rustix::fs::{Mode, OFlags};

use super::{SharedMemory, system};
use crate::{Errno, Result};

impl SharedMemory {
    /// Creates a file of `length` zeroed words, which only this user may open, and maps it. Fails
    /// with `EEXIST` if it exists, and with `ENOSPC` if the disk is full: its blocks are allocated
    /// here, so that later writes cannot fail.
    pub fn create(path: &Path, length: usize) -> Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?;
        let memory = allocate(fd.as_fd(), length).and_then(|()| Self::map(fd.as_fd(), length));
        if memory.is_err() {
            // Reports the first error. The file may be gone already.
            let _ = std::fs::remove_file(path);
        }
        memory
    }

    /// Maps an existing file that [`create`](Self::create) has made.
    pub fn open(path: &Path) -> Result<Self> {
        let fd = rustix::fs::open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        let size = rustix::fs::fstat(&fd)?.st_size;
        let length = usize::try_from(size).map_err(|_| Errno::EINVAL)? / size_of::<u64>();
        Self::map(fd.as_fd(), length)
    }

    fn map(fd: BorrowedFd<'_>, length: usize) -> Result<Self> {
        use rustix::mm::{MapFlags, ProtFlags, mmap};
        if length == 0 {
            return Err(Errno::EINVAL);
        }
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        let size = length * size_of::<u64>();
        // SAFETY: the kernel chooses an unused address, and the mapping is private to this value.
        let address =
            unsafe { mmap(std::ptr::null_mut(), size, protection, MapFlags::SHARED, fd, 0) }?;
        let words = NonNull::new(address.cast()).ok_or(Errno::ENOMEM)?;
        Ok(Self { words, length })
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        let size = self.length * size_of::<u64>();
        // SAFETY: the mapping was made with this size, and `words` borrows from `self`.
        let _ = unsafe { rustix::mm::munmap(self.words.as_ptr().cast(), size) };
    }
}

/// Sets the size of a new file and allocates its blocks.
fn allocate(fd: BorrowedFd<'_>, length: usize) -> Result<()> {
    let size = (length * size_of::<u64>()) as u64;
    // Beyond this limit, the kernel sends SIGXFSZ, which ends the program.
    let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
    if limit.is_some_and(|limit| size > limit) {
        return Err(Errno::EFBIG);
    }
    match system::allocate(fd, size) {
        Err(rustix::io::Errno::OPNOTSUPP) => write_zeros(fd, size),
        result => Ok(result?),
    }
}

/// Allocates blocks on a file system without `fallocate`.
fn write_zeros(fd: BorrowedFd<'_>, size: u64) -> Result<()> {
    let zeros = [0; 64 << 10];
    let mut written = 0;
    while written < size {
        let length = zeros.len().min((size - written) as usize);
        written += rustix::io::write(fd, &zeros[..length])? as u64;
    }
    Ok(())
}
