//! Reading and writing.

use std::os::fd::RawFd;

use super::cancellable;
use crate::{Errno, Result};

/// How many pieces one system call takes.
pub const MAX_SEGMENTS: usize = libc::UIO_MAXIOV as usize;

/// A piece of memory to read into or to write from: a buffer of a C program, whose lifetime no
/// compiler knows.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Segment(libc::iovec);

// SAFETY: whoever makes one promises that only the holder touches the memory.
unsafe impl Send for Segment {}

impl Segment {
    /// A piece of the caller's memory.
    ///
    /// # Safety
    /// The memory must stay until the last operation on the segment has ended, and nobody may
    /// write to it meanwhile (nor read it, if the operation is one that reads into it).
    pub const unsafe fn new(base: *mut u8, length: usize) -> Self {
        Self(libc::iovec { iov_base: base.cast(), iov_len: length })
    }

    /// A piece of our own memory.
    ///
    /// # Safety
    /// The segment must not be used after the borrow.
    pub(super) unsafe fn over(buffer: &mut [u8]) -> Self {
        // SAFETY: promised by the caller.
        unsafe { Self::new(buffer.as_mut_ptr(), buffer.len()) }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.0.iov_len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where it begins.
    pub(super) fn base(&self) -> *mut u8 {
        self.0.iov_base.cast()
    }

    /// Whether it begins and ends at a multiple of `alignment`.
    pub(super) fn is_aligned_to(&self, alignment: usize) -> bool {
        (self.0.iov_base.addr() | self.len()).is_multiple_of(alignment)
    }

    fn skip(&mut self, bytes: usize) {
        self.0.iov_base = self.0.iov_base.wrapping_byte_add(bytes);
        self.0.iov_len -= bytes;
    }
}

/// How many bytes the segments have together.
pub fn total(segments: &[Segment]) -> usize {
    segments.iter().fold(0, |total: usize, segment| total.saturating_add(segment.len()))
}

/// The segments without their first `bytes`.
pub fn advance(mut segments: &mut [Segment], mut bytes: usize) -> &mut [Segment] {
    while let Some(first) = segments.first_mut() {
        if first.len() > bytes {
            first.skip(bytes);
            break;
        }
        bytes -= first.len();
        segments = &mut segments[1..];
    }
    segments
}

/// Where in a file to read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Where the descriptor stands, which moves on.
    Current,
    /// At this offset; the descriptor stays where it is.
    At(u64),
}

impl Position {
    /// libuv's way to say it: a negative number for the current position.
    pub fn from_signed(offset: i64) -> Self {
        u64::try_from(offset).map_or(Self::Current, Self::At)
    }

    /// So many bytes further on.
    pub fn after(self, bytes: usize) -> Self {
        match self {
            Self::Current => Self::Current,
            Self::At(offset) => Self::At(offset + bytes as u64),
        }
    }

    /// Whether the kernel has no number for it; some of them mean something else to it.
    pub(super) fn is_beyond_all_files(self) -> bool {
        matches!(self, Self::At(offset) if i64::try_from(offset).is_err())
    }

    /// The kernel's way to say it.
    pub(super) fn raw(self) -> i64 {
        match self {
            Self::Current => -1,
            Self::At(offset) => offset as i64,
        }
    }
}

/// Reads what is there, up to the size of the segments; zero bytes at the end of the file. Looks
/// at the first [`MAX_SEGMENTS`] only.
///
/// `EINTR` if a signal comes before there is anything to read: who reads from a terminal may want
/// to do something else then.
#[doc(alias = "uv_fs_read")]
pub fn read(fd: RawFd, segments: &[Segment], position: Position) -> Result<usize> {
    let (list, count) = raw_parts(segments);
    // SAFETY, for the four calls: the segments are good for it, by the promise of `Segment::new`.
    count_bytes(match (position, segments) {
        // SAFETY: see above.
        (Position::Current, [one]) => unsafe {
            cancellable::read(fd, one.0.iov_base, one.0.iov_len)
        },
        // SAFETY: see above.
        (Position::Current, _) => unsafe { cancellable::readv(fd, list, count) },
        // SAFETY: see above.
        (Position::At(offset), [one]) => unsafe {
            cancellable::pread(fd, one.0.iov_base, one.0.iov_len, offset as i64)
        },
        // SAFETY: see above.
        (Position::At(offset), _) => unsafe { cancellable::preadv(fd, list, count, offset as i64) },
    })
}

