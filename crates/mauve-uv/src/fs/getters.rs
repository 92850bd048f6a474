//! `uv_fs_get_*`.

use std::ffi::{c_char, c_int, c_void};

use crate::abi::*;
use crate::ffi::Ptr;
use crate::system;

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_get_type(request: Ptr<uv_fs_t>) -> uv_fs_type {
    request.with(|fs| fs.fs_type)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_get_result(request: Ptr<uv_fs_t>) -> isize {
    request.with(|fs| fs.result)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_get_ptr(request: Ptr<uv_fs_t>) -> *mut c_void {
    request.with(|fs| fs.ptr)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_get_path(request: Ptr<uv_fs_t>) -> *const c_char {
    request.with(|fs| fs.path)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_get_statbuf(request: Ptr<uv_fs_t>) -> *mut uv_stat_t {
    request.with(|fs| &raw mut fs.statbuf)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_fs_get_system_error(request: Ptr<uv_fs_t>) -> c_int {
    system::error_code(request.with(|fs| fs.result))
}
