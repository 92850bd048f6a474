//! Thread-local storage (`uv_key_*`) and one-time initialisation (`uv_once`).

use std::ffi::{c_int, c_void};

use super::{abort_on_error, code};
use crate::abi::{uv_key_t, uv_once_t};
use crate::ffi::Ptr;

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_create(key: Ptr<uv_key_t>) -> c_int {
    // SAFETY: the program guarantees memory for the key; there is no destructor.
    code(unsafe { libc::pthread_key_create(key.raw(), None) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_delete(key: Ptr<uv_key_t>) {
    // SAFETY: any key may be passed; an invalid one is an error.
    abort_on_error("uv_key_delete", unsafe { libc::pthread_key_delete(read(key)) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_get(key: Ptr<uv_key_t>) -> *mut c_void {
    // SAFETY: any key may be passed; an invalid one has a null value.
    unsafe { libc::pthread_getspecific(read(key)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_key_set(key: Ptr<uv_key_t>, value: *mut c_void) {
    // SAFETY: any key may be passed, and the value is not dereferenced.
    abort_on_error("uv_key_set", unsafe { libc::pthread_setspecific(read(key), value) });
}

/// Reads the key, which other threads may read concurrently.
fn read(key: Ptr<uv_key_t>) -> uv_key_t {
    // SAFETY: the program guarantees a valid pointer, and does not write to a key in use.
    unsafe { key.raw().read() }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_once(guard: Ptr<uv_once_t>, callback: extern "C" fn()) {
    // SAFETY: the program guarantees an initialised guard; pthreads allow concurrent use.
    abort_on_error("uv_once", unsafe { libc::pthread_once(guard.raw(), callback) });
}
