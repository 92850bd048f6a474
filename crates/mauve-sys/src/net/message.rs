//! Sending and receiving on stream sockets, with descriptor passing (`SCM_RIGHTS`).

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::io::{IoSliceMut, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

use super::system;
use crate::{Errno, Result, fd, payload};

/// Like [`fd::read`], but with `recv`, which bypasses the VFS layer. That saves a few percent of the
/// time of a small message. Falls back to `read` if the descriptor is not a socket.
///
/// Inlined, like [`send`]: a return that follows a system call is predicted badly.
#[inline(always)]
pub fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    loop {
        match rustix::net::recv(socket, &mut *buffer, RecvFlags::empty()) {
            Ok((count, _)) => return Ok(count),
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::NOTSOCK) => return fd::read(socket, buffer),
            Err(error) => return Err(Errno::from(error)),
        }
    }
}

/// Reads bytes without removing them from the receive queue.
pub fn peek(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    let peek = || rustix::net::recv(socket, &mut *buffer, RecvFlags::PEEK);
    Ok(retry_on_intr(peek).map(|(count, _)| count)?)
}

/// Like [`fd::write`], but with `send`. Falls back to `write` if the descriptor is not a socket. See
/// [`receive`].
#[inline(always)]
pub fn send(socket: BorrowedFd<'_>, slices: &[IoSlice<'_>]) -> Result<usize> {
    let [_] = slices else { return fd::write(socket, slices) };
    loop {
        match rustix::net::send(socket, payload::single(slices), SendFlags::empty()) {
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::NOBUFS) => return Err(Errno::EAGAIN),
            Err(rustix::io::Errno::NOTSOCK) => return fd::write(socket, slices),
            result => return Ok(result?),
        }
    }
}

/// How many descriptors are received with one message. The kernel closes further ones.
const MAX_DESCRIPTORS: usize = 64;

/// Sends bytes, and a descriptor with the first of them. Returns how many bytes were sent.
pub fn send_with_descriptor(
    socket: BorrowedFd<'_>,
    slices: &[IoSlice<'_>],
    descriptor: BorrowedFd<'_>,
) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor];
    control.push(SendAncillaryMessage::ScmRights(&descriptors));
    loop {
        match sendmsg(socket, slices, &mut control, SendFlags::empty()) {
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::NOBUFS) => return Err(Errno::EAGAIN),
            result => return Ok(result?),
        }
    }
}

/// Receives bytes. Calls `receive` for each descriptor that was passed with them.
pub fn receive_with_descriptors(
    socket: BorrowedFd<'_>,
    buffer: &mut [u8],
    mut receive: impl FnMut(OwnedFd),
) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut slices = [IoSliceMut::new(buffer)];
    let message =
        retry_on_intr(|| recvmsg(socket, &mut slices, &mut control, system::RECEIVE_FLAGS))?;
    for item in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = item {
            for descriptor in received {
                system::set_close_on_exec(&descriptor);
                receive(descriptor);
            }
        }
    }
    Ok(message.bytes)
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn a_pipe_is_read_and_written_with_the_fallback() {
        let [reader, writer] = crate::net::pipe([false, false]).unwrap();
        assert_eq!(send(writer.as_fd(), &[IoSlice::new(b"mauve")]), Ok(5));
        let mut buffer = [0; 8];
        assert_eq!(receive(reader.as_fd(), &mut buffer), Ok(5));
        assert_eq!(&buffer[..5], b"mauve");
    }

    #[test]
    fn an_empty_send_succeeds_and_a_closed_peer_is_end_of_file() {
        let pair = crate::net::socket_pair(libc::SOCK_STREAM, 0, [false, false]).unwrap();
        let [ours, theirs] = pair;
        assert_eq!(send(ours.as_fd(), &[IoSlice::new(b"")]), Ok(0));
        assert_eq!(send(ours.as_fd(), &[IoSlice::new(b"a"), IoSlice::new(b"bc")]), Ok(3));
        drop(ours);
        let mut buffer = [0; 8];
        assert_eq!(receive(theirs.as_fd(), &mut buffer), Ok(3));
        assert_eq!(receive(theirs.as_fd(), &mut buffer), Ok(0));
        assert_eq!(send(theirs.as_fd(), &[IoSlice::new(b"mauve")]), Err(Errno::EPIPE));
    }
}
