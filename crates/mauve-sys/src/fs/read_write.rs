//! Blocking reads and writes: `read`, `pread`, `readv`, `write`, `pwrite`, `writev`.

use std::os::fd::RawFd;

use super::cancellable;
use crate::{Errno, Result};

/// How many buffers one system call accepts (`IOV_MAX`).
const MAX_IOVECS: usize = crate::payload::MAX_SLICES;

/// A buffer to read into or to write from, without a lifetime: the memory of a C program, for
/// example.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct IoVec(libc::iovec);

// SAFETY: the caller of `new` promises that nothing else accesses the memory meanwhile.
unsafe impl Send for IoVec {}

impl IoVec {
    /// A buffer in memory of the caller.
    ///
    /// # Safety
    /// The memory must stay valid until the last operation on the buffer has ended. Nothing else may
    /// write to it meanwhile, nor read it while an operation reads into it.
    pub const unsafe fn new(base: *mut u8, length: usize) -> Self {
        Self(libc::iovec { iov_base: base.cast(), iov_len: length })
    }

    /// The memory of a slice.
    ///
    /// # Safety
    /// The buffer must not be used after the slice's borrow ends.
    pub(crate) unsafe fn from_slice(buffer: &mut [u8]) -> Self {
        // SAFETY: the caller promises to use it only during the exclusive borrow.
        unsafe { Self::new(buffer.as_mut_ptr(), buffer.len()) }
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.0.iov_len
    }

    /// The start of the memory.
    #[allow(dead_code)] // Only some platforms use it.
    pub(crate) fn base(&self) -> *mut u8 {
        self.0.iov_base.cast()
    }

    /// Whether start and length are multiples of `alignment`.
    #[allow(dead_code)] // Only some platforms use it.
    pub(crate) fn is_aligned_to(&self, alignment: usize) -> bool {
        (self.0.iov_base.addr() | self.len()).is_multiple_of(alignment)
    }

    /// Shortens the buffer to at most `max` bytes.
    pub fn limit(&mut self, max: usize) {
        self.0.iov_len = self.0.iov_len.min(max);
    }

    fn skip(&mut self, bytes: usize) {
        self.0.iov_base = self.0.iov_base.wrapping_byte_add(bytes);
        self.0.iov_len -= bytes;
    }
}

/// The total length of the buffers.
#[allow(dead_code)] // Only some platforms use it.
pub(crate) fn total_len(iovecs: &[IoVec]) -> usize {
    iovecs.iter().fold(0, |total: usize, iovec| total.saturating_add(iovec.len()))
}

/// Skips the first `bytes` of the buffers. Returns the remaining ones.
pub fn advance(mut iovecs: &mut [IoVec], mut bytes: usize) -> &mut [IoVec] {
    while let Some(first) = iovecs.first_mut() {
        if first.len() > bytes {
            first.skip(bytes);
            break;
        }
        bytes -= first.len();
        iovecs = &mut iovecs[1..];
    }
    iovecs
}

/// The position in a file to read or write at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The file offset of the descriptor, which advances.
    Current,
    /// This offset. The file offset of the descriptor does not change.
    At(u64),
}

impl Position {
    /// Converts libuv's representation: a negative number means the current position.
    pub fn from_raw(offset: i64) -> Self {
        u64::try_from(offset).map_or(Self::Current, Self::At)
    }

    /// The position after `bytes` were read or written.
    pub fn advanced_by(self, bytes: usize) -> Self {
        match self {
            Self::Current => Self::Current,
            Self::At(offset) => Self::At(offset + bytes as u64),
        }
    }

    /// Whether the offset exceeds `i64`. The kernel would interpret it as a negative number.
    pub(crate) fn exceeds_file_range(self) -> bool {
        matches!(self, Self::At(offset) if i64::try_from(offset).is_err())
    }

