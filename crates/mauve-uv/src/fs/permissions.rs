//! `uv_fs_access`, `uv_fs_chmod` and `uv_fs_chown`, with their variants.

use std::ffi::{c_char, c_int};

use mauve_sys::fs::permissions::{self, Owner};

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{FsCall, FsJob, done};

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_access(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    mode: c_int,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_ACCESS, loop_, request, callback)
        .with(uv_fs_arguments_t { flags: mode, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(permissions::access(job.path(), job.flags)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_chmod(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    mode: c_int,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_CHMOD, loop_, request, callback)
        .with(uv_fs_arguments_t { mode: mode as u32, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(permissions::chmod(job.path(), job.mode)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_fchmod(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    mode: c_int,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_FCHMOD, loop_, request, callback)
        .with(uv_fs_arguments_t { file, mode: mode as u32, ..uv_fs_arguments_t::NONE })
        .run(|job| done(permissions::fchmod(job.descriptor(), job.mode)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_chown(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    uid: uv_uid_t,
    gid: uv_gid_t,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_CHOWN, loop_, request, callback)
        .with(uv_fs_arguments_t { uid, gid, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(permissions::chown(job.path(), owner(job))))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_lchown(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    uid: uv_uid_t,
    gid: uv_gid_t,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_LCHOWN, loop_, request, callback)
        .with(uv_fs_arguments_t { uid, gid, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(|job| done(permissions::lchown(job.path(), owner(job))))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_fchown(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    uid: uv_uid_t,
    gid: uv_gid_t,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_FCHOWN, loop_, request, callback)
        .with(uv_fs_arguments_t { file, uid, gid, ..uv_fs_arguments_t::NONE })
        .run(|job| done(permissions::fchown(job.descriptor(), owner(job))))
}

fn owner(job: &FsJob) -> Owner {
    Owner { uid: id_number(job.uid), gid: id_number(job.gid) }
}