/// [`read`], into a slice, and through any signals.
pub fn read_into(fd: RawFd, buffer: &mut [u8], position: Position) -> Result<usize> {
    // SAFETY: used for this read only.
    retry(|| read(fd, &[unsafe { Segment::over(buffer) }], position))
}

/// Writes all of the segments, or as much as the system takes before it fails.
#[doc(alias = "uv_fs_write")]
pub fn write(fd: RawFd, mut segments: &mut [Segment], mut position: Position) -> Result<usize> {
    let mut written = 0;
    loop {
        match write_some(fd, segments, position) {
            Err(Errno::EINTR) => {}
            Ok(bytes) => {
                written += bytes;
                position = position.after(bytes);
                segments = advance(segments, bytes);
                if bytes == 0 || segments.is_empty() {
                    return Ok(written);
                }
            }
            // What was written counts; the error comes again with the next attempt.
            Err(_) if written > 0 => return Ok(written),
            Err(error) => return Err(error),
        }
    }
}

/// [`write()`], from a slice.
pub fn write_from(fd: RawFd, bytes: &[u8], position: Position) -> Result<usize> {
    // SAFETY: borrowed until the operation has ended, which only reads.
    let segment = unsafe { Segment::new(bytes.as_ptr().cast_mut(), bytes.len()) };
    write(fd, &mut [segment], position)
}

fn write_some(fd: RawFd, segments: &[Segment], position: Position) -> Result<usize> {
    let (list, count) = raw_parts(segments);
    // SAFETY, for the four calls: the segments are good for it, by the promise of `Segment::new`.
    count_bytes(match (position, segments) {
        // SAFETY: see above.
        (Position::Current, [one]) => unsafe {
            cancellable::write(fd, one.0.iov_base, one.0.iov_len)
        },
        // SAFETY: see above.
        (Position::Current, _) => unsafe { cancellable::writev(fd, list, count) },
        // SAFETY: see above.
        (Position::At(offset), [one]) => unsafe {
            cancellable::pwrite(fd, one.0.iov_base, one.0.iov_len, offset as i64)
        },
        // SAFETY: see above.
        (Position::At(offset), _) => unsafe {
            cancellable::pwritev(fd, list, count, offset as i64)
        },
    })
}

/// The segments as the kernel takes them.
pub(super) fn raw_parts(segments: &[Segment]) -> (*const libc::iovec, libc::c_int) {
    (segments.as_ptr().cast(), segments.len().min(MAX_SEGMENTS) as libc::c_int)
}

/// What a system call returned, or its error.
fn count_bytes(returned: libc::ssize_t) -> Result<usize> {
    usize::try_from(returned).map_err(|_| Errno::last())
}

/// Does something until no signal interrupts it.
fn retry(mut attempt: impl FnMut() -> Result<usize>) -> Result<usize> {
    loop {
        match attempt() {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advancing_cuts_the_first_segment_and_drops_empty_ones() {
        let mut bytes = [0u8; 10];
        let base = bytes.as_mut_ptr();
        // SAFETY: pieces of one array that lives to the end of the test.
        let mut segments = unsafe {
            [Segment::new(base, 4), Segment::new(base.add(4), 0), Segment::new(base.add(4), 6)]
        };
        assert_eq!(total(&segments), 10);
        let rest = advance(&mut segments, 3);
        assert_eq!((rest.len(), rest[0].len(), total(rest)), (3, 1, 7));
        let rest = advance(rest, 1);
        assert_eq!((rest.len(), total(rest)), (1, 6));
        assert!(advance(rest, 6).is_empty());
    }
}
