//! Calls in which a thread can be cancelled (`pthread_cancel`), or end itself (`pthread_exit`).
//!
//! Such a thread unwinds through the frames of this library. Each of these calls has a frame of its
//! own without anything to clean up: a frame that has would say that the call cannot unwind, which
//! ends the process.

use std::ffi::c_int;

use crate::abi::{uv_cond_t, uv_mutex_t, uv_sem_t, uv_thread_t};
use crate::ffi::Ptr;

// SAFETY, for all calls in this file: the program vouches for what it passes, which several threads
// may use at once; only addresses are handed on.

#[inline]
pub(super) fn sem_wait(semaphore: Ptr<uv_sem_t>) -> c_int {
    // SAFETY: see above.
    unsafe { libc::sem_wait(semaphore.raw()) }
}

#[inline]
pub(super) fn cond_wait(condition: Ptr<uv_cond_t>, mutex: Ptr<uv_mutex_t>) -> c_int {
    // SAFETY: see above.
    unsafe { libc::pthread_cond_wait(condition.raw(), mutex.raw()) }
}

#[inline]
pub(super) fn cond_timedwait(
    condition: Ptr<uv_cond_t>,
    mutex: Ptr<uv_mutex_t>,
    deadline: &libc::timespec,
) -> c_int {
    // SAFETY: see above.
    unsafe { libc::pthread_cond_timedwait(condition.raw(), mutex.raw(), deadline) }
}

#[inline]
pub(super) fn join(thread: uv_thread_t) -> c_int {
    // SAFETY: see above.
    unsafe { libc::pthread_join(thread, std::ptr::null_mut()) }
}
