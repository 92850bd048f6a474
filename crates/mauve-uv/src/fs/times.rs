//! `uv_fs_utime`, `uv_fs_lutime` and `uv_fs_futime`.

use std::ffi::{c_char, c_int};

use mauve_sys::fs::times::{self, FileTimes, TimeChange};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{FsCall, FsJob, done};

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_utime(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    atime: f64,
    mtime: f64,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_UTIME, loop_, request, callback)
        .with(uv_fs_arguments_t { atime, mtime, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(times::utime(job.path(), changes(job))))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_lutime(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    atime: f64,
    mtime: f64,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_LUTIME, loop_, request, callback)
        .with(uv_fs_arguments_t { atime, mtime, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(times::lutime(job.path(), changes(job))))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_futime(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    atime: f64,
    mtime: f64,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_FUTIME, loop_, request, callback)
        .with(uv_fs_arguments_t { file, atime, mtime, ..uv_fs_arguments_t::NONE })
        .run(|job| done(times::futime(job.descriptor(), changes(job))))
}

fn changes(job: &FsJob) -> FileTimes {
    FileTimes {
        accessed: TimeChange::from_seconds(job.atime),
        modified: TimeChange::from_seconds(job.mtime),
    }
}
