//! Thread-local storage (`uv_key_*`) and one-time initialisation (`uv_once`).

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use mauve_sys::Errno;
use windows_sys::Win32::Foundation::{ERROR_SUCCESS, GetLastError};
use windows_sys::Win32::System::Threading::{
    INIT_ONCE, InitOnceExecuteOnce, TLS_OUT_OF_INDEXES, TlsAlloc, TlsFree, TlsGetValue, TlsSetValue,
};
use windows_sys::core::BOOL;

use super::abort_unless;
use crate::abi::{uv_key_t, uv_once_t};
use crate::ffi::{Ptr, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_create(key: Ptr<uv_key_t>) -> c_int {
    // SAFETY: takes no arguments.
    let index = unsafe { TlsAlloc() };
    key.write(uv_key_t { tls_index: index });
    if index == TLS_OUT_OF_INDEXES { negative(Errno::ENOMEM) } else { 0 }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_delete(key: Ptr<uv_key_t>) {
    // SAFETY: takes a number; one that is not in use is an error.
    abort_unless("uv_key_delete", unsafe { TlsFree(read(key)) } != 0);
    key.write(uv_key_t { tls_index: TLS_OUT_OF_INDEXES });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_get(key: Ptr<uv_key_t>) -> *mut c_void {
    // SAFETY: as above.
    let value = unsafe { TlsGetValue(read(key)) };
    // SAFETY: takes no arguments.
    abort_unless("uv_key_get", !value.is_null() || unsafe { GetLastError() } == ERROR_SUCCESS);
    value
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_set(key: Ptr<uv_key_t>, value: *mut c_void) {
    // SAFETY: as above, and the value is not dereferenced.
    abort_unless("uv_key_set", unsafe { TlsSetValue(read(key), value) } != 0);
}

/// Reads the key, which other threads may read concurrently.
fn read(key: Ptr<uv_key_t>) -> u32 {
    // SAFETY: the program guarantees a valid pointer, and does not write to a key in use.
    unsafe { (*key.raw()).tls_index }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_once(guard: Ptr<uv_once_t>, callback: extern "C" fn()) {
    // SAFETY: the program guarantees an initialised guard; concurrent use is allowed. `run` gets the function
    // as its parameter.
    let done = unsafe {
        let once = &raw mut (*guard.raw()).init_once;
        InitOnceExecuteOnce(once, Some(run), callback as *mut c_void, null_mut())
    };
    abort_unless("uv_once", done != 0);
}

unsafe extern "system" fn run(
    _: *mut INIT_ONCE,
    callback: *mut c_void,
    _: *mut *mut c_void,
) -> BOOL {
    // SAFETY: `uv_once` passes a function of this type.
    unsafe { std::mem::transmute::<*mut c_void, extern "C" fn()>(callback)() };
    1
}
