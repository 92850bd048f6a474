//! Opening and closing files.

use std::ffi::{c_char, c_int};
use std::os::fd::IntoRawFd;

use mauve_sys::Result;
use mauve_sys::fs::open;

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::fs::call::{Call, Job, done};

#[export]
pub extern "C-unwind" fn uv_fs_open(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    path: Ptr<c_char>,
    flags: c_int,
    mode: c_int,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_OPEN, of, request, callback)
        .with(uv_fs_arguments_t { flags, mode: mode as u32, ..uv_fs_arguments_t::NONE })
        .path(path)
        .run(open_file)
}

/// A function and no closure, like all operations in which the program's thread can be cancelled:
/// how a closure is called may have something to clean up.
fn open_file(job: &mut Job) -> Result<isize> {
    open::open(job.path(), job.flags, job.mode).map(|fd| fd.into_raw_fd() as isize)
}

#[export]
pub extern "C" fn uv_fs_close(
    of: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    file: uv_file,
    callback: uv_fs_cb,
) -> c_int {
    Call::new(UV_FS_CLOSE, of, request, callback)
        .with(uv_fs_arguments_t { file, ..uv_fs_arguments_t::NONE })
        // SAFETY: the program says that it is its own.
        .run(|job| done(unsafe { open::close_raw(job.file) }))
}
