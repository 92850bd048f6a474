//! `uv_os_tmpdir`.

use std::ffi::{c_char, c_int};

use mauve_sys::fs::path;
use mauve_sys::os::paths;

use crate::ffi::Ptr;
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_tmpdir(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    let find = || Ok(path::to_bytes(paths::temp_dir().as_os_str()).into_owned());
    text::return_string(buffer, size, find)
}
