//! `uv_fs_mkdtemp` and `uv_fs_mkstemp`. The name replaces the template.

use std::ffi::{c_char, c_int};

use mauve_sys::fs::temporary;

use crate::abi::callbacks::uv_fs_cb;
use crate::abi::*;
use crate::ffi::Ptr;
use crate::file;
use crate::fs::call::{FsCall, done};

/// The flag of a file for reading and writing, on all systems.
const O_RDWR: c_int = 2;

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_mkdtemp(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    template: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_MKDTEMP, loop_, request, callback).template(template).run(|job| {
        let (name, made) = temporary::mkdtemp(job.path());
        job.name().copy_from_slice(name.to_bytes());
        done(made)
    })
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_fs_mkstemp(
    loop_: Ptr<uv_loop_t>,
    request: Ptr<uv_fs_t>,
    template: Ptr<c_char>,
    callback: uv_fs_cb,
) -> c_int {
    FsCall::new(UV_FS_MKSTEMP, loop_, request, callback).template(template).run(|job| {
        let (name, made) = temporary::mkstemp(job.path());
        let made = made.and_then(|descriptor| file::give(descriptor, O_RDWR));
        match made {
            Ok(_) => job.name().copy_from_slice(name.to_bytes()),
            // As in libuv, the name is cleared if the call fails.
            Err(_) => job.name().fill(0),
        }
        made.map(|file| file as isize)
    })
}
