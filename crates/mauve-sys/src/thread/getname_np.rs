//! The names of threads where `pthread_getname_np` returns an error number.

use std::ffi::c_int;

/// Stores the name of a thread. Returns an error number.
///
/// # Safety
/// The thread exists.
pub unsafe fn name(thread: libc::pthread_t, buffer: &mut [u8]) -> c_int {
    // SAFETY: the caller promises a thread, and the buffer has the size that is passed.
    unsafe { libc::pthread_getname_np(thread, buffer.as_mut_ptr().cast(), buffer.len()) }
}
