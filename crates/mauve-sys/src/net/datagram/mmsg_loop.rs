//! Batches of datagrams on systems without `recvmmsg`: one system call for each datagram.

use std::ffi::c_int;

use crate::descriptor::RawDescriptor;
use crate::net::c;

/// A datagram of a batch, and its size.
#[repr(C)]
pub struct Header {
    pub msg_hdr: c::msghdr,
    pub msg_len: u32,
}

/// Receives up to `count` datagrams. Returns how many, or -1.
///
/// # Safety
/// The headers are initialised, and the memory that they point to is exclusively borrowed.
pub unsafe fn receive(fd: RawDescriptor, headers: *mut Header, count: u32) -> isize {
    // Only the first one may block.
    let call = |header: &mut Header, first: bool| {
        let flags = if first { 0 } else { c::MSG_DONTWAIT };
        // SAFETY: the caller promises a valid header.
        unsafe { c::recvmsg(fd, &raw mut header.msg_hdr, flags) }
    };
    // SAFETY: the caller promises `count` headers.
    unsafe { for_each(headers, count, call) }
}

/// Sends up to `count` datagrams. Returns how many, or -1.
///
/// # Safety
/// The headers are initialised, and the memory that they point to is borrowed.
pub unsafe fn send(fd: RawDescriptor, headers: *mut Header, count: u32) -> c_int {
    // SAFETY: the caller promises a valid header.
    let call = |header: &mut Header, _| unsafe { c::sendmsg(fd, &raw const header.msg_hdr, 0) };
    // SAFETY: the caller promises `count` headers.
    unsafe { for_each(headers, count, call) as c_int }
}

/// Calls `call` for each header, until it fails. Returns the number of successful calls, or -1 if
/// the first one failed.
///
/// # Safety
/// There are `count` initialised headers.
unsafe fn for_each(
    headers: *mut Header,
    count: u32,
    mut call: impl FnMut(&mut Header, bool) -> isize,
) -> isize {
    // SAFETY: the caller promises that many headers.
    let headers = unsafe { std::slice::from_raw_parts_mut(headers, count as usize) };
    for (done, header) in headers.iter_mut().enumerate() {
        match usize::try_from(call(header, done == 0)) {
            Ok(length) => header.msg_len = length as u32,
            Err(_) if done == 0 => return -1,
            Err(_) => return done as isize,
        }
    }
    headers.len() as isize
}
