//! Functions of the C library that may block, and in which a thread can be cancelled
//! (`pthread_cancel`).
//!
//! A cancelled thread unwinds through the callers of the function. The declarations tell the
//! compiler so. The callers have nothing to clean up meanwhile, and are not generic over closures:
//! without optimisation even a closure without captures is cleaned up. What has something to clean
//! up is called with cancellation [disabled](uncancelled).

use std::ffi::{c_char, c_int, c_void};

use libc::{iovec, mode_t, off_t, size_t, ssize_t};

unsafe extern "C-unwind" {
    pub(super) fn open(path: *const c_char, flags: c_int, mode: mode_t, ...) -> c_int;
    pub(super) fn read(fd: c_int, buffer: *mut c_void, size: size_t) -> ssize_t;
    pub(super) fn readv(fd: c_int, list: *const iovec, count: c_int) -> ssize_t;
    pub(super) fn pread(fd: c_int, buffer: *mut c_void, size: size_t, at: off_t) -> ssize_t;
    pub(super) fn preadv(fd: c_int, list: *const iovec, count: c_int, at: off_t) -> ssize_t;
    pub(super) fn write(fd: c_int, buffer: *const c_void, size: size_t) -> ssize_t;
    pub(super) fn writev(fd: c_int, list: *const iovec, count: c_int) -> ssize_t;
    pub(super) fn pwrite(fd: c_int, buffer: *const c_void, size: size_t, at: off_t) -> ssize_t;
    pub(super) fn pwritev(fd: c_int, list: *const iovec, count: c_int, at: off_t) -> ssize_t;
    pub(super) fn fsync(fd: c_int) -> c_int;
    pub(super) fn fdatasync(fd: c_int) -> c_int;
}

unsafe extern "C" {
    // Not declared by the crate libc for every target.
    fn pthread_setcancelstate(state: c_int, old: *mut c_int) -> c_int;
}

/// Runs `action`, which may have something to clean up. The thread is not cancelled meanwhile.
pub fn uncancelled(action: impl FnOnce()) {
    const DISABLE: c_int = 1;
    let mut before = 0;
    // SAFETY: a number, and room for another one.
    unsafe { pthread_setcancelstate(DISABLE, &raw mut before) };
    action();
    // SAFETY: as above.
    unsafe { pthread_setcancelstate(before, &raw mut before) };
}
