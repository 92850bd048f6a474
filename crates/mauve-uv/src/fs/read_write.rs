//! `uv_fs_read` and `uv_fs_write`.

use std::ffi::{c_int, c_uint};

use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::fs::interrupt::Direction;
use mauve_sys::fs::nowait::{self, Attempt};
use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::{self, IoVec, Position};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::file;
use crate::fs::call::{FsCall, FsJob, complete, result_code};
use crate::fs::cleanup::release_buffers;
use crate::system::MAX_READ_BUFFERS;

/// The maximum number of bytes that the kernel transfers in one call.
pub(super) const MAX_LENGTH: usize = 0x7fff_f000;

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_fs_read(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    bufs: Ptr<uv_buf_t>,
    nbufs: c_uint,
    offset: i64,
    callback: uv_fs_cb,
) -> c_int {
    let valid = check(bufs, nbufs);
    let nbufs = if valid.is_ok() { readable(bufs, nbufs) } else { nbufs };
    let call = call(UV_FS_READ, loop_, request, callback, (file, bufs, nbufs, offset));
    let call = call
        .engine_read()
        .interrupt(Direction::Read)
        .attempt(|job| attempt_nowait(job, nowait::read));
    call.run_inline(valid, read)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_fs_write(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    bufs: Ptr<uv_buf_t>,
    nbufs: c_uint,
    offset: i64,
    callback: uv_fs_cb,
) -> c_int {
    let valid = check(bufs, nbufs).and_then(|()| check_length(bufs, nbufs));
    let call = call(UV_FS_WRITE, loop_, request, callback, (file, bufs, nbufs, offset));
    let call = call.interrupt(Direction::Write).attempt(|job| attempt_nowait(job, nowait::write));
    call.run_if(valid, write)
}

// Functions instead of closures, see `open_file`.

fn read(job: &mut FsJob) -> Result<isize> {
    let ready = job.wait_until_ready(Direction::Read);
    let result = ready.and_then(|()| finish_blocking(job, read_iovecs));
    job.release_buffers();
    result
}

fn read_iovecs(file: RawDescriptor, iovecs: &mut [IoVec], at: Position) -> Result<usize> {
    read_write::read(file, iovecs, at)
}

fn write(job: &mut FsJob) -> Result<isize> {
    let ready = job.wait_until_ready(Direction::Write);
    let result = ready.and_then(|()| finish_blocking(job, read_write::write));
    job.release_buffers();
    result
}

#[inline(always)]
fn call(
    kind: uv_fs_type,
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    callback: uv_fs_cb,
    (file, bufs, nbufs, offset): (uv_file, Ptr<uv_buf_t>, c_uint, i64),
) -> FsCall {
    let bufs = bufs.raw();
    let arguments = uv_fs_arguments_t { file, bufs, nbufs, offset, ..uv_fs_arguments_t::NONE };
    FsCall::new(kind, loop_, request, callback).with(arguments)
}

fn check(bufs: Ptr<uv_buf_t>, nbufs: c_uint) -> Result<()> {
    if bufs.is_null() || nbufs == 0 { Err(Errno::EINVAL) } else { Ok(()) }
}

/// How many of the first buffers one call can fill. As in libuv a read that is too long is short
/// instead of an error. [`io_vecs`] and [`describe`] limit the first buffer.
#[inline(always)]
fn readable(bufs: Ptr<uv_buf_t>, nbufs: c_uint) -> c_uint {
    if nbufs == 1 {
        return 1;
    }
    // SAFETY: not null, and the program guarantees `nbufs` buffers.
    let bufs = unsafe { std::slice::from_raw_parts(bufs.raw(), nbufs as usize) };
    let mut total: usize = 0;
    let fits = |buf: &&uv_buf_t| {
        total = total.saturating_add(buf.length());
        total <= MAX_LENGTH
    };
    (bufs.iter().take(MAX_READ_BUFFERS).take_while(fits).count() as c_uint).max(1)
}

fn check_length(bufs: Ptr<uv_buf_t>, nbufs: c_uint) -> Result<()> {
    // SAFETY: not null, and the program guarantees `nbufs` buffers.
    let bufs = unsafe { std::slice::from_raw_parts(bufs.raw(), nbufs as usize) };
    let total = bufs.iter().fold(0, |total: usize, buf| total.saturating_add(buf.length()));
    if total > MAX_LENGTH { Err(Errno::EINVAL) } else { Ok(()) }
}

/// The buffers of a request.
fn io_vecs(job: &mut FsJob) -> &mut [IoVec] {
    const { assert!(size_of::<IoVec>() == size_of::<uv_buf_t>()) };
    // SAFETY: a copied list of `nbufs` buffers, which have the layout of `IoVec`. The program keeps
    // their memory, and does not use it, until the callback.
    let list: &mut [IoVec] =
        unsafe { std::slice::from_raw_parts_mut(job.bufs.cast(), job.nbufs as usize) };
    if let Some(first) = list.first_mut() {
        first.limit(MAX_LENGTH);
    }
    list
}

/// The read for the engine, which supports one buffer. `None` if there are more.
#[inline(always)]
pub(super) fn describe(arguments: &uv_fs_arguments_t) -> Option<FileRead> {
    if arguments.nbufs != 1 {
        return None;
    }
    // SAFETY: a list of one buffer from the program, which is not null.
    let buffer = unsafe { arguments.bufs.read() };
    // SAFETY: the program keeps the memory, and does not use it, until the callback.
    let io_vec = unsafe { IoVec::new(buffer.base.cast(), buffer.length().min(MAX_LENGTH)) };
    let file = file::descriptor(arguments.file);
    Some(FileRead::foreign(file, Position::from_raw(arguments.offset), io_vec))
}

/// Completes a read that the engine has performed, or that was cancelled.
pub(crate) fn on_read(request: Ptr<uv_fs_t>, result: Result<u32>) {
    let result = result_code(result.map(|bytes| bytes as isize));
    request.with(|fs| {
        release_buffers(fs);
        fs.result = result;
    });
    complete(request, Ok(()));
}

/// Attempts a request without blocking. [`finish_blocking`] performs the rest on the pool.
fn attempt_nowait(
    job: &mut FsJob,
    attempt: fn(RawDescriptor, &[IoVec], Position) -> Attempt,
) -> Option<Result<isize>> {
    let (file, position) = (job.descriptor(), Position::from_raw(job.offset));
    let attempt = attempt(file, io_vecs(job), position);
    record_attempt(job, attempt)
}

/// Returns the result of a finished attempt. Otherwise stores the number of transferred bytes.
fn record_attempt(job: &mut FsJob, attempt: Attempt) -> Option<Result<isize>> {
    match attempt {
        Attempt::Done(result) => {
            job.release_buffers();
            Some(result.map(|bytes| bytes as isize))
        }
        Attempt::WouldBlock(0) => None,
        Attempt::WouldBlock(bytes) => {
            let rest = read_write::advance(io_vecs(job), bytes).len() as c_uint;
            job.change(|arguments| {
                arguments.transferred = bytes;
                arguments.used_buffers = (arguments.nbufs - rest) as usize;
                if arguments.offset >= 0 {
                    arguments.offset += bytes as i64;
                }
            });
            None
        }
    }
}

/// Performs the rest of a request, blocking.
fn finish_blocking(
    job: &mut FsJob,
    operation: fn(RawDescriptor, &mut [IoVec], Position) -> Result<usize>,
) -> Result<isize> {
    let (file, position) = (job.descriptor(), Position::from_raw(job.offset));
    // The list itself is not changed, because it is freed later.
    let (transferred, used) = (job.transferred, job.used_buffers);
    match operation(file, &mut io_vecs(job)[used..], position) {
        Ok(bytes) => Ok((transferred + bytes) as isize),
        Err(_) if transferred > 0 => Ok(transferred as isize),
        Err(error) => Err(error),
    }
}
