//! `uv_sem_*`.

use std::ffi::{c_int, c_uint};

use mauve_sys::Errno;

use super::{abort_on_error, cancellation, code};
use crate::abi::uv_sem_t;
use crate::ffi::{Ptr, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_init(semaphore: Ptr<uv_sem_t>, value: c_uint) -> c_int {
    // SAFETY: the program guarantees memory for the semaphore.
    code(error_of(unsafe { libc::sem_init(semaphore.raw(), 0, value) }))
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_destroy(semaphore: Ptr<uv_sem_t>) {
    // SAFETY: the program guarantees the semaphore is initialised; concurrent use is allowed.
    abort_on_error("uv_sem_destroy", error_of(unsafe { libc::sem_destroy(semaphore.raw()) }));
}

/// May be called in a signal handler.
#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_post(semaphore: Ptr<uv_sem_t>) {
    // SAFETY: the program guarantees the semaphore is initialised; concurrent use is allowed.
    abort_on_error("uv_sem_post", error_of(unsafe { libc::sem_post(semaphore.raw()) }));
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_sem_wait(semaphore: Ptr<uv_sem_t>) {
    loop {
        match error_of(cancellation::sem_wait(semaphore)) {
            libc::EINTR => {}
            result => return abort_on_error("uv_sem_wait", result),
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_sem_trywait(semaphore: Ptr<uv_sem_t>) -> c_int {
    // SAFETY: the program guarantees the semaphore is initialised; concurrent use is allowed.
    let wait = || error_of(unsafe { libc::sem_trywait(semaphore.raw()) });
    match retry_interrupted(wait) {
        libc::EAGAIN => negative(Errno::EAGAIN),
        result => {
            abort_on_error("uv_sem_trywait", result);
            0
        }
    }
}

/// Semaphores, unlike the rest of pthreads, report through `errno`.
fn error_of(result: c_int) -> c_int {
    if result == 0 { 0 } else { Errno::last().raw() }
}

/// Repeats a call while it fails with `EINTR`.
fn retry_interrupted(mut wait: impl FnMut() -> c_int) -> c_int {
    loop {
        match wait() {
            libc::EINTR => {}
            result => return result,
        }
    }
}
