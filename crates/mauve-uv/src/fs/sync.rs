//! The size of an open file, and its way to the disk.

use std::ffi::c_int;

use mauve_sys::Result;
use mauve_sys::fs::sync;

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{Call, Job, done};

#[export]
pub extern "C-unwind" fn uv_fs_fsync(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_FSYNC, of, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        .run(fsync)
}

#[export]
pub extern "C-unwind" fn uv_fs_fdatasync(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_FDATASYNC, of, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        .run(fdatasync)
}

// Functions and no closures, see `open_file`.

fn fsync(job: &mut Job) -> Result<isize> {
    done(sync::fsync(job.file))
}

fn fdatasync(job: &mut Job) -> Result<isize> {
    done(sync::fdatasync(job.file))
}

#[export]
pub extern "C" fn uv_fs_ftruncate(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    offset: i64,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_FTRUNCATE, of, request, callback)
        .with(uv_fs_arguments_t { file, offset, ..uv_fs_arguments_t::NONE })
        .run(|job| done(sync::ftruncate(job.file, job.offset)))
}
