//! DLLs.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use mauve_sys::fs::path;
use windows_sys::Win32::Foundation::{FreeLibrary, GetLastError, LocalFree};
use windows_sys::Win32::System::Diagnostics::Debug::{
    FORMAT_MESSAGE_ALLOCATE_BUFFER, FORMAT_MESSAGE_FROM_SYSTEM, FORMAT_MESSAGE_IGNORE_INSERTS,
    FormatMessageW,
};
use windows_sys::Win32::System::LibraryLoader::{
    GetProcAddress, LOAD_WITH_ALTERED_SEARCH_PATH, LoadLibraryExW,
};

use crate::abi::uv_lib_t;
use crate::ffi::Ptr;
use crate::{allocator, text};

#[unsafe(no_mangle)]
pub extern "C" fn uv_dlopen(file: Ptr<c_char>, library: Ptr<uv_lib_t>) -> c_int {
    library.write(uv_lib_t { handle: null_mut(), errmsg: null_mut() });
    let Ok(name) = path::to_wide(text::borrow(&file)) else {
        return fail(library, b"The name is not valid UTF-8.");
    };
    // SAFETY: the name is null-terminated. Loading runs initialisers of the DLL, which the program requests.
    let handle =
        unsafe { LoadLibraryExW(name.as_ptr(), null_mut(), LOAD_WITH_ALTERED_SEARCH_PATH) };
    if handle.is_null() {
        return fail(library, &last_message(text::borrow(&file).to_bytes()));
    }
    library.with(|library| library.handle = handle);
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_dlsym(
    library: Ptr<uv_lib_t>,
    name: Ptr<c_char>,
    out: Ptr<*mut c_void>,
) -> c_int {
    // SAFETY: the program guarantees an open library and a valid string.
    let found =
        unsafe { GetProcAddress(library.with(|library| library.handle), name.raw().cast()) };
    out.write(found.map_or(null_mut(), |function| function as *mut c_void));
    if found.is_none() { fail(library, &last_message(text::borrow(&name).to_bytes())) } else { 0 }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_dlclose(library: Ptr<uv_lib_t>) {
    library.with(|library| {
        allocator::release(library.errmsg.cast());
        library.errmsg = null_mut();
        if !library.handle.is_null() {
            // SAFETY: opened by `uv_dlopen`, and not closed yet.
            unsafe { FreeLibrary(library.handle) };
            library.handle = null_mut();
        }
    });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_dlerror(library: Ptr<uv_lib_t>) -> *const c_char {
    let message = library.with(|library| library.errmsg);
    if message.is_null() { c"no error".as_ptr() } else { message }
}

/// Stores a message and returns -1.
fn fail(library: Ptr<uv_lib_t>, message: &[u8]) -> c_int {
    library.with(|library| {
        allocator::release(library.errmsg.cast());
        library.errmsg = text::duplicate(message);
    });
    -1
}

/// The system's message for the last error of this thread, which may be about `name`.
fn last_message(name: &[u8]) -> Vec<u8> {
    // SAFETY: takes no arguments.
    let code = unsafe { GetLastError() };
    let mut text: *mut u16 = null_mut();
    let flags =
        FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
    // SAFETY: with the first flag the function stores a pointer to memory that it has allocated.
    let length =
        unsafe { FormatMessageW(flags, null(), code, 0, (&raw mut text).cast(), 0, null()) };
    if length == 0 || text.is_null() {
        return format!("error: {code}").into_bytes();
    }
    // SAFETY: the function has stored that many characters.
    let message =
        String::from_utf16_lossy(unsafe { std::slice::from_raw_parts(text, length as usize) });
    // SAFETY: the function has allocated it, and it is not used afterwards.
    unsafe { LocalFree(text.cast()) };
    message.replace("%1", &String::from_utf8_lossy(name)).into_bytes()
}
