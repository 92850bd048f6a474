//! Non-blocking file operations on Linux: `RWF_NOWAIT`, `RESOLVE_CACHED`.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, Statx, StatxFlags};

use super::preadv2;
use crate::fs::descriptor;
use crate::fs::linux::from_statx;
use crate::fs::nowait::{Attempt, MAX_BYTES};
use crate::fs::read_write::{IoVec, Position, raw_parts, total_len};
use crate::fs::stat::Stat;
use crate::{Errno, Result, faults};

/// Reads what is in the page cache.
pub fn read(fd: RawFd, iovecs: &[IoVec], position: Position) -> Attempt {
    if may_be_direct(iovecs, position) && is_direct(fd) {
        return Attempt::WouldBlock(0);
    }
    read_cached(fd, iovecs, position)
}

/// [`read`] into a slice.
pub fn read_slice(fd: RawFd, buffer: &mut [u8], position: Position) -> Attempt {
    // SAFETY: the buffer is used only during this call, which borrows it exclusively.
    let iovec = unsafe { IoVec::from_slice(buffer) };
    read(fd, &[iovec], position)
}

/// [`read`] for a file that is known not to be opened with [`O_DIRECT`](is_direct).
pub(crate) fn read_cached(fd: RawFd, iovecs: &[IoVec], position: Position) -> Attempt {
    let wanted = total_len(iovecs);
    if wanted > MAX_BYTES || position.exceeds_file_range() || faults::is_on() {
        return Attempt::WouldBlock(0);
    }
    let (list, count) = raw_parts(iovecs);
    // SAFETY: the caller of `IoVec::new` has promised that the memory is valid and writable.
    let read = unsafe { preadv2::preadv2(fd, list, count, position.raw(), libc::RWF_NOWAIT) };
    classify_read(fd, position, wanted, returned(read))
}

/// Whether a file is opened with `O_DIRECT`, so that reads bypass the page cache.
pub fn is_direct(fd: RawFd) -> bool {
    has_flags(fd, libc::O_DIRECT)
}

/// Converts the result of a non-blocking read to an attempt.
pub(crate) fn classify_read(
    fd: RawFd,
    position: Position,
    wanted: usize,
    read: Result<usize>,
) -> Attempt {
    match classify(read) {
        // A short read is complete only at the end of the file.
        Attempt::Done(Ok(bytes)) if bytes < wanted && !is_end_of_file(fd, position, bytes) => {
            Attempt::WouldBlock(bytes)
        }
        attempt => attempt,
    }
}

/// Writes what the page cache accepts without blocking. Not to a pipe or a socket: a thread of the pool
/// writes there, so that `SIGPIPE` is raised in it.
pub fn write(fd: RawFd, iovecs: &[IoVec], position: Position) -> Attempt {
    let wanted = total_len(iovecs);
    if wanted > MAX_BYTES
        || faults::is_on()
        || REFUSES_WRITES.load(Ordering::Relaxed) == fd
        || has_flags(fd, libc::O_DIRECT | libc::O_DSYNC)
        || position == Position::Current && !is_seekable(fd)
    {
        return Attempt::WouldBlock(0);
    }
    let (list, count) = raw_parts(iovecs);
    // SAFETY: the caller of `IoVec::new` has promised that the memory is valid.
    let written = unsafe { preadv2::pwritev2(fd, list, count, position.raw(), libc::RWF_NOWAIT) };
    let written = returned(written);
    if written == Err(Errno::ENOTSUP) {
        REFUSES_WRITES.store(fd, Ordering::Relaxed);
    }
    match classify(written) {
        Attempt::Done(Ok(bytes)) if bytes < wanted => Attempt::WouldBlock(bytes),
        attempt => attempt,
    }
}

/// Whether a descriptor has a position, which pipes and sockets have not.
fn is_seekable(fd: RawFd) -> bool {
    // SAFETY: takes numbers.
    unsafe { libc::lseek(fd, 0, libc::SEEK_CUR) != -1 }
}

/// The last descriptor whose file system does not support non-blocking writes (ext4 does not). The
/// next write to it is not attempted, which saves two system calls. If the number now belongs to
/// another file, its writes go to the pool, as those of all files may.
static REFUSES_WRITES: AtomicI32 = AtomicI32::new(-1);

/// Whether a file was opened with any of these flags. `RWF_NOWAIT` avoids waiting for memory and
/// locks, but an operation that bypasses the page cache still waits for the device.
fn has_flags(fd: RawFd, flags: libc::c_int) -> bool {
    // SAFETY: F_GETFL takes no pointer. A number that is not an open descriptor is an error.
    let found = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    found != -1 && found & flags != 0
}

