//! Datagrams on systems without segmentation offload and error queues.

use std::ffi::c_int;

use super::{Datagram, ReceiveQueue, Transmit, receive};
use crate::descriptor::BorrowedSocket;
use crate::net::c;
use crate::{Errno, Result};

/// No segment is sent with segmentation offload.
pub const MAX_SEGMENT: usize = 0;

/// There are no control messages.
pub const CONTROL_SPACE: usize = 0;

pub fn error_queue() -> Result<c_int> {
    Err(Errno::ENOSYS)
}

pub fn set_gro(_: BorrowedSocket<'_>, _on: bool) -> Result<()> {
    Err(Errno::ENOSYS)
}

/// Receives with `recvmsg`, which reports whether the datagram was truncated.
pub fn receive_udp(
    fd: BorrowedSocket<'_>,
    buffer: &mut [u8],
    datagram: &mut Datagram,
) -> Result<()> {
    receive(fd, buffer, ReceiveQueue::Data, datagram)
}

/// Not called, because [`MAX_SEGMENT`] is zero.
pub fn send_segmented(_: BorrowedSocket<'_>, _: &Transmit<'_>, _segment: u16) -> Result<usize> {
    Err(Errno::ENOSYS)
}

/// Reads nothing: there are no control messages.
///
/// # Safety
/// Safe to call; other systems follow the pointers of the header.
pub unsafe fn read_control(_: &c::msghdr, _: &mut Datagram) {}
