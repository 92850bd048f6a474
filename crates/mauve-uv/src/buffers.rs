//! Buffers.

use std::ffi::{c_char, c_uint};

use crate::abi::uv_buf_t;

#[unsafe(no_mangle)]
pub extern "C" fn uv_buf_init(base: *mut c_char, len: c_uint) -> uv_buf_t {
    uv_buf_t { base, len: len as usize }
}
