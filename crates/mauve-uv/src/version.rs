//! `uv_version` and `uv_version_string`.

use std::ffi::{CStr, c_char, c_uint};

use crate::abi::{UV_VERSION_MAJOR, UV_VERSION_MINOR, UV_VERSION_PATCH};

/// The version of libuv with the same interface, with a suffix for this implementation.
const VERSION: &CStr = c"1.52.2-mauve";

#[unsafe(no_mangle)]
pub extern "C" fn uv_version() -> c_uint {
    UV_VERSION_MAJOR << 16 | UV_VERSION_MINOR << 8 | UV_VERSION_PATCH
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_version_string() -> *const c_char {
    VERSION.as_ptr()
}
