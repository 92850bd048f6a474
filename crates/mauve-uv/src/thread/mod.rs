//! Threads, locks, semaphores, condition variables and barriers of `uv.h`.
//!
//! The types are the pthread types (`uv_mutex_t` *is* `pthread_mutex_t`), so programs can mix these
//! calls with pthreads.
//!
//! Functions that return nothing cannot report an error. As in libuv they abort, because continuing
//! without the lock would be worse.

mod affinity;
mod barrier;
mod cancellation;
mod condition;
mod create;
mod identity;
mod local;
mod mutex;
mod rwlock;
mod semaphore;

use std::ffi::c_int;

use mauve_sys::Errno;

use crate::ffi::{abort_misuse, negative};

/// The result of a pthread function, as libuv returns it.
fn code(result: c_int) -> c_int {
    -result
}

/// Aborts if a pthread function failed in a call that cannot return an error.
#[inline]
fn abort_on_error(call: &str, result: c_int) {
    if result != 0 {
        abort_misuse(call, format_args!("{}", Errno::from_raw(result)));
    }
}

/// The result of a trylock function: 0 or `UV_EBUSY`. As in libuv, other errors abort.
#[inline]
fn trylock_result(call: &str, result: c_int) -> c_int {
    match result {
        // `EAGAIN`: the maximum number of read locks is reached.
        0 | libc::EBUSY | libc::EAGAIN => {}
        error => abort_on_error(call, error),
    }
    if result == 0 { 0 } else { negative(Errno::EBUSY) }
}
