//! `uv_barrier_*`.

use std::ffi::{c_int, c_uint};

use super::{abort_on_error, code};
use crate::abi::uv_barrier_t;
use crate::ffi::Ptr;

#[unsafe(no_mangle)]
pub extern "C" fn uv_barrier_init(barrier: Ptr<uv_barrier_t>, count: c_uint) -> c_int {
    // SAFETY: the program guarantees memory for the barrier; a null attribute means the default.
    code(unsafe { libc::pthread_barrier_init(barrier.raw(), std::ptr::null(), count) })
}

/// Returns 1 on one of the threads, and 0 on the others.
#[unsafe(no_mangle)]
pub extern "C" fn uv_barrier_wait(barrier: Ptr<uv_barrier_t>) -> c_int {
    // SAFETY: the program guarantees the barrier is initialised; pthreads allow concurrent use.
    match unsafe { libc::pthread_barrier_wait(barrier.raw()) } {
        libc::PTHREAD_BARRIER_SERIAL_THREAD => 1,
        result => {
            abort_on_error("uv_barrier_wait", result);
            0
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_barrier_destroy(barrier: Ptr<uv_barrier_t>) {
    // SAFETY: the program guarantees the barrier is initialised; pthreads allow concurrent use.
    abort_on_error("uv_barrier_destroy", unsafe { libc::pthread_barrier_destroy(barrier.raw()) });
}
