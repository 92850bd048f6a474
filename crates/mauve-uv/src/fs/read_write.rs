//! Reading and writing.

use std::ffi::{c_int, c_uint};

use mauve_sys::fs::nowait::{self, Attempt};
use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::{self, IoVec, Position};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{Call, Job, complete, number};
use crate::fs::cleanup::release_buffers;

/// The kernel moves no more in one call.
pub(super) const MAX_LENGTH: usize = 0x7fff_f000;

#[export]
pub extern "C-unwind" fn uv_fs_read(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    bufs: Ptr<uv_buf_t>,
    nbufs: c_uint,
    offset: i64,
    callback: uv_fs_cb,
) -> c_int {
    let call = call(UV_FS_READ, of, request, callback, (file, bufs, nbufs, offset));
    let call = call.reading().first(|job| settle(job, nowait::read));
    call.run_inline(check(bufs, nbufs), read)
}

#[export]
pub extern "C-unwind" fn uv_fs_write(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    bufs: Ptr<uv_buf_t>,
    nbufs: c_uint,
    offset: i64,
    callback: uv_fs_cb,
) -> c_int {
    let valid = check(bufs, nbufs).and_then(|()| check_length(bufs, nbufs));
    let call = call(UV_FS_WRITE, of, request, callback, (file, bufs, nbufs, offset));
    call.first(|job| settle(job, nowait::write)).run_if(valid, write)
}

// Functions and no closures, see `open_file`.

fn read(job: &mut Job) -> Result<isize> {
    let result = finish(job, read_iovecs);
    job.release_buffers();
    result
}

fn read_iovecs(file: c_int, iovecs: &mut [IoVec], at: Position) -> Result<usize> {
    read_write::read(file, iovecs, at)
}

fn write(job: &mut Job) -> Result<isize> {
    let result = finish(job, read_write::write);
    job.release_buffers();
    result
}

#[inline(always)]
fn call(
    kind: uv_fs_type,
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    callback: uv_fs_cb,
    (file, bufs, nbufs, offset): (uv_file, Ptr<uv_buf_t>, c_uint, i64),
) -> Call {
    let bufs = bufs.raw();
    let arguments = uv_fs_arguments_t { file, bufs, nbufs, offset, ..uv_fs_arguments_t::NONE };
    Call::new(kind, of, request, callback).with(arguments)
}

fn check(bufs: Ptr<uv_buf_t>, nbufs: c_uint) -> Result<()> {
    if bufs.is_null() || nbufs == 0 { Err(Errno::EINVAL) } else { Ok(()) }
}

fn check_length(bufs: Ptr<uv_buf_t>, nbufs: c_uint) -> Result<()> {
    // SAFETY: not null, and the program vouches for so many.
    let bufs = unsafe { std::slice::from_raw_parts(bufs.raw(), nbufs as usize) };
    let total = bufs.iter().fold(0, |total: usize, buf| total.saturating_add(buf.len));
    if total > MAX_LENGTH { Err(Errno::EINVAL) } else { Ok(()) }
}

/// The buffers of a request, without what was read or written already.
fn segments(job: &mut Job) -> &mut [IoVec] {
    const { assert!(size_of::<IoVec>() == size_of::<uv_buf_t>()) };
    // SAFETY: our own list of `nbufs` buffers, in which each is a segment by another name: the
    // program keeps their memory until the callback, and leaves it alone.
    unsafe { std::slice::from_raw_parts_mut(job.bufs.cast(), job.nbufs as usize) }
}

/// A read as the engine performs it: into one buffer.
#[inline(always)]
pub(super) fn describe(arguments: &uv_fs_arguments_t) -> Option<FileRead> {
    if arguments.nbufs != 1 {
        return None;
    }
    // SAFETY: the program's list of one buffer, which is not null.
    let buffer = unsafe { arguments.bufs.read() };
    // SAFETY: the program keeps the memory until the callback, and leaves it alone.
    let segment = unsafe { IoVec::new(buffer.base.cast(), buffer.len) };
    Some(FileRead::foreign(arguments.file, Position::from_raw(arguments.offset), segment))
}

/// Reports a read that the engine has performed, or that was cancelled.
pub(crate) fn read_ended(request: Ptr<uv_fs_t>, result: Result<u32>) {
    let result = number(result.map(|bytes| bytes as isize));
    request.with(|fs| {
        release_buffers(fs);
        fs.result = result;
    });
    complete(request, Ok(()));
}

/// Attempts a request without blocking. What would block is left for [`finish`].
fn settle(
    job: &mut Job,
    attempt: fn(c_int, &[IoVec], Position) -> Attempt,
) -> Option<Result<isize>> {
    let (file, position) = (job.file, Position::from_raw(job.offset));
    let attempt = attempt(file, segments(job), position);
    note(job, attempt)
}

/// The result of an attempt. Otherwise stores how many bytes are done.
fn note(job: &mut Job, attempt: Attempt) -> Option<Result<isize>> {
    match attempt {
        Attempt::Done(result) => {
            job.release_buffers();
            Some(result.map(|bytes| bytes as isize))
        }
        Attempt::WouldBlock(0) => None,
        Attempt::WouldBlock(bytes) => {
            let rest = read_write::advance(segments(job), bytes).len() as c_uint;
            job.change(|arguments| {
                arguments.begun = bytes;
                arguments.used = (arguments.nbufs - rest) as usize;
                if arguments.offset >= 0 {
                    arguments.offset += bytes as i64;
                }
            });
            None
        }
    }
}

/// Performs what is left to do.
fn finish(
    job: &mut Job,
    operation: fn(c_int, &mut [IoVec], Position) -> Result<usize>,
) -> Result<isize> {
    let (file, position, begun) = (job.file, Position::from_raw(job.offset), job.begun);
    // The list itself stays as it is, to be freed.
    let used = job.used;
    match operation(file, &mut segments(job)[used..], position) {
        Ok(bytes) => Ok((begun + bytes) as isize),
        Err(_) if begun > 0 => Ok(begun as isize),
        Err(error) => Err(error),
    }
}
