//! `uv_os_tmpdir`.

use std::ffi::{c_char, c_int};
use std::os::unix::ffi::OsStringExt;

use mauve_sys::os::paths;

use crate::ffi::Ptr;
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_tmpdir(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    // A trailing slash counts for the required size, though it is removed.
    let result = text::return_string(buffer, size, || Ok(paths::raw_temp_dir().into_vec()));
    if result == 0
        && let last @ 1.. = size.with(|size| size.saturating_sub(1))
    {
        // SAFETY: the last byte of the string that was just written.
        let last_byte = unsafe { &mut *buffer.raw().add(last) };
        if *last_byte == b'/' as c_char {
            *last_byte = 0;
            size.write(last);
        }
    }
    result
}
