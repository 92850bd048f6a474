//! Operations that give up instead of waiting.
//!
//! What is in memory already can be had at once, on the thread of a loop. If the rest would have to
//! be waited for, or if the kernel does not know, these functions report that, and the blocking operation
//! goes on from where they have left off.

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags, Statx, StatxFlags};

use super::descriptor;
use super::read_write::{Position, Segment, raw_parts, total};
use super::stat::{self, Stat};
use crate::{Errno, Result};

/// More than this is not worth keeping a loop from its other work.
pub const MAX_BYTES: usize = 64 << 10;

/// How far an attempt came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// It is over, with this result.
    Done(Result<usize>),
    /// So many bytes are done, perhaps none; more has to be waited for.
    Begun(usize),
}

/// Reads what is in the page cache.
pub fn read(fd: RawFd, segments: &[Segment], position: Position) -> Attempt {
    if may_be_direct(segments, position) && is_direct(fd) {
        return Attempt::Begun(0);
    }
    read_cached(fd, segments, position)
}

/// [`read`], from a file of which it is known that it is read [by way of the cache](is_direct).
pub fn read_cached(fd: RawFd, segments: &[Segment], position: Position) -> Attempt {
    let wanted = total(segments);
    if wanted > MAX_BYTES || position.is_beyond_all_files() {
        return Attempt::Begun(0);
    }
    let (list, count) = raw_parts(segments);
    // SAFETY: the segments are good for it, by the promise of `Segment::new`.
    let read = unsafe { libc::preadv2(fd, list, count, position.raw(), libc::RWF_NOWAIT) };
    judge(fd, position, wanted, returned(read))
}

/// Whether a file is read from its device itself, and not by way of the page cache.
pub fn is_direct(fd: RawFd) -> bool {
    has_flags(fd, libc::O_DIRECT)
}

/// What to make of a read that got so far without waiting.
pub(super) fn judge(fd: RawFd, position: Position, wanted: usize, read: Result<usize>) -> Attempt {
    match outcome(read) {
        // The end of the file, or the end of what is cached?
        Attempt::Done(Ok(bytes)) if bytes < wanted && !ends(fd, position, bytes) => {
            Attempt::Begun(bytes)
        }
        attempt => attempt,
    }
}

/// [`read`], into a slice.
pub fn read_into(fd: RawFd, buffer: &mut [u8], position: Position) -> Attempt {
    // SAFETY: used for this read only.
    read(fd, &[unsafe { Segment::over(buffer) }], position)
}

/// Writes what the page cache, or the buffer of a pipe, takes at once.
pub fn write(fd: RawFd, segments: &[Segment], position: Position) -> Attempt {
    let wanted = total(segments);
    if wanted > MAX_BYTES
        || REFUSES_WRITES.load(Ordering::Relaxed) == fd
        || has_flags(fd, libc::O_DIRECT | libc::O_DSYNC)
    {
        return Attempt::Begun(0);
    }
    let (list, count) = raw_parts(segments);
    // SAFETY: the segments are good for it, by the promise of `Segment::new`.
    let written = unsafe { libc::pwritev2(fd, list, count, position.raw(), libc::RWF_NOWAIT) };
    let written = returned(written);
    if written == Err(Errno::ENOTSUP) {
        REFUSES_WRITES.store(fd, Ordering::Relaxed);
    }
    match outcome(written) {
        Attempt::Done(Ok(bytes)) if bytes < wanted => Attempt::Begun(bytes),
        attempt => attempt,
    }
}

/// The last descriptor whose file system does not support non-blocking writes (ext4 does not). The
/// next write to it is not attempted, which saves two system calls. If the number now belongs to
/// another file, its writes go to the pool, as those of all files may.
static REFUSES_WRITES: AtomicI32 = AtomicI32::new(-1);

