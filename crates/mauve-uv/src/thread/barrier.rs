//! `uv_barrier_*`.

use std::ffi::{c_int, c_uint};

use super::{code, must};
use crate::abi::uv_barrier_t;
use crate::ffi::Ptr;

// SAFETY, for all calls in this file: the program vouches for the barrier, which several threads
// may use at once; only its address is handed on.

#[export]
pub extern "C" fn uv_barrier_init(barrier: Ptr<uv_barrier_t>, count: c_uint) -> c_int {
    // SAFETY: see above; a null attribute means the default.
    code(unsafe { libc::pthread_barrier_init(barrier.raw(), std::ptr::null(), count) })
}

/// Returns 1 to one of the threads that met, and 0 to the others.
#[export]
pub extern "C" fn uv_barrier_wait(barrier: Ptr<uv_barrier_t>) -> c_int {
    // SAFETY: see above.
    match unsafe { libc::pthread_barrier_wait(barrier.raw()) } {
        libc::PTHREAD_BARRIER_SERIAL_THREAD => 1,
        result => {
            must("uv_barrier_wait", result);
            0
        }
    }
}

#[export]
pub extern "C" fn uv_barrier_destroy(barrier: Ptr<uv_barrier_t>) {
    // SAFETY: see above.
    must("uv_barrier_destroy", unsafe { libc::pthread_barrier_destroy(barrier.raw()) });
}
