//! Shared libraries that are loaded at run time.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use crate::abi::uv_lib_t;
use crate::ffi::Ptr;
use crate::{allocator, text};

#[export]
pub extern "C" fn uv_dlopen(file: Ptr<c_char>, library: Ptr<uv_lib_t>) -> c_int {
    forget_error();
    // SAFETY: null, for the program itself, or a string. Loading runs the library's initialisers,
    // which the program asked for.
    let handle = unsafe { libc::dlopen(file.raw(), libc::RTLD_LAZY) };
    library.write(uv_lib_t { handle, errmsg: null_mut() });
    if handle.is_null() { fail(library) } else { 0 }
}

#[export]
pub extern "C" fn uv_dlsym(
    library: Ptr<uv_lib_t>,
    name: Ptr<c_char>,
    out: Ptr<*mut c_void>,
) -> c_int {
    forget_error();
    // SAFETY: the program vouches for a library that is open, and for the string.
    let symbol = unsafe { libc::dlsym(library.with(|library| library.handle), name.raw()) };
    out.write(symbol);
    // A symbol may well be null; then there is no error.
    if symbol.is_null() { fail(library) } else { 0 }
}

#[export]
pub extern "C" fn uv_dlclose(library: Ptr<uv_lib_t>) {
    library.with(|library| {
        allocator::release(library.errmsg.cast());
        library.errmsg = null_mut();
        if !library.handle.is_null() {
            // SAFETY: opened by `uv_dlopen`, and not closed yet.
            unsafe { libc::dlclose(library.handle) };
            library.handle = null_mut();
        }
    });
}

#[export]
pub extern "C" fn uv_dlerror(library: Ptr<uv_lib_t>) -> *const c_char {
    let message = library.with(|library| library.errmsg);
    if message.is_null() { c"no error".as_ptr() } else { message }
}

/// Keeps the loader's message, if there is one: -1.
fn fail(library: Ptr<uv_lib_t>) -> c_int {
    // SAFETY: null, or a string that stays until this thread's next call of the loader.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return 0;
    }
    // SAFETY: as above.
    let message = unsafe { CStr::from_ptr(message) };
    library.with(|library| {
        allocator::release(library.errmsg.cast());
        library.errmsg = text::duplicate(message.to_bytes());
    });
    -1
}

/// What is left of an earlier failure is not ours.
fn forget_error() {
    // SAFETY: no arguments; the message is not used.
    unsafe { libc::dlerror() };
}
