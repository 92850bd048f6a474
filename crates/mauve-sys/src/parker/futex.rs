//! The futex system calls of Linux.

use std::ptr::{null, null_mut};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

unsafe extern "C" {
    // Not declared by the crate libc for every target.
    fn pthread_setcanceltype(kind: libc::c_int, old: *mut libc::c_int) -> libc::c_int;
}

const PTHREAD_CANCEL_ASYNCHRONOUS: libc::c_int = 1;

/// Whether a loop may park.
pub const AVAILABLE: bool = true;

/// Blocks while `futex` holds `expected`, for at most `timeout`, or indefinitely if it is `None`.
/// Spurious returns are possible.
///
/// A cancellation point. The C library has no function for futexes, so this enables asynchronous
/// cancellation during the system call, as the library's own functions do. This frame has nothing to
/// clean up, and nothing in it unwinds by itself.
#[inline(never)]
pub fn wait(futex: &AtomicU32, expected: u32, timeout: Option<Duration>) {
    // A longer wait ends early; the engine waits again.
    let timeout = timeout.map(|timeout| libc::timespec {
        tv_sec: i32::try_from(timeout.as_secs()).unwrap_or(i32::MAX).into(),
        tv_nsec: timeout.subsec_nanos().into(),
    });
    let timeout = timeout.as_ref().map_or(null(), std::ptr::from_ref);
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    let mut kind = 0;
    // SAFETY: the futex and the timeout outlive the call, which writes to neither. The result is not
    // needed, because the caller reads the futex.
    unsafe {
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &raw mut kind);
        libc::syscall(libc::SYS_futex, futex.as_ptr(), operation, expected, timeout);
        pthread_setcanceltype(kind, null_mut());
    }
}

/// Wakes the thread that is blocked on `futex`, if there is one. Async-signal-safe.
pub fn wake(futex: &AtomicU32) {
    let flags = rustix::thread::futex::Flags::PRIVATE;
    // The thread may not be blocked yet, or no longer.
    let _ = rustix::thread::futex::wake(futex, flags, 1);
}
