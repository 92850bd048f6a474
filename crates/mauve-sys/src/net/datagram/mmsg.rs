//! Batches of datagrams on systems with `recvmmsg` and `sendmmsg`.

use std::os::fd::RawFd;

/// A datagram of a batch, and its size.
pub use libc::mmsghdr as Header;

/// Receives up to `count` datagrams. Returns how many, or -1.
///
/// # Safety
/// The headers are initialised, and the memory that they point to is exclusively borrowed.
#[inline]
pub unsafe fn receive(fd: RawFd, headers: *mut Header, count: u32) -> isize {
    // SAFETY: the caller promises valid headers. There is no timeout.
    unsafe { libc::recvmmsg(fd, headers, count as _, 0, std::ptr::null_mut()) as isize }
}

/// Sends up to `count` datagrams. Returns how many, or -1.
///
/// # Safety
/// The headers are initialised, and the memory that they point to is borrowed.
#[inline]
pub unsafe fn send(fd: RawFd, headers: *mut Header, count: u32) -> libc::c_int {
    // SAFETY: the caller promises valid headers.
    unsafe { libc::sendmmsg(fd, headers, count as _, 0) as libc::c_int }
}
