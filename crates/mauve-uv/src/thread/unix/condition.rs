//! `uv_cond_*`.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use mauve_sys::{Errno, clock};

use super::{abort_on_error, cancellation, code};
use crate::abi::{uv_cond_t, uv_mutex_t};
use crate::ffi::{Ptr, negative};

/// Uses the monotonic clock, so that changes of the wall clock do not affect deadlines.
#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_init(condition: Ptr<uv_cond_t>) -> c_int {
    let mut attribute = MaybeUninit::uninit();
    // SAFETY: the program guarantees memory for the condition variable. The attribute is
    // initialised before use, and destroyed once.
    unsafe {
        let made = libc::pthread_condattr_init(attribute.as_mut_ptr());
        if made != 0 {
            return code(made);
        }
        let mut result =
            libc::pthread_condattr_setclock(attribute.as_mut_ptr(), libc::CLOCK_MONOTONIC);
        if result == 0 {
            result = libc::pthread_cond_init(condition.raw(), attribute.as_ptr());
        }
        libc::pthread_condattr_destroy(attribute.as_mut_ptr());
        code(result)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_destroy(condition: Ptr<uv_cond_t>) {
    // SAFETY: the program guarantees the condition variable is initialised; pthreads allow
    // concurrent use.
    abort_on_error("uv_cond_destroy", unsafe { libc::pthread_cond_destroy(condition.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_signal(condition: Ptr<uv_cond_t>) {
    // SAFETY: the program guarantees the condition variable is initialised; pthreads allow
    // concurrent use.
    abort_on_error("uv_cond_signal", unsafe { libc::pthread_cond_signal(condition.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_cond_broadcast(condition: Ptr<uv_cond_t>) {
    // SAFETY: the program guarantees the condition variable is initialised; pthreads allow
    // concurrent use.
    abort_on_error("uv_cond_broadcast", unsafe { libc::pthread_cond_broadcast(condition.raw()) });
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_cond_wait(condition: Ptr<uv_cond_t>, mutex: Ptr<uv_mutex_t>) {
    abort_on_error("uv_cond_wait", cancellation::cond_wait(condition, mutex));
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn uv_cond_timedwait(
    condition: Ptr<uv_cond_t>,
    mutex: Ptr<uv_mutex_t>,
    nanoseconds: u64,
) -> c_int {
    const SECOND: u64 = 1_000_000_000;
    let deadline = clock::hrtime().saturating_add(nanoseconds);
    let deadline = libc::timespec {
        tv_sec: (deadline / SECOND) as _,
        tv_nsec: (deadline % SECOND) as libc::c_long,
    };
    match cancellation::cond_timedwait(condition, mutex, &deadline) {
        libc::ETIMEDOUT => negative(Errno::ETIMEDOUT),
        result => {
            abort_on_error("uv_cond_timedwait", result);
            0
        }
    }
}
