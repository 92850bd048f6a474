//! Blocking functions of the C library that are cancellation points (`pthread_cancel`).
//!
//! A cancelled thread unwinds through the callers of the function, so they are declared with the ABI
//! `C-unwind`. The callers must not have destructors to run, and must not be generic over closures:
//! without optimisation, even a closure without captures is dropped. Code with destructors is called
//! with cancellation [disabled](with_cancellation_disabled).
//!
//! With glibc they have the names that libuv calls, for tools that replace them.

use std::ffi::{c_char, c_int, c_void};

use libc::{iovec, off_t, size_t, ssize_t};

use super::system::CANCEL_DISABLE;

unsafe extern "C-unwind" {
    #[cfg_attr(target_env = "gnu", link_name = "open64")]
    pub(crate) fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    pub(crate) fn read(fd: c_int, buffer: *mut c_void, size: size_t) -> ssize_t;
    pub(crate) fn readv(fd: c_int, list: *const iovec, count: c_int) -> ssize_t;
    #[cfg_attr(target_env = "gnu", link_name = "pread64")]
    pub(crate) fn pread(fd: c_int, buffer: *mut c_void, size: size_t, at: off_t) -> ssize_t;
    #[cfg_attr(target_env = "gnu", link_name = "preadv64")]
    pub(crate) fn preadv(fd: c_int, list: *const iovec, count: c_int, at: off_t) -> ssize_t;
    pub(crate) fn write(fd: c_int, buffer: *const c_void, size: size_t) -> ssize_t;
    pub(crate) fn writev(fd: c_int, list: *const iovec, count: c_int) -> ssize_t;
    #[cfg_attr(target_env = "gnu", link_name = "pwrite64")]
    pub(crate) fn pwrite(fd: c_int, buffer: *const c_void, size: size_t, at: off_t) -> ssize_t;
    #[cfg_attr(target_env = "gnu", link_name = "pwritev64")]
    pub(crate) fn pwritev(fd: c_int, list: *const iovec, count: c_int, at: off_t) -> ssize_t;
    #[cfg_attr(target_env = "gnu", link_name = "ftruncate64")]
    pub(crate) fn ftruncate(fd: c_int, length: off_t) -> c_int;
    pub(crate) fn fsync(fd: c_int) -> c_int;
    #[allow(dead_code)] // Only some platforms use it.
    pub(crate) fn fdatasync(fd: c_int) -> c_int;
}

unsafe extern "C" {
    // Not declared by the crate libc for every target.
    fn pthread_setcancelstate(state: c_int, old: *mut c_int) -> c_int;
}

/// Runs `action`, which may have destructors, while the thread cannot be cancelled.
pub fn with_cancellation_disabled<R>(action: impl FnOnce() -> R) -> R {
    let mut before = 0;
    // SAFETY: the call stores the previous state in a local variable.
    unsafe { pthread_setcancelstate(CANCEL_DISABLE, &raw mut before) };
    let result = action();
    // SAFETY: `before` is a valid state, and the call overwrites it with the previous one.
    unsafe { pthread_setcancelstate(before, &raw mut before) };
    result
}
