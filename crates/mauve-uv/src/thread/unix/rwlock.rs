//! `uv_rwlock_*`.

use std::ffi::c_int;

use super::{abort_on_error, code, trylock_result};
use crate::abi::uv_rwlock_t;
use crate::ffi::Ptr;

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_init(lock: Ptr<uv_rwlock_t>) -> c_int {
    // SAFETY: the program guarantees memory for the lock; a null attribute means the default.
    code(unsafe { libc::pthread_rwlock_init(lock.raw(), std::ptr::null()) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_destroy(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: the program guarantees the lock is initialised; pthreads allow concurrent use.
    abort_on_error("uv_rwlock_destroy", unsafe { libc::pthread_rwlock_destroy(lock.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_rdlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: the program guarantees the lock is initialised; pthreads allow concurrent use.
    abort_on_error("uv_rwlock_rdlock", unsafe { libc::pthread_rwlock_rdlock(lock.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_tryrdlock(lock: Ptr<uv_rwlock_t>) -> c_int {
    // SAFETY: the program guarantees the lock is initialised; pthreads allow concurrent use.
    trylock_result("uv_rwlock_tryrdlock", unsafe { libc::pthread_rwlock_tryrdlock(lock.raw()) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_rdunlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: the program guarantees the lock is initialised; pthreads allow concurrent use.
    abort_on_error("uv_rwlock_rdunlock", unsafe { libc::pthread_rwlock_unlock(lock.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_wrlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: the program guarantees the lock is initialised; pthreads allow concurrent use.
    abort_on_error("uv_rwlock_wrlock", unsafe { libc::pthread_rwlock_wrlock(lock.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_trywrlock(lock: Ptr<uv_rwlock_t>) -> c_int {
    // SAFETY: the program guarantees the lock is initialised; pthreads allow concurrent use.
    trylock_result("uv_rwlock_trywrlock", unsafe { libc::pthread_rwlock_trywrlock(lock.raw()) })
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_rwlock_wrunlock(lock: Ptr<uv_rwlock_t>) {
    // SAFETY: the program guarantees the lock is initialised; pthreads allow concurrent use.
    abort_on_error("uv_rwlock_wrunlock", unsafe { libc::pthread_rwlock_unlock(lock.raw()) });
}
