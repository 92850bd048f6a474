//! `uv_version` and `uv_version_string`.

use std::ffi::{c_char, c_uint};

use crate::abi::{UV_VERSION_MAJOR, UV_VERSION_MINOR, UV_VERSION_PATCH};

/// The version of libuv with the same interface. Programs compare and parse it, so the name of this
/// implementation follows the string: `mauve with` recognises the library by it.
static VERSION: Version = Version(*b"1.53.0\0mauve\0");

/// Aligned, so that both strings are in one page: the second is looked for after any libuv's string.
#[repr(align(16))]
struct Version([u8; 13]);

#[unsafe(no_mangle)]
pub extern "C" fn uv_version() -> c_uint {
    UV_VERSION_MAJOR << 16 | UV_VERSION_MINOR << 8 | UV_VERSION_PATCH
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_version_string() -> *const c_char {
    VERSION.0.as_ptr().cast()
}