/// Whether the request is valid for `O_DIRECT`: whole sectors, and memory that is aligned to
/// sectors. If not, there is no need to check the flags of the file.
pub(crate) fn may_be_direct(iovecs: &[IoVec], position: Position) -> bool {
    const SECTOR: usize = 512;
    let offset = match position {
        Position::Current => 0,
        Position::At(offset) => offset,
    };
    offset.is_multiple_of(SECTOR as u64) && iovecs.iter().all(|iovec| iovec.is_aligned_to(SECTOR))
}

/// Converts the return value of a system call.
fn returned(returned: libc::ssize_t) -> Result<usize> {
    usize::try_from(returned).map_err(|_| Errno::last())
}

fn classify(result: Result<usize>) -> Attempt {
    match result {
        // The operation would block, or the file system, the kernel or a seccomp filter does not
        // support non-blocking mode.
        Err(
            Errno::EAGAIN
            | Errno::ENOTSUP
            | Errno::ENOSYS
            | Errno::EINVAL
            | Errno::EINTR
            | Errno::EPERM,
        ) => Attempt::WouldBlock(0),
        result => Attempt::Done(result),
    }
}

/// Whether a read of `bytes` from `position` has reached the end of the file. The current position
/// has been advanced already. True for other than regular files, whose reads may be short anywhere.
fn is_end_of_file(fd: RawFd, position: Position, bytes: usize) -> bool {
    let Ok(fd) = descriptor(&fd) else { return true };
    let Ok(stat) = rustix::fs::fstat(fd) else { return false };
    if stat.st_mode & libc::S_IFMT != libc::S_IFREG {
        return true;
    }
    let reached = match position.advanced_by(bytes) {
        Position::At(offset) => offset,
        Position::Current => rustix::fs::tell(fd).unwrap_or(0),
    };
    reached >= stat.st_size as u64
}

/// The status of an open file, if its file system does not block.
pub fn fstat(fd: RawFd) -> Option<Stat> {
    stat_cached(descriptor(&fd).ok()?)
}

/// The status of the file at `path`, if the whole path is in the kernel's dentry cache.
pub fn stat(path: &CStr) -> Option<Stat> {
    stat_cached(open_cached(path, OFlags::empty())?.as_fd())
}

/// [`stat`] that does not follow a symbolic link.
pub fn lstat(path: &CStr) -> Option<Stat> {
    stat_cached(open_cached(path, OFlags::NOFOLLOW)?.as_fd())
}

/// Opens the file at `path` with `O_PATH`, if neither that nor `fstat` blocks.
pub fn open_path(path: &CStr) -> Option<OwnedFd> {
    open_cached(path, OFlags::empty()).filter(|fd| is_local(fd.as_raw_fd()))
}

/// [`open_path`] that does not follow a symbolic link.
pub fn open_link(path: &CStr) -> Option<OwnedFd> {
    open_cached(path, OFlags::NOFOLLOW).filter(|fd| is_local(fd.as_raw_fd()))
}

/// Whether an open file is on a local file system, so that `fstat` does not block.
pub fn is_local(fd: RawFd) -> bool {
    descriptor(&fd).ok().and_then(|fd| statx_cached(fd, StatxFlags::empty())).is_some()
}

/// Set when the kernel does not support `RESOLVE_CACHED`.
static CACHED_RESOLVE_FAILS: AtomicBool = AtomicBool::new(false);

/// Opens a file with `O_PATH`, if its path is in the dentry cache.
fn open_cached(path: &CStr, flags: OFlags) -> Option<OwnedFd> {
    if CACHED_RESOLVE_FAILS.load(Ordering::Relaxed) {
        return None;
    }
    let flags = flags | OFlags::PATH | OFlags::CLOEXEC;
    match rustix::fs::openat2(CWD, path, flags, Mode::empty(), ResolveFlags::CACHED) {
        Ok(fd) => Some(fd),
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::INVAL | rustix::io::Errno::PERM) => {
            CACHED_RESOLVE_FAILS.store(true, Ordering::Relaxed);
            None
        }
        Err(_) => None,
    }
}

/// The status of an open file on a block device, which the kernel has in memory. A file system
/// without a device, such as NFS, may have to send a request to a server.
fn stat_cached(fd: BorrowedFd<'_>) -> Option<Stat> {
    statx_cached(fd, StatxFlags::BASIC_STATS | StatxFlags::BTIME).map(|found| from_statx(&found))
}

