//! Cancellation points: calls in which a thread can be cancelled by `pthread_cancel`.
//!
//! Such a thread unwinds through the frames of this library. Each of these calls has its own
//! function without values to drop. Otherwise the compiler would mark the call as non-unwinding,
//! which aborts the process.

use std::ffi::c_int;

use crate::abi::{uv_cond_t, uv_mutex_t, uv_sem_t, uv_thread_t};
use crate::ffi::Ptr;

#[inline]
pub(super) fn sem_wait(semaphore: Ptr<uv_sem_t>) -> c_int {
    // SAFETY: the program guarantees the semaphore is initialised; concurrent use is allowed.
    unsafe { libc::sem_wait(semaphore.raw()) }
}

#[inline]
pub(super) fn cond_wait(condition: Ptr<uv_cond_t>, mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: the program guarantees both are initialised, and that this thread holds the mutex.
    unsafe { libc::pthread_cond_wait(condition.raw(), mutex.raw()) }
}

#[inline]
pub(super) fn cond_timedwait(
    condition: Ptr<uv_cond_t>,
    mutex: Ptr<uv_mutex_t>,
    deadline: &libc::timespec,
) -> c_int {
    // SAFETY: the program guarantees both are initialised, and that this thread holds the mutex.
    unsafe { libc::pthread_cond_timedwait(condition.raw(), mutex.raw(), deadline) }
}

#[inline]
pub(super) fn join(thread: uv_thread_t) -> c_int {
    // SAFETY: the program guarantees a joinable thread; its return value is ignored.
    unsafe { libc::pthread_join(thread, std::ptr::null_mut()) }
}
