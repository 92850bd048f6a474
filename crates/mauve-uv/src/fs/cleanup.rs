//! `uv_fs_req_cleanup`.

use std::ptr::null_mut;

use crate::abi::*;
use crate::allocator;
use crate::check;
use crate::ffi::Ptr;
use crate::fs::{directory, scandir};

/// Frees all memory of a request. Does nothing the second time.
#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_req_cleanup(request: Ptr<uv_fs_t>) {
    if request.is_null() {
        return;
    }
    check::requests::before_submit(request, "uv_fs_req_cleanup");
    request.with(|fs| {
        release_paths(fs);
        release_buffers(fs);
        release_result(fs);
    });
}

fn release_paths(fs: &mut uv_fs_t) {
    // Both strings are in one block.
    if fs.cb.is_some() || matches!(fs.fs_type, UV_FS_MKDTEMP | UV_FS_MKSTEMP) {
        allocator::release(fs.path.cast_mut().cast());
    }
    fs.path = null_mut();
    fs.arguments.new_path = null_mut();
}

pub(super) fn release_buffers(fs: &mut uv_fs_t) {
    if !std::ptr::eq(fs.arguments.bufs, fs.buffers.as_ptr()) {
        allocator::release(fs.arguments.bufs.cast());
    }
    (fs.arguments.bufs, fs.arguments.nbufs) = (null_mut(), 0);
}

fn release_result(fs: &mut uv_fs_t) {
    let result = std::mem::take(&mut fs.ptr);
    match fs.fs_type {
        _ if result.is_null() || std::ptr::eq(result, (&raw const fs.statbuf).cast()) => {}
        // SAFETY: `uv_fs_scandir` stored the pointer.
        UV_FS_SCANDIR => unsafe { scandir::release(result.cast()) },
        // SAFETY: `uv_fs_readdir` stored the pointer, and `result` is the number of entries.
        UV_FS_READDIR => unsafe { directory::release_names(result.cast(), fs.result) },
        // Owned by the program until `uv_fs_closedir`.
        UV_FS_OPENDIR | UV_FS_CLOSEDIR => {}
        _ => allocator::release(result),
    }
}
