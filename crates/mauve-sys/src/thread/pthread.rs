//! The threads of POSIX.

/// A pthread id.
pub type RawThread = libc::pthread_t;

/// The calling thread.
pub(super) fn current() -> RawThread {
    // SAFETY: takes no arguments and cannot fail.
    unsafe { libc::pthread_self() }
}

/// A cancellation point: exits the calling thread if it was cancelled (`pthread_cancel`).
#[inline]
pub fn cancellation_point() {
    unsafe extern "C" {
        fn pthread_testcancel();
    }
    // SAFETY: takes no arguments. A cancelled thread unwinds from here as from any system call.
    unsafe { pthread_testcancel() }
}
