//! Linux: futexes.

use std::ptr::{null, null_mut};
use std::sync::atomic::AtomicU32;

unsafe extern "C" {
    // Not declared by the crate libc for every target.
    fn pthread_setcanceltype(kind: libc::c_int, old: *mut libc::c_int) -> libc::c_int;
}

const PTHREAD_CANCEL_ASYNCHRONOUS: libc::c_int = 1;

/// Sleeps while `futex` holds `expected`, for `timeout` milliseconds at most, or for ever if it is
/// `None`. May return early.
///
/// A cancellation point. The C library has no function for futexes, so this does what its functions
/// do: the thread can be cancelled at any instruction for as long as the system call takes. There
/// is nothing to clean up in this frame, and nothing in it can unwind by itself.
#[inline(never)]
pub fn wait(futex: &AtomicU32, expected: u32, timeout: Option<u32>) {
    let timeout = timeout.map(|ms| libc::timespec {
        tv_sec: (ms / 1000).into(),
        tv_nsec: (ms % 1000 * 1_000_000).into(),
    });
    let timeout = timeout.as_ref().map_or(null(), std::ptr::from_ref);
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    let mut kind = 0;
    // SAFETY: the futex and the timeout outlive the call, which changes neither. However it ends,
    // the futex says the rest.
    unsafe {
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &raw mut kind);
        libc::syscall(libc::SYS_futex, futex.as_ptr(), operation, expected, timeout);
        pthread_setcanceltype(kind, null_mut());
    }
}

/// Wakes the thread that sleeps on `futex`, if there is one. Safe in a signal handler.
pub fn wake(futex: &AtomicU32) {
    let flags = rustix::thread::futex::Flags::PRIVATE;
    // No thread may be asleep yet, or any more.
    let _ = rustix::thread::futex::wake(futex, flags, 1);
}
