//! Blocking reads and writes.

use std::ptr::null_mut;

use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, ERROR_NO_DATA, GetLastError};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_BEGIN, FILE_CURRENT, ReadFile, SetFilePointerEx, WriteFile,
};
use windows_sys::Win32::System::IO::OVERLAPPED;

use crate::descriptor::{RawDescriptor, handle};
#[allow(unused_imports)] // Only some platforms use it.
pub(crate) use crate::fs::io_vec::total_len;
pub use crate::fs::io_vec::{IoVec, Position, advance};
use crate::{Errno, Result};

/// Reads into the buffers. Returns zero at the end of the file.
///
/// A read at an offset moves the file pointer of the handle, and moves it back afterwards. Another thread
/// may see that.
#[doc(alias = "uv_fs_read")]
pub fn read(fd: RawDescriptor, iovecs: &[IoVec], position: Position) -> Result<usize> {
    keep_pointer(fd, position, || {
        let (mut total, mut position) = (0, position);
        for iovec in iovecs {
            match read_one(fd, iovec, position) {
                Ok(count) => {
                    total += count;
                    position = position.advanced_by(count);
                    if count < iovec.len() {
                        break;
                    }
                }
                Err(_) if total > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(total)
    })
}

fn read_one(fd: RawDescriptor, iovec: &IoVec, position: Position) -> Result<usize> {
    let size = u32::try_from(iovec.len()).unwrap_or(u32::MAX);
    let mut overlapped = overlapped(position);
    let overlapped = overlapped.as_mut().map_or(null_mut(), std::ptr::from_mut);
    let mut count = 0;
    // SAFETY: the caller of `IoVec::new` has promised that the memory is valid and writable. The handle is
    // synchronous, so the operation is complete when the call returns.
    match unsafe { ReadFile(handle(fd), iovec.base(), size, &raw mut count, overlapped) } {
        0 => match std::io::Error::last_os_error().raw_os_error() {
            Some(code) if code.cast_unsigned() == ERROR_HANDLE_EOF => Ok(0),
            _ => match Errno::last() {
                // The other end of a pipe is closed.
                Errno::EOF => Ok(0),
                error => Err(refused(error)),
            },
        },
        _ => Ok(count as usize),
    }
}

/// The error of a handle that was not opened for the operation is that of a bad descriptor, as in libuv.
fn refused(error: Errno) -> Errno {
    if error == Errno::EPERM { Errno::EBADF } else { error }
}

/// [`read`] into a slice.
pub fn read_into(fd: RawDescriptor, buffer: &mut [u8], position: Position) -> Result<usize> {
    // SAFETY: the buffer is exclusively borrowed during the read.
    read(fd, &[unsafe { IoVec::from_slice(buffer) }], position)
}

/// Writes all bytes of the buffers, or as many as the system accepts before it fails. See [`read`] about the
/// file pointer.
#[doc(alias = "uv_fs_write")]
pub fn write(fd: RawDescriptor, iovecs: &mut [IoVec], position: Position) -> Result<usize> {
    keep_pointer(fd, position, || {
        let (mut written, mut position, mut rest) = (0, position, iovecs);
        while let Some(first) = rest.first() {
            match write_one(fd, first, position) {
                Ok(0) if first.len() > 0 => break,
                Ok(0) => rest = &mut rest[1..],
                Ok(count) => {
                    written += count;
                    position = position.advanced_by(count);
                    rest = advance(rest, count);
                }
                // A partial write is a success. The next write reports the error again.
                Err(_) if written > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(written)
    })
}

fn write_one(fd: RawDescriptor, iovec: &IoVec, position: Position) -> Result<usize> {
    let size = u32::try_from(iovec.len()).unwrap_or(u32::MAX);
    let mut overlapped = overlapped(position);
    let overlapped = overlapped.as_mut().map_or(null_mut(), std::ptr::from_mut);
    let mut count = 0;
    // SAFETY: the caller of `IoVec::new` has promised that the memory is valid. The handle is synchronous, so
    // the operation is complete when the call returns.
    let done = unsafe { WriteFile(handle(fd), iovec.base(), size, &raw mut count, overlapped) };
    // SAFETY: takes no arguments.
    match unsafe { GetLastError() } {
        _ if done != 0 => Ok(count as usize),
        // Nothing reads from the pipe any more.
        ERROR_NO_DATA => Err(Errno::EPIPE),
        _ => Err(refused(Errno::last())),
    }
}

/// [`write()`] from a slice.
pub fn write_from(fd: RawDescriptor, bytes: &[u8], position: Position) -> Result<usize> {
    // SAFETY: the bytes are borrowed until the operation has ended, and only read.
    let iovec = unsafe { IoVec::new(bytes.as_ptr().cast_mut(), bytes.len()) };
    write(fd, &mut [iovec], position)
}

/// The offset to read or write at, if it is not the file pointer.
fn overlapped(position: Position) -> Option<OVERLAPPED> {
    let Position::At(offset) = position else { return None };
    // SAFETY: all bits of the struct may be zero.
    let mut overlapped: OVERLAPPED = unsafe { std::mem::zeroed() };
    overlapped.Anonymous.Anonymous.Offset = offset as u32;
    overlapped.Anonymous.Anonymous.OffsetHigh = (offset >> 32) as u32;
    Some(overlapped)
}

/// Performs an operation. If it uses an offset, the file pointer is the same afterwards.
fn keep_pointer<T>(
    fd: RawDescriptor,
    position: Position,
    operation: impl FnOnce() -> Result<T>,
) -> Result<T> {
    if position == Position::Current {
        return operation();
    }
    // Negative offsets have a meaning of their own.
    if position.exceeds_file_range() {
        return Err(Errno::EINVAL);
    }
    let before = seek(fd, 0, FILE_CURRENT)?;
    let result = operation();
    // Cannot fail: this was the pointer of the same handle.
    let _ = seek(fd, before, FILE_BEGIN);
    result
}

fn seek(fd: RawDescriptor, distance: i64, from: u32) -> Result<i64> {
    let mut position = 0;
    // SAFETY: stores a number in a local variable. The call fails if the handle is not open.
    match unsafe { SetFilePointerEx(handle(fd), distance, &raw mut position, from) } {
        0 => Err(Errno::last()),
        _ => Ok(position),
    }
}
