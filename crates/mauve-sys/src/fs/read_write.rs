//! Blocking reads and writes: `read`, `pread`, `readv`, `write`, `pwrite`, `writev`.

use std::os::fd::RawFd;

use super::cancellable;
#[allow(unused_imports)] // Only some platforms use it.
pub(crate) use super::io_vec::total_len;
pub use super::io_vec::{IoVec, Position, advance};
use crate::faults::{self, Call};
use crate::{Errno, Result};

/// How many buffers one system call accepts (`IOV_MAX`).
const MAX_IOVECS: usize = crate::payload::MAX_SLICES;

/// Reads into the buffers, of which the system uses the first `IOV_MAX`. Returns zero at the end of
/// the file.
///
/// Returns `EINTR` if a signal interrupts it before there is data, so that a program that reads from
/// a terminal can react.
#[doc(alias = "uv_fs_read")]
pub fn read(fd: RawFd, iovecs: &[IoVec], position: Position) -> Result<usize> {
    faults::check(Call::Read)?;
    let (list, count) = raw_parts(iovecs);
    // SAFETY, for the four calls: the caller of `IoVec::new` has promised that the memory is valid
    // and writable.
    count_bytes(match (position, iovecs) {
        // SAFETY: see above.
        (Position::Current, [one]) => unsafe {
            cancellable::read(fd, one.base().cast(), one.len())
        },
        // SAFETY: see above.
        (Position::Current, _) => unsafe { cancellable::readv(fd, list, count) },
        // SAFETY: see above.
        (Position::At(offset), [one]) => unsafe {
            cancellable::pread(fd, one.base().cast(), one.len(), offset as i64)
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
    faults::check(Call::Write)?;
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
            cancellable::write(fd, one.base().cast(), one.len())
        },
        // SAFETY: see above.
        (Position::Current, _) => unsafe { cancellable::writev(fd, list, count) },
        // SAFETY: see above.
        (Position::At(offset), [one]) => unsafe {
            cancellable::pwrite(fd, one.base().cast(), one.len(), offset as i64)
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
