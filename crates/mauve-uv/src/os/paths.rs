//! `uv_cwd`, `uv_chdir`, `uv_os_homedir` and `uv_exepath`.

use std::ffi::{c_char, c_int};
use std::path::PathBuf;

use mauve_sys::Errno;
use mauve_sys::fs::path;
use mauve_sys::os::paths;

use crate::ffi::{Ptr, code, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_cwd(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::return_string(buffer, size, || paths::current_dir().map(bytes))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_chdir(directory: Ptr<c_char>) -> c_int {
    let path = path::from_c(text::borrow(&directory));
    code(path.and_then(|path| paths::set_current_dir(&path)))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_homedir(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::return_string(buffer, size, || paths::home_dir().map(bytes))
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
    path::to_bytes(path.as_os_str()).into_owned()
}
