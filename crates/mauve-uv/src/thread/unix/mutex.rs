//! `uv_mutex_*`.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use super::{abort_on_error, code, trylock_result};
use crate::abi::uv_mutex_t;
use crate::ffi::Ptr;

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_init(mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: the program guarantees memory for the mutex; a null attribute means the default.
    code(unsafe { libc::pthread_mutex_init(mutex.raw(), std::ptr::null()) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_init_recursive(mutex: Ptr<uv_mutex_t>) -> c_int {
    let mut attribute = MaybeUninit::uninit();
    // SAFETY: the program guarantees memory for the mutex. The attribute is initialised before use,
    // and destroyed once.
    unsafe {
        abort_on_error(
            "uv_mutex_init_recursive",
            libc::pthread_mutexattr_init(attribute.as_mut_ptr()),
        );
        libc::pthread_mutexattr_settype(attribute.as_mut_ptr(), libc::PTHREAD_MUTEX_RECURSIVE);
        let result = libc::pthread_mutex_init(mutex.raw(), attribute.as_ptr());
        libc::pthread_mutexattr_destroy(attribute.as_mut_ptr());
        code(result)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_destroy(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: the program guarantees the mutex is initialised; pthreads allow concurrent use.
    abort_on_error("uv_mutex_destroy", unsafe { libc::pthread_mutex_destroy(mutex.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_lock(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: the program guarantees the mutex is initialised; pthreads allow concurrent use.
    abort_on_error("uv_mutex_lock", unsafe { libc::pthread_mutex_lock(mutex.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_trylock(mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: the program guarantees the mutex is initialised; pthreads allow concurrent use.
    trylock_result("uv_mutex_trylock", unsafe { libc::pthread_mutex_trylock(mutex.raw()) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_mutex_unlock(mutex: Ptr<uv_mutex_t>) {
    // SAFETY: the program guarantees the mutex is initialised; pthreads allow concurrent use.
    abort_on_error("uv_mutex_unlock", unsafe { libc::pthread_mutex_unlock(mutex.raw()) });
}
