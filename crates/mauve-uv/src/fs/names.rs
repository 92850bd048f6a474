//! The names of files and directories.

use std::ffi::{c_char, c_int};

use mauve_sys::fs::{directory, links};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{Call, done};

#[export]
pub extern "C" fn uv_fs_rename(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    new_path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_RENAME, of, request, callback)
        .paths(path, new_path)
        .run(|job| done(links::rename(job.path(), job.new_path())))
}

#[export]
pub extern "C" fn uv_fs_unlink(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_UNLINK, of, request, callback)
        .path(path)
        .run(|job| done(links::unlink(job.path())))
}

#[export]
pub extern "C" fn uv_fs_mkdir(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    mode: c_int,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_MKDIR, of, request, callback)
        .with(uv_fs_arguments_t { mode: mode as u32, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(directory::mkdir(job.path(), job.mode)))
}

#[export]
pub extern "C" fn uv_fs_rmdir(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_RMDIR, of, request, callback)
        .path(path)
        .run(|job| done(directory::rmdir(job.path())))
}
