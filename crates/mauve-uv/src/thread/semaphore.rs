//! `uv_sem_*`.

use std::ffi::{c_int, c_uint};

use mauve_sys::Errno;

use super::{code, must, waits};
use crate::abi::uv_sem_t;
use crate::ffi::{Ptr, negative};

// SAFETY, for all calls in this file: the program vouches for the semaphore, which several
// threads may use at once; only its address is handed on.

#[export]
pub extern "C" fn uv_sem_init(semaphore: Ptr<uv_sem_t>, value: c_uint) -> c_int {
    // SAFETY: see above.
    code(error_of(unsafe { libc::sem_init(semaphore.raw(), 0, value) }))
}

#[export]
pub extern "C" fn uv_sem_destroy(semaphore: Ptr<uv_sem_t>) {
    // SAFETY: see above.
    must("uv_sem_destroy", error_of(unsafe { libc::sem_destroy(semaphore.raw()) }));
}

/// May be called by a signal handler.
#[export]
pub extern "C" fn uv_sem_post(semaphore: Ptr<uv_sem_t>) {
    // SAFETY: see above.
    must("uv_sem_post", error_of(unsafe { libc::sem_post(semaphore.raw()) }));
}

#[export]
pub extern "C-unwind" fn uv_sem_wait(semaphore: Ptr<uv_sem_t>) {
    loop {
        match error_of(waits::sem_wait(semaphore)) {
            libc::EINTR => {}
            result => return must("uv_sem_wait", result),
        }
    }
}

#[export]
pub extern "C" fn uv_sem_trywait(semaphore: Ptr<uv_sem_t>) -> c_int {
    // SAFETY: see above.
    let wait = || error_of(unsafe { libc::sem_trywait(semaphore.raw()) });
    match uninterrupted(wait) {
        libc::EAGAIN => negative(Errno::EAGAIN),
        result => {
            must("uv_sem_trywait", result);
            0
        }
    }
}

/// Semaphores, unlike the rest of pthreads, report through `errno`.
fn error_of(result: c_int) -> c_int {
    if result == 0 { 0 } else { Errno::last().raw() }
}

/// Starts again what a signal handler interrupted.
fn uninterrupted(mut wait: impl FnMut() -> c_int) -> c_int {
    loop {
        match wait() {
            libc::EINTR => {}
            result => return result,
        }
    }
}
