//! Threads and locks of Windows: critical sections, slim locks, condition variables, kernel semaphores.

mod barrier;
mod condition;
mod create;
mod local;
mod mutex;
mod rwlock;
mod semaphore;

use mauve_sys::Errno;
use mauve_sys::thread::Thread;

use crate::abi::uv_thread_t;
use crate::ffi::abort_misuse;

/// The thread with a handle that C passed.
pub(super) fn from_c(thread: uv_thread_t) -> Thread {
    // SAFETY: the caller of the C function guarantees that the thread exists.
    unsafe { Thread::from_raw(thread as usize) }
}

/// Aborts if a function has failed in a call that cannot return an error.
fn abort_unless(call: &str, succeeded: bool) {
    if !succeeded {
        abort_misuse(call, format_args!("{}", Errno::last()));
    }
}
