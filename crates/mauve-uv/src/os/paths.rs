//! `uv_cwd`, `uv_chdir`, `uv_os_homedir`, `uv_os_tmpdir` and `uv_exepath`.

use std::ffi::{OsStr, c_char, c_int};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use mauve_sys::Errno;
use mauve_sys::os::paths;

use crate::ffi::{Ptr, code, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_cwd(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::return_string(buffer, size, || paths::current_dir().map(bytes))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_chdir(directory: Ptr<c_char>) -> c_int {
    let path = Path::new(OsStr::from_bytes(text::borrow(&directory).to_bytes()));
    code(paths::set_current_dir(path))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_homedir(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::return_string(buffer, size, || paths::home_dir().map(bytes))
}

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

/// Unlike the other functions, it truncates a path that does not fit.
#[unsafe(no_mangle)]
pub extern "C" fn uv_exepath(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    if buffer.is_null() || size.is_null() || size.with(|size| *size) == 0 {
        return negative(Errno::EINVAL);
    }
    code(paths::current_exe().map(|path| {
        size.with(|size| *size = text::copy(&bytes(path), buffer, *size));
    }))
}

fn bytes(path: PathBuf) -> Vec<u8> {
    path.into_os_string().into_vec()
}
