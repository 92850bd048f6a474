//! What exists once: per thread (`uv_key_*`), and per process (`uv_once`).

use std::ffi::{c_int, c_void};

use super::{code, must};
use crate::abi::{uv_key_t, uv_once_t};
use crate::ffi::Ptr;

#[export]
pub extern "C" fn uv_key_create(key: Ptr<uv_key_t>) -> c_int {
    // SAFETY: the program vouches for the pointer; there is no destructor.
    code(unsafe { libc::pthread_key_create(key.raw(), None) })
}

#[export]
pub extern "C" fn uv_key_delete(key: Ptr<uv_key_t>) {
    // SAFETY: any number may be passed; an unknown one is an error.
    must("uv_key_delete", unsafe { libc::pthread_key_delete(read(key)) });
}

#[export]
pub extern "C" fn uv_key_get(key: Ptr<uv_key_t>) -> *mut c_void {
    // SAFETY: any number may be passed; an unknown one has a null value.
    unsafe { libc::pthread_getspecific(read(key)) }
}

#[export]
pub extern "C" fn uv_key_set(key: Ptr<uv_key_t>, value: *mut c_void) {
    // SAFETY: any number may be passed, and the value is not looked at.
    must("uv_key_set", unsafe { libc::pthread_setspecific(read(key), value) });
}

/// The key, which other threads may be reading too.
fn read(key: Ptr<uv_key_t>) -> uv_key_t {
    // SAFETY: the program vouches for the pointer, and nobody writes to a key in use.
    unsafe { key.raw().read() }
}

#[export]
pub extern "C" fn uv_once(guard: Ptr<uv_once_t>, callback: extern "C" fn()) {
    // SAFETY: the program vouches for the guard, which several threads may use at once.
    must("uv_once", unsafe { libc::pthread_once(guard.raw(), callback) });
}