/// Whether a file was opened with any of these flags. Not to wait, for the kernel, means not to
/// wait for memory and locks; a file that bypasses the cache still waits for its device.
fn has_flags(fd: RawFd, flags: libc::c_int) -> bool {
    // SAFETY: numbers; what is no descriptor is an error.
    let found = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    found != -1 && found & flags != 0
}

/// Whether a device would take this request: it takes whole sectors only, to and from memory that
/// is aligned like them. Saves a system call for all that it would not.
pub(super) fn may_be_direct(segments: &[Segment], position: Position) -> bool {
    const SECTOR: usize = 512;
    let offset = match position {
        Position::Current => 0,
        Position::At(offset) => offset,
    };
    offset.is_multiple_of(SECTOR as u64)
        && segments.iter().all(|segment| segment.is_aligned_to(SECTOR))
}

/// What a system call returned, or its error.
fn returned(returned: libc::ssize_t) -> Result<usize> {
    usize::try_from(returned).map_err(|_| Errno::last())
}

fn outcome(result: Result<usize>) -> Attempt {
    match result {
        // It would wait, or the file system or the kernel (or what filters its calls) does not
        // know how not to. Everything else is the answer.
        Err(
            Errno::EAGAIN
            | Errno::ENOTSUP
            | Errno::ENOSYS
            | Errno::EINVAL
            | Errno::EINTR
            | Errno::EPERM,
        ) => Attempt::Begun(0),
        result => Attempt::Done(result),
    }
}

/// Whether a file ends `bytes` after `position` (the current one has moved on by that already).
/// Only regular files promise to fill a buffer while they can.
fn ends(fd: RawFd, position: Position, bytes: usize) -> bool {
    let Ok(fd) = descriptor(&fd) else { return true };
    let Ok(stat) = rustix::fs::fstat(fd) else { return false };
    if stat.st_mode & libc::S_IFMT != libc::S_IFREG {
        return true;
    }
    let reached = match position.after(bytes) {
        Position::At(offset) => offset,
        Position::Current => rustix::fs::tell(fd).unwrap_or(0),
    };
    reached >= stat.st_size as u64
}

/// Queries an open file, if its file system answers from memory.
pub fn stat_descriptor(fd: RawFd) -> Option<Stat> {
    stat_cached(descriptor(&fd).ok()?)
}

/// What is known about the file at `path`, if the whole path is in the kernel's cache of names.
pub fn stat_path(path: &CStr) -> Option<Stat> {
    stat_cached(open_cached(path, OFlags::empty())?.as_fd())
}

/// [`stat_path`], of a symbolic link itself.
pub fn stat_link(path: &CStr) -> Option<Stat> {
    stat_cached(open_cached(path, OFlags::NOFOLLOW)?.as_fd())
}

/// A descriptor to query the file at `path` with, if neither opening nor querying it blocks.
pub fn open_path(path: &CStr) -> Option<OwnedFd> {
    open_cached(path, OFlags::empty()).filter(|fd| is_local(fd.as_raw_fd()))
}

/// [`open_path`], of a symbolic link itself.
pub fn open_link(path: &CStr) -> Option<OwnedFd> {
    open_cached(path, OFlags::NOFOLLOW).filter(|fd| is_local(fd.as_raw_fd()))
}

/// Whether an open file can be queried without blocking.
pub fn is_local(fd: RawFd) -> bool {
    descriptor(&fd).ok().and_then(|fd| statx_cached(fd, StatxFlags::empty())).is_some()
}

/// Set when the kernel cannot resolve a path from its cache alone.
static CACHED_RESOLVE_FAILS: AtomicBool = AtomicBool::new(false);

/// A descriptor to query a file with, if its path is cached.
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

