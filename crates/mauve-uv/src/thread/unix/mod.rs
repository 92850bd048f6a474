//! Threads and locks of pthreads. The types are the pthread types (`uv_mutex_t` *is* `pthread_mutex_t`), so
//! programs can mix these calls with pthreads.

mod barrier;
mod cancellation;
mod condition;
mod create;
mod local;
mod mutex;
mod rwlock;
mod semaphore;

use std::ffi::c_int;

use mauve_sys::Errno;
use mauve_sys::thread::Thread;

use crate::abi::uv_thread_t;
use crate::ffi::{Ptr, abort_misuse, negative};

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_self() -> uv_thread_t {
    // SAFETY: has no arguments and cannot fail.
    unsafe { libc::pthread_self() }
}

#[unsafe(no_mangle)]
pub extern "C" fn uv_thread_equal(one: Ptr<uv_thread_t>, other: Ptr<uv_thread_t>) -> c_int {
    let (one, other) = (one.with(|id| *id), other.with(|id| *id));
    // SAFETY: compares two ids by value.
    unsafe { libc::pthread_equal(one, other) }
}

/// The thread with an id that C passed.
pub(super) fn from_c(thread: uv_thread_t) -> Thread {
    // SAFETY: the caller of the C function guarantees that the thread exists.
    unsafe { Thread::from_raw(thread) }
}

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
