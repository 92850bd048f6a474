//! Shared objects.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use crate::abi::uv_lib_t;
use crate::ffi::Ptr;
use crate::{allocator, text};

#[unsafe(no_mangle)]
pub extern "C" fn uv_dlopen(file: Ptr<c_char>, library: Ptr<uv_lib_t>) -> c_int {
    clear_error();
    // SAFETY: null, for the program itself, or a valid string. Loading runs initialisers of the
    // library, which the program requests.
    let handle = unsafe { libc::dlopen(file.raw(), libc::RTLD_LAZY) };
    library.write(uv_lib_t { handle, errmsg: null_mut() });
    if handle.is_null() { fail(library) } else { 0 }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_dlsym(
    library: Ptr<uv_lib_t>,
    name: Ptr<c_char>,
    out: Ptr<*mut c_void>,
) -> c_int {
    clear_error();
    // SAFETY: the program guarantees an open library and a valid string.
    let symbol = unsafe { libc::dlsym(library.with(|library| library.handle), name.raw()) };
    out.write(symbol);
    // The address of a symbol may be null, without an error.
    if symbol.is_null() { fail(library) } else { 0 }
}

#[unsafe(no_mangle)]
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

#[unsafe(no_mangle)]
pub extern "C" fn uv_dlerror(library: Ptr<uv_lib_t>) -> *const c_char {
    let message = library.with(|library| library.errmsg);
    if message.is_null() { c"no error".as_ptr() } else { message }
}

/// Stores the message of the loader and returns -1, or 0 if there is none.
fn fail(library: Ptr<uv_lib_t>) -> c_int {
    // SAFETY: null, or a string that is valid until the next loader call of this thread.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return 0;
    }
    // SAFETY: not null, and this thread has not called the loader since.
    let message = unsafe { CStr::from_ptr(message) };
    library.with(|library| {
        allocator::release(library.errmsg.cast());
        library.errmsg = text::duplicate(message.to_bytes());
    });
    -1
}

/// Clears the error of an earlier call.
fn clear_error() {
    // SAFETY: no arguments; the message is not used.
    unsafe { libc::dlerror() };
}
