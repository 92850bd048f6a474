//! `uv_fs_link`, `uv_fs_symlink`, `uv_fs_readlink` and `uv_fs_realpath`.

use std::ffi::{CString, c_char, c_int};

use mauve_sys::fs::links::{self, LinkKind};
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{FsCall, FsJob, done};
use crate::text;

const UV_FS_SYMLINK_DIR: c_int = 1;
const UV_FS_SYMLINK_JUNCTION: c_int = 2;

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_link(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    new_path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_LINK, loop_, request, callback)
        .paths(path, new_path)
        .run(|job| done(links::link(job.path(), job.new_path())))
}

/// The flags have an effect only on Windows.
#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_symlink(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    new_path: Ptr<c_char>,
    flags: c_int,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_SYMLINK, loop_, request, callback)
        .paths(path, new_path)
        .with(uv_fs_arguments_t { flags, ..uv_fs_arguments_t::NONE })
        .run(|job| {
            let kind = match job.flags {
                flags if flags & UV_FS_SYMLINK_JUNCTION != 0 => LinkKind::Junction,
                flags if flags & UV_FS_SYMLINK_DIR != 0 => LinkKind::Directory,
                _ => LinkKind::File,
            };
            done(links::symlink(job.path(), job.new_path(), kind))
        })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_readlink(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_READLINK, loop_, request, callback)
        .path(path)
        .run(|job| store(job, links::readlink(job.path())))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_realpath(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_REALPATH, loop_, request, callback)
        .path(path)
        .run(|job| store(job, links::realpath(job.path())))
}

fn store(job: &mut FsJob, found: Result<CString>) -> Result<isize> {
    let copy = text::duplicate(found?.to_bytes());
    if copy.is_null() {
        return Err(Errno::ENOMEM);
    }
    job.set_ptr(copy);
    Ok(0)
}