    /// The kernel's representation: -1 means the current position.
    #[allow(dead_code)] // Only some platforms use it.
    pub(crate) fn raw(self) -> i64 {
        match self {
            Self::Current => -1,
            Self::At(offset) => offset as i64,
        }
    }
}

/// Reads into the buffers, of which the system uses the first `IOV_MAX`. Returns zero at the end of
/// the file.
///
/// Returns `EINTR` if a signal interrupts it before there is data, so that a program that reads from
/// a terminal can react.
#[doc(alias = "uv_fs_read")]
pub fn read(fd: RawFd, iovecs: &[IoVec], position: Position) -> Result<usize> {
    let (list, count) = raw_parts(iovecs);
    // SAFETY, for the four calls: the caller of `IoVec::new` has promised that the memory is valid
    // and writable.
    count_bytes(match (position, iovecs) {
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

/// [`read`] into a slice. Retries when interrupted.
pub fn read_into(fd: RawFd, buffer: &mut [u8], position: Position) -> Result<usize> {
    // SAFETY: the buffer is exclusively borrowed during the read.
    retry(|| read(fd, &[unsafe { IoVec::from_slice(buffer) }], position))
}

/// Writes all bytes of the buffers, or as many as the system accepts before it fails.
#[doc(alias = "uv_fs_write")]
pub fn write(fd: RawFd, mut iovecs: &mut [IoVec], mut position: Position) -> Result<usize> {
    let mut written = 0;
    loop {
        match write_some(fd, iovecs, position) {
            Err(Errno::EINTR) => {}
            Ok(bytes) => {
                written += bytes;
                position = position.advanced_by(bytes);
                iovecs = advance(iovecs, bytes);
                if bytes == 0 || iovecs.is_empty() {
                    return Ok(written);
                }
            }
            // A partial write is a success. The next write reports the error again.
            Err(_) if written > 0 => return Ok(written),
            Err(error) => return Err(error),
        }
    }
}

/// [`write()`] from a slice.
pub fn write_from(fd: RawFd, bytes: &[u8], position: Position) -> Result<usize> {
    // SAFETY: the bytes are borrowed until the operation has ended, and only read.
    let iovec = unsafe { IoVec::new(bytes.as_ptr().cast_mut(), bytes.len()) };
    write(fd, &mut [iovec], position)
}

fn write_some(fd: RawFd, iovecs: &[IoVec], position: Position) -> Result<usize> {
    let (list, count) = raw_parts(iovecs);
    // SAFETY, for the four calls: the caller of `IoVec::new` has promised that the memory is valid.
    count_bytes(match (position, iovecs) {
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

/// The array of `iovec` and its length, for a system call.
pub(crate) fn raw_parts(iovecs: &[IoVec]) -> (*const libc::iovec, libc::c_int) {
    (iovecs.as_ptr().cast(), iovecs.len().min(MAX_IOVECS) as libc::c_int)
}

/// Converts the return value of a system call.
fn count_bytes(returned: libc::ssize_t) -> Result<usize> {
    usize::try_from(returned).map_err(|_| Errno::last())
}

/// Repeats an operation while a signal interrupts it.
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
    fn advance_shortens_the_first_buffer_and_skips_empty_ones() {
        let mut bytes = [0u8; 10];
        let base = bytes.as_mut_ptr();
        // SAFETY: the buffers are disjoint parts of an array that lives until the end of the test.
        let mut iovecs = unsafe {
            [IoVec::new(base, 4), IoVec::new(base.add(4), 0), IoVec::new(base.add(4), 6)]
        };
        assert_eq!(total_len(&iovecs), 10);
        let rest = advance(&mut iovecs, 3);
        assert_eq!((rest.len(), rest[0].len(), total_len(rest)), (3, 1, 7));
        let rest = advance(rest, 1);
        assert_eq!((rest.len(), total_len(rest)), (1, 6));
        assert!(advance(rest, 6).is_empty());
    }
}
