//! Sending and receiving on stream sockets, and on other descriptors. Pipes pass sockets.

use std::io::IoSlice;
use std::ptr::null_mut;

use windows_sys::Win32::Networking::WinSock::{MSG_PEEK, WSARecv, WSASend};

use super::{buffer, is_socket};
use crate::descriptor::{
    AsDescriptor as _, BorrowedDescriptor, BorrowedPipe, BorrowedSocket, Descriptor,
};
use crate::{Errno, Result, device, fd};

/// How many buffers one call accepts.
const MAX_BUFFERS: usize = crate::payload::MAX_SLICES;

/// Receives available bytes. Zero bytes mean the end of the stream, unless `buffer` is empty. Falls back
/// to `ReadFile` if the descriptor is not a socket.
pub fn receive(socket: BorrowedSocket<'_>, buffer: &mut [u8]) -> Result<usize> {
    if let Some(device) = device::find(socket.raw_descriptor()) {
        return device.read(buffer);
    }
    match receive_with(socket, buffer, 0) {
        Err(error) if is_of_handle(error, socket) => fd::read_handle(socket, buffer),
        result => result,
    }
}

/// Whether an error means that the descriptor is not a socket. The number of that error is not the same in all
/// versions of the system.
fn is_of_handle(error: Errno, descriptor: BorrowedDescriptor<'_>) -> bool {
    error != Errno::EAGAIN && !is_socket(descriptor.socket())
}

/// Reads bytes without removing them from the receive queue.
pub fn peek(socket: BorrowedSocket<'_>, buffer: &mut [u8]) -> Result<usize> {
    receive_with(socket, buffer, MSG_PEEK as u32)
}

fn receive_with(socket: BorrowedSocket<'_>, into: &mut [u8], mut flags: u32) -> Result<usize> {
    let part = buffer(into);
    let (mut received, part) = (0, (&raw const part).cast());
    // SAFETY: the buffer is exclusively borrowed, and no operation is left pending: there is no `OVERLAPPED`.
    let result = unsafe {
        WSARecv(socket.socket(), part, 1, &raw mut received, &raw mut flags, null_mut(), None)
    };
    if result == 0 { Ok(received as usize) } else { Err(Errno::last()) }
}

/// Sends as many bytes as the socket accepts. Falls back to `WriteFile` if the descriptor is not a socket.
pub fn send(socket: BorrowedSocket<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    if let Some(device) = device::find(socket.raw_descriptor()) {
        return device.write(slices);
    }
    let count = slices.len().min(MAX_BUFFERS) as u32;
    let mut sent = 0;
    // SAFETY: an `IoSlice` is a `WSABUF`, and the slices are borrowed. No operation is left pending: there
    // is no `OVERLAPPED`.
    let result = unsafe {
        let buffers = slices.as_ptr().cast();
        WSASend(socket.socket(), buffers, count, &raw mut sent, 0, null_mut(), None)
    };
    if result == 0 {
        return Ok(sent as usize);
    }
    match Errno::last() {
        Errno::ENOBUFS => Err(Errno::EAGAIN),
        error if is_of_handle(error, socket) => fd::write_handle(socket, slices),
        error => Err(error),
    }
}

/// Sends bytes, and a TCP socket with the first of them, over a pipe [with messages](super::frame_messages).
/// `ENOTSUP` for other descriptors. Returns how many bytes were sent.
pub fn send_with_descriptor(
    pipe: BorrowedPipe<'_>,
    slices: &[IoSlice<'_>],
    descriptor: BorrowedDescriptor<'_>,
) -> Result<usize> {
    let device = device::find(pipe.raw_descriptor()).ok_or(Errno::ENOTSUP)?;
    device.send(slices, descriptor)
}

/// Receives bytes of messages. Calls `receive` for each socket that was passed with them. `EAGAIN` after a socket
/// without bytes.
pub fn receive_with_descriptors(
    pipe: BorrowedPipe<'_>,
    buffer: &mut [u8],
    mut receive: impl FnMut(Descriptor),
) -> Result<usize> {
    let device = device::find(pipe.raw_descriptor()).ok_or(Errno::ENOTSUP)?;
    device.receive(buffer, &mut receive)
}
