//! Descriptors that travel with bytes over a local socket.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::io::IoSliceMut;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

use crate::Result;

/// How many descriptors one message may bring. More are closed by the system.
const MOST: usize = 64;

/// Writes bytes, and with the first of them a descriptor. Returns how many bytes are gone.
pub fn send_with_descriptor(
    socket: BorrowedFd<'_>,
    slices: &[IoSlice<'_>],
    descriptor: BorrowedFd<'_>,
) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor];
    control.push(SendAncillaryMessage::ScmRights(&descriptors));
    Ok(sendmsg(socket, slices, &mut control, SendFlags::empty())?)
}

/// Reads bytes; descriptors that came with them are appended to `descriptors`.
pub fn receive_with_descriptors(
    socket: BorrowedFd<'_>,
    buffer: &mut [u8],
    mut receive: impl FnMut(OwnedFd),
) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut slices = [IoSliceMut::new(buffer)];
    let message = recvmsg(socket, &mut slices, &mut control, RecvFlags::CMSG_CLOEXEC)?;
    for item in control.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = item {
            descriptors.for_each(&mut receive);
        }
    }
    Ok(message.bytes)
}