fn statx_cached(fd: BorrowedFd<'_>, mask: StatxFlags) -> Option<Statx> {
    let flags = AtFlags::EMPTY_PATH | AtFlags::STATX_DONT_SYNC;
    let found = rustix::fs::statx(fd, c"", flags, mask).ok()?;
    (found.stx_dev_major != 0).then_some(found)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write as _;

    use super::*;
    use crate::fs::{links, read_write, stat, temporary};

    /// [`read`] into a slice.
    fn read_into(fd: RawFd, buffer: &mut [u8], position: Position) -> Attempt {
        // SAFETY: the buffer is borrowed during the read.
        read(fd, &[unsafe { IoVec::from_slice(buffer) }], position)
    }

    /// An unlinked file of 40,000 bytes.
    fn file() -> (File, Vec<u8>) {
        let template = std::env::temp_dir().join("mauve-nowait-XXXXXX");
        let template = std::ffi::CString::new(template.into_os_string().into_encoded_bytes());
        let (name, fd) = temporary::mkstemp(&template.unwrap());
        let mut file = File::from(fd.unwrap());
        links::unlink(&name).unwrap();
        let bytes: Vec<u8> = (0..40_000u32).map(|n| (n / 3) as u8).collect();
        file.write_all(&bytes).unwrap();
        file.sync_all().unwrap();
        (file, bytes)
    }

    #[test]
    fn a_read_that_would_block_is_completed_by_a_blocking_read() {
        let (file, bytes) = file();
        let fd = file.as_raw_fd();
        // SAFETY: the call takes only integers.
        unsafe { libc::posix_fadvise(fd, 8192, 0, libc::POSIX_FADV_DONTNEED) };
        for position in [Position::At(100), Position::Current] {
            rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(100)).unwrap();
            let mut buffer = vec![0; 39_000];
            let read = match read_into(fd, &mut buffer, position) {
                Attempt::Done(result) => result.unwrap(),
                Attempt::WouldBlock(read) => {
                    let rest =
                        read_write::read_into(fd, &mut buffer[read..], position.advanced_by(read));
                    read + rest.unwrap()
                }
            };
            assert_eq!(read, 39_000);
            assert_eq!(buffer, bytes[100..39_100]);
        }
    }

    #[test]
    fn a_short_read_is_complete_only_at_the_end_of_the_file() {
        let (file, bytes) = file();
        let fd = file.as_raw_fd();
        let mut buffer = [0; 1000];
        // Some file systems do not support RWF_NOWAIT.
        if let Attempt::Done(result) = read_into(fd, &mut buffer, Position::At(39_990)) {
            assert_eq!(result, Ok(10));
            assert_eq!(buffer[..10], bytes[39_990..]);
            assert!(!is_end_of_file(fd, Position::At(39_000), 10));
            assert!(is_end_of_file(fd, Position::At(39_000), 1000));
        }
        let mut large = vec![0; MAX_BYTES + 1];
        assert_eq!(read_into(fd, &mut large, Position::At(0)), Attempt::WouldBlock(0));
        assert_eq!(read_into(-1, &mut buffer, Position::At(0)), Attempt::Done(Err(Errno::EBADF)));
    }

    #[test]
    fn a_direct_read_is_not_attempted() {
        let (file, _) = file();
        let fd = file.as_raw_fd();
        assert!(!is_direct(fd) && !is_direct(-1));
        // SAFETY: F_SETFL takes only integers.
        if unsafe { libc::fcntl(fd, libc::F_SETFL, libc::O_DIRECT) } == -1 {
            // The file system does not support it.
            return;
        }
        assert!(is_direct(fd));
        let mut memory = vec![0; 2048];
        let aligned = memory.as_ptr().align_offset(512);
        let sectors = &mut memory[aligned..aligned + 1024];
        assert_eq!(read_into(fd, sectors, Position::At(512)), Attempt::WouldBlock(0));
    }

    #[test]
    fn a_cached_status_equals_the_blocking_one() {
        let (file, _) = file();
        let fd = file.as_raw_fd();
        if let Some(found) = fstat(fd) {
            assert_eq!(Ok(found), stat::fstat(fd));
        }
        if let Some(found) = super::stat(c"/etc/passwd") {
            let blocking = stat::stat(c"/etc/passwd");
            assert_eq!(found.ino, blocking.unwrap().ino);
        }
        assert_eq!(super::stat(c"/nonexistent/file"), None);
        assert!(open_path(c"/nonexistent/file").is_none());
        assert!(!is_local(-1));
        // procfs has no device.
        assert!(open_path(c"/proc/self/status").is_none());
    }
}
