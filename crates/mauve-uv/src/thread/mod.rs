//! Threads, locks and the other means of `uv.h` to get along with several threads.
//!
//! The types are the system's own (`uv_mutex_t` *is* `pthread_mutex_t`), so programs mix these
//! calls freely with pthreads, and everything here is a thin layer over them.
//!
//! Functions that return nothing cannot report an error: as libuv does, they end the process,
//! since going on without the lock would be worse.

mod affinity;
mod barrier;
mod condition;
mod create;
mod identity;
mod local;
mod mutex;
mod rwlock;
mod semaphore;
mod waits;

use std::ffi::c_int;

use mauve_sys::Errno;

use crate::ffi::{misuse, negative};

/// The result of a pthread function, the way libuv returns it.
fn code(result: c_int) -> c_int {
    -result
}

/// Ends the process if a pthread function failed whose caller cannot be told.
#[inline]
fn must(call: &str, result: c_int) {
    if result != 0 {
        misuse(call, format_args!("{}", Errno::from_raw(result)));
    }
}

/// The result of trying for a lock: 0, or `UV_EBUSY` (libuv ends the process for other errors).
#[inline]
fn attempt(call: &str, result: c_int) -> c_int {
    match result {
        // A read lock that has been taken too often is as busy as one that is held for writing.
        0 | libc::EBUSY | libc::EAGAIN => {}
        error => must(call, error),
    }
    if result == 0 { 0 } else { negative(Errno::EBUSY) }
}
