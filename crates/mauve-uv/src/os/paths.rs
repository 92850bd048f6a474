//! Directories and files that every program asks for.

use std::ffi::{OsStr, c_char, c_int};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use mauve_sys::Errno;
use mauve_sys::os::paths;

use crate::ffi::{Ptr, code, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_cwd(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::answer(buffer, size, || paths::working_directory().map(bytes))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_chdir(directory: Ptr<c_char>) -> c_int {
    let path = Path::new(OsStr::from_bytes(text::borrow(&directory).to_bytes()));
    code(paths::set_working_directory(path))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_homedir(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::answer(buffer, size, || paths::home_directory().map(bytes))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_os_tmpdir(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    text::answer(buffer, size, || Ok(bytes(paths::temporary_directory())))
}

/// Unlike its neighbours, this one cuts a path that does not fit.
#[unsafe(no_mangle)]
pub extern "C" fn uv_exepath(buffer: Ptr<c_char>, size: Ptr<usize>) -> c_int {
    if buffer.is_null() || size.is_null() || size.with(|size| *size) == 0 {
        return negative(Errno::EINVAL);
    }
    code(paths::executable().map(|path| {
        size.with(|size| *size = text::copy(&bytes(path), buffer, *size));
    }))
}

fn bytes(path: PathBuf) -> Vec<u8> {
    path.into_os_string().into_vec()
}
