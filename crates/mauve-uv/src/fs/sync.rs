//! `uv_fs_fsync`, `uv_fs_fdatasync` and `uv_fs_ftruncate`.

use std::ffi::c_int;

use mauve_sys::Result;
use mauve_sys::fs::sync;

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{FsCall, FsJob, done};

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_fs_fsync(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_FSYNC, loop_, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        .run(fsync)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_fs_fdatasync(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_FDATASYNC, loop_, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        .run(fdatasync)
}

// Functions instead of closures, see `open_file`.

fn fsync(job: &mut FsJob) -> Result<isize> {
    done(sync::fsync(job.descriptor()))
}

fn fdatasync(job: &mut FsJob) -> Result<isize> {
    done(sync::fdatasync(job.descriptor()))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_ftruncate(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    offset: i64,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_FTRUNCATE, loop_, request, callback)
        .with(uv_fs_arguments_t { file, offset, ..uv_fs_arguments_t::NONE })
        .run(|job| done(sync::ftruncate(job.descriptor(), job.offset)))
}
