//! Error names and messages.

use std::ffi::{CStr, CString, c_char, c_int};

use mauve_sys::Errno;

use crate::ffi::Ptr;
use crate::{system, text};

#[unsafe(no_mangle)]
pub extern "C" fn uv_err_name(error: c_int) -> *const c_char {
    static_or_leaked(errno(error).and_then(Errno::c_name), error)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_strerror(error: c_int) -> *const c_char {
    static_or_leaked(errno(error).and_then(Errno::c_message), error)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_err_name_r(error: c_int, buffer: Ptr<c_char>, size: usize) -> *mut c_char {
    copy(errno(error).and_then(Errno::c_name), error, buffer, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_strerror_r(error: c_int, buffer: Ptr<c_char>, size: usize) -> *mut c_char {
    copy(errno(error).and_then(Errno::c_message), error, buffer, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_translate_sys_error(error: c_int) -> c_int {
    if error <= 0 { error } else { system::translate(error) }
}

fn errno(error: c_int) -> Option<Errno> {
    (error < 0).then(|| error.checked_neg()).flatten().map(Errno::from_raw)
}

fn unknown(error: c_int) -> CString {
    CString::new(format!("Unknown system error {error}")).expect("no zero byte")
}

fn static_or_leaked(known: Option<&'static CStr>, error: c_int) -> *const c_char {
    match known {
        Some(text) => text.as_ptr(),
        // The caller does not free the result, so this leaks, as in libuv.
        None => leaked(error),
    }
}

/// An unknown error as a string of at most 31 bytes, as in libuv.
fn leaked(error: c_int) -> *const c_char {
    let mut text = unknown(error).into_bytes();
    text.truncate(31);
    CString::new(text).expect("no zero byte").into_raw()
}

fn copy(known: Option<&CStr>, error: c_int, buffer: Ptr<c_char>, size: usize) -> *mut c_char {
    let unknown = known.is_none().then(|| unknown(error));
    let found = known.or(unknown.as_deref()).unwrap_or_default();
    text::copy(found.to_bytes(), buffer, size);
    buffer.raw()
}
