//! `uv_fs_rename`, `uv_fs_unlink`, `uv_fs_mkdir` and `uv_fs_rmdir`.

use std::ffi::{c_char, c_int};

use mauve_sys::fs::{directory, links};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{FsCall, done};

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_rename(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    new_path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_RENAME, loop_, request, callback)
        .paths(path, new_path)
        .run(|job| done(links::rename(job.path(), job.new_path())))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_unlink(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_UNLINK, loop_, request, callback)
        .path(path)
        .run(|job| done(links::unlink(job.path())))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_mkdir(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    mode: c_int,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_MKDIR, loop_, request, callback)
        .with(uv_fs_arguments_t { mode: mode as u32, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(directory::mkdir(job.path(), job.mode)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_rmdir(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_RMDIR, loop_, request, callback)
        .path(path)
        .run(|job| done(directory::rmdir(job.path())))
}