/// A file system on a device of its own answers from memory about a file that is open. One that
/// is not may be on another machine: what is cached may be out of date.
fn stat_cached(fd: BorrowedFd<'_>) -> Option<Stat> {
    statx_cached(fd, StatxFlags::BASIC_STATS | StatxFlags::BTIME)
        .map(|found| stat::from_statx(&found))
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

    use super::super::read_write::read_into;
    use super::super::temporary;
    use super::*;

    /// A file of 40,000 bytes that has no name any more.
    fn file() -> (File, Vec<u8>) {
        let template = std::env::temp_dir().join("mauve-nowait-XXXXXX");
        let template = std::ffi::CString::new(template.into_os_string().into_encoded_bytes());
        let (name, fd) = temporary::make_file(&template.unwrap());
        let mut file = File::from(fd.unwrap());
        super::super::names::unlink(&name).unwrap();
        let bytes: Vec<u8> = (0..40_000u32).map(|n| (n / 3) as u8).collect();
        file.write_all(&bytes).unwrap();
        file.sync_all().unwrap();
        (file, bytes)
    }

    #[test]
    fn what_is_not_cached_is_left_to_the_one_who_may_wait() {
        let (file, bytes) = file();
        let fd = file.as_raw_fd();
        // SAFETY: plain numbers.
        unsafe { libc::posix_fadvise(fd, 8192, 0, libc::POSIX_FADV_DONTNEED) };
        for position in [Position::At(100), Position::Current] {
            rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(100)).unwrap();
            let mut buffer = vec![0; 39_000];
            let read = match super::read_into(fd, &mut buffer, position) {
                Attempt::Done(result) => result.unwrap(),
                Attempt::Begun(begun) => {
                    let rest = read_into(fd, &mut buffer[begun..], position.after(begun));
                    begun + rest.unwrap()
                }
            };
            assert_eq!(read, 39_000);
            assert_eq!(buffer, bytes[100..39_100]);
        }
    }

    #[test]
    fn a_short_read_is_the_whole_answer_at_the_end_of_a_file_only() {
        let (file, bytes) = file();
        let fd = file.as_raw_fd();
        let mut buffer = [0; 1000];
        // Some file systems cannot tell what is cached.
        if let Attempt::Done(result) = super::read_into(fd, &mut buffer, Position::At(39_990)) {
            assert_eq!(result, Ok(10));
            assert_eq!(buffer[..10], bytes[39_990..]);
            assert!(!ends(fd, Position::At(39_000), 10));
            assert!(ends(fd, Position::At(39_000), 1000));
        }
        let mut large = vec![0; MAX_BYTES + 1];
        assert_eq!(super::read_into(fd, &mut large, Position::At(0)), Attempt::Begun(0));
        assert_eq!(
            super::read_into(-1, &mut buffer, Position::At(0)),
            Attempt::Done(Err(Errno::EBADF))
        );
    }

    #[test]
    fn a_file_that_is_read_from_its_device_says_so_and_is_not_attempted() {
        let (file, _) = file();
        let fd = file.as_raw_fd();
        assert!(!is_direct(fd) && !is_direct(-1));
        // SAFETY: plain numbers.
        if unsafe { libc::fcntl(fd, libc::F_SETFL, libc::O_DIRECT) } == -1 {
            // Not every file system can do it.
            return;
        }
        assert!(is_direct(fd));
        let mut memory = vec![0; 2048];
        let aligned = memory.as_ptr().align_offset(512);
        let sectors = &mut memory[aligned..aligned + 1024];
        assert_eq!(super::read_into(fd, sectors, Position::At(512)), Attempt::Begun(0));
    }

    #[test]
    fn cached_answers_about_files_are_the_true_ones() {
        let (file, _) = file();
        let fd = file.as_raw_fd();
        if let Some(found) = stat_descriptor(fd) {
            assert_eq!(Ok(found), stat::stat_descriptor(fd));
        }
        if let Some(found) = stat_path(c"/etc/passwd") {
            let queried = stat::stat(c"/etc/passwd");
            assert_eq!(found.inode, queried.unwrap().inode);
        }
        assert_eq!(stat_path(c"/nonexistent/file"), None);
        assert!(open_path(c"/nonexistent/file").is_none());
        assert!(!is_local(-1));
        // Answers of processes are not on any device.
        assert!(open_path(c"/proc/self/status").is_none());
    }
}
