//! Links, and where they lead.

use std::ffi::{CString, c_char, c_int};

use mauve_sys::fs::links;
use mauve_sys::{Errno, Result};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{Call, Job, done};
use crate::text;

#[export]
pub extern "C" fn uv_fs_link(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    new_path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_LINK, of, request, callback)
        .paths(path, new_path)
        .run(|job| done(links::link(job.path(), job.new_path())))
}

/// The flags tell Windows what the link leads to.
#[export]
pub extern "C" fn uv_fs_symlink(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    new_path: Ptr<c_char>,
    _flags: c_int,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_SYMLINK, of, request, callback)
        .paths(path, new_path)
        .run(|job| done(links::symlink(job.path(), job.new_path())))
}

#[export]
pub extern "C" fn uv_fs_readlink(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_READLINK, of, request, callback)
        .path(path)
        .run(|job| store(job, links::readlink(job.path())))
}

#[export]
pub extern "C" fn uv_fs_realpath(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_REALPATH, of, request, callback)
        .path(path)
        .run(|job| store(job, links::realpath(job.path())))
}

fn store(job: &mut Job, found: Result<CString>) -> Result<isize> {
    let copy = text::duplicate(found?.to_bytes());
    if copy.is_null() {
        return Err(Errno::ENOMEM);
    }
    job.set_ptr(copy);
    Ok(0)
}
