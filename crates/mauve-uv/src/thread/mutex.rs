//! `uv_mutex_*`.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use super::{attempt, code, must};
use crate::abi::uv_mutex_t;
use crate::ffi::Ptr;

// SAFETY, for all calls in this file: the program vouches for the mutex, which pthreads allow to
// be used by several threads at once; only its address is handed on.

#[export]
pub extern "C" fn uv_mutex_init(mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: see above; a null attribute means the default.
    code(unsafe { libc::pthread_mutex_init(mutex.raw(), std::ptr::null()) })
}

#[export]
pub extern "C" fn uv_mutex_init_recursive(mutex: Ptr<uv_mutex_t>) -> c_int {
    let mut attribute = MaybeUninit::uninit();
    // SAFETY: see above; the attribute is made before it is used, and destroyed once.
    unsafe {
        must("uv_mutex_init_recursive", libc::pthread_mutexattr_init(attribute.as_mut_ptr()));
        libc::pthread_mutexattr_settype(attribute.as_mut_ptr(), libc::PTHREAD_MUTEX_RECURSIVE);
        let result = libc::pthread_mutex_init(mutex.raw(), attribute.as_ptr());
        libc::pthread_mutexattr_destroy(attribute.as_mut_ptr());
        code(result)
    }
}

#[export]
pub extern "C" fn uv_mutex_destroy(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: see above.
    must("uv_mutex_destroy", unsafe { libc::pthread_mutex_destroy(mutex.raw()) });
}

#[export]
pub extern "C" fn uv_mutex_lock(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: see above.
    must("uv_mutex_lock", unsafe { libc::pthread_mutex_lock(mutex.raw()) });
}

#[export]
pub extern "C" fn uv_mutex_trylock(mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: see above.
    attempt("uv_mutex_trylock", unsafe { libc::pthread_mutex_trylock(mutex.raw()) })
}

#[export]
pub extern "C" fn uv_mutex_unlock(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: see above.
    must("uv_mutex_unlock", unsafe { libc::pthread_mutex_unlock(mutex.raw()) });
}
