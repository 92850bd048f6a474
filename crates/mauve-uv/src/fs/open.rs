//! `uv_fs_open` and `uv_fs_close`.

use std::ffi::{c_char, c_int};

use mauve_sys::Result;
use mauve_sys::fs::open;

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::file;
use crate::fs::call::{FsCall, FsJob, done};

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_fs_open(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    flags: c_int,
    mode: c_int,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_OPEN, loop_, request, callback)
        .with(uv_fs_arguments_t { flags, mode: mode as u32, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(open_file)
}

/// A function instead of a closure, like all operations that are cancellation points: the call of a
/// closure may have values to drop.
fn open_file(job: &mut FsJob) -> Result<isize> {
    let opened = open::open(job.path(), job.flags, job.mode)?;
    file::give(opened, job.flags).map(|file| file as isize)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_close(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_CLOSE, loop_, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        // SAFETY: the program owns the descriptor, and gives up the ownership.
        .run(|job| done(unsafe { file::close(job.file) }))
}
