//! Receiving datagrams.

use std::ffi::c_int;
use std::mem::MaybeUninit;

use super::{Control, MAX_DATAGRAM, empty_header, system};
use crate::descriptor::{AsDescriptor as _, BorrowedSocket};
use crate::net::{Address, c, common};
use crate::{Errno, Result};

/// How many datagrams one `recvmmsg` receives at most.
const MAX_RECEIVE_BATCH: usize = 20;

/// The metadata of a received datagram.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Datagram {
    /// How many bytes are in the buffer.
    pub len: usize,
    /// The address of the sender, or of the host that reported the [`error`](Self::error). Empty if
    /// it has no address.
    pub from: Address,
    /// The datagram was larger than the buffer.
    pub truncated: bool,
    /// The error for a datagram from [`ReceiveQueue::Errors`]. The bytes are those of the datagram
    /// that could not be delivered.
    pub error: Option<Errno>,
    /// The segment size, if the kernel has coalesced several datagrams of one sender (GRO). The last
    /// one may be shorter.
    pub segment: Option<u16>,
}

impl Datagram {
    /// A value for [`receive`] to overwrite.
    #[inline]
    pub const fn empty() -> Self {
        Self { len: 0, from: Address::unspecified(), truncated: false, error: None, segment: None }
    }
}

/// The queue of a socket to receive from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveQueue {
    /// The data queue.
    Data,
    /// The data queue of a socket with [`set_gro`], with segment sizes.
    CoalescedData,
    /// The error queue (`MSG_ERRQUEUE`) of a socket with `IP_RECVERR`.
    Errors,
}

/// Receives one datagram from a queue of the socket. `EAGAIN` if there is none.
pub fn receive(
    fd: BorrowedSocket<'_>,
    buffer: &mut [u8],
    queue: ReceiveQueue,
    datagram: &mut Datagram,
) -> Result<()> {
    let flags = if queue == ReceiveQueue::Errors { system::error_queue()? } else { 0 };
    receive_with(fd, buffer, queue, flags, datagram)
}

/// Like [`receive`] from [`ReceiveQueue::Data`], but the datagram stays in the queue.
pub fn peek(fd: BorrowedSocket<'_>, buffer: &mut [u8], datagram: &mut Datagram) -> Result<()> {
    receive_with(fd, buffer, ReceiveQueue::Data, c::MSG_PEEK, datagram)
}

fn receive_with(
    fd: BorrowedSocket<'_>,
    buffer: &mut [u8],
    queue: ReceiveQueue,
    flags: c_int,
    datagram: &mut Datagram,
) -> Result<()> {
    let mut control = Control::<{ system::CONTROL_SPACE }>::new();
    let mut part = common::buffer(buffer);
    let mut header = empty_header();
    header.msg_iov = &raw mut part;
    header.msg_iovlen = 1;
    if queue != ReceiveQueue::Data {
        control.attach(&mut header);
    }
    let len = datagram.from.fill_with(|name, length| {
        header.msg_name = name.cast();
        header.msg_namelen = *length;
        // SAFETY: the header points to memory that is exclusively borrowed during the call.
        let result = restart(|| unsafe { c::recvmsg(fd.raw_descriptor(), &raw mut header, flags) });
        *length = header.msg_namelen;
        result
    })?;
    (datagram.error, datagram.segment) = (None, None);
    datagram.len = len;
    datagram.truncated = header.msg_flags & c::MSG_TRUNC != 0;
    if queue != ReceiveQueue::Data {
        // SAFETY: `recvmsg` has filled the header, and `control` is still alive.
        unsafe { system::read_control(&header, datagram) };
    }
    Ok(())
}

/// Like [`receive`] from [`ReceiveQueue::Data`], for a UDP socket.
#[inline]
pub fn receive_udp(
    fd: BorrowedSocket<'_>,
    buffer: &mut [u8],
    datagram: &mut Datagram,
) -> Result<()> {
    system::receive_udp(fd, buffer, datagram)
}

/// The metadata of datagrams that were received with one system call.
pub struct ReceiveBatch {
    datagrams: [Datagram; MAX_RECEIVE_BATCH],
    count: usize,
}

impl ReceiveBatch {
    /// An empty batch.
    pub const fn new() -> Self {
        Self { datagrams: [Datagram::empty(); MAX_RECEIVE_BATCH], count: 0 }
    }

    /// The datagrams. The bytes of the n-th one begin at n times [`MAX_DATAGRAM`] in the buffer.
    pub fn datagrams(&self) -> &[Datagram] {
        &self.datagrams[..self.count]
    }
}

impl Default for ReceiveBatch {
    fn default() -> Self {
        Self::new()
    }
}

/// Receives as many datagrams as are pending and fit into the buffer, at [`MAX_DATAGRAM`] bytes
/// each. `EAGAIN` if none is pending, `EINVAL` if the buffer is too small for one.
pub fn receive_many(
    fd: BorrowedSocket<'_>,
    buffer: &mut [u8],
    batch: &mut ReceiveBatch,
) -> Result<()> {
    batch.count = 0;
    let mut headers = [const { MaybeUninit::<system::Header>::uninit() }; MAX_RECEIVE_BATCH];
    let mut parts = [c::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }; MAX_RECEIVE_BATCH];
    let chunks = buffer.chunks_exact_mut(MAX_DATAGRAM);
    let mut capacity = 0;
    for (((slot, part), chunk), datagram) in
        headers.iter_mut().zip(&mut parts).zip(chunks).zip(&mut batch.datagrams)
    {
        *part = common::buffer(chunk);
        let mut header = empty_header();
        header.msg_iov = part;
        header.msg_iovlen = 1;
        datagram.from.fill_with(|name, length| {
            header.msg_name = name.cast();
            header.msg_namelen = *length;
        });
        slot.write(system::Header { msg_hdr: header, msg_len: 0 });
        capacity += 1;
    }
    if capacity == 0 {
        return Err(Errno::EINVAL);
    }
    let first = headers.as_mut_ptr().cast::<system::Header>();
    // SAFETY: the first `capacity` headers are initialised. The memory that they point to is
    // exclusively borrowed during the call.
    batch.count = restart(|| unsafe { system::receive(fd.raw_descriptor(), first, capacity) })?;
    for (slot, datagram) in headers.iter().zip(&mut batch.datagrams).take(batch.count) {
        // SAFETY: the kernel has received into this header, so it is one of those initialised above.
        let header = unsafe { slot.assume_init_ref() };
        (datagram.error, datagram.segment) = (None, None);
        datagram.len = header.msg_len as usize;
        datagram.truncated = header.msg_hdr.msg_flags & c::MSG_TRUNC != 0;
        datagram.from.fill_with(|_, length| *length = header.msg_hdr.msg_namelen);
    }
    Ok(())
}

/// Receives one datagram from the error queue, as a batch of one. The errors are those of
/// [`receive_many`].
pub fn receive_error(
    fd: BorrowedSocket<'_>,
    buffer: &mut [u8],
    batch: &mut ReceiveBatch,
) -> Result<()> {
    batch.count = 0;
    let chunk = buffer.get_mut(..MAX_DATAGRAM).ok_or(Errno::EINVAL)?;
    receive(fd, chunk, ReceiveQueue::Errors, &mut batch.datagrams[0])?;
    batch.count = 1;
    Ok(())
}

/// Repeats a system call that a signal interrupts.
pub(crate) fn restart(mut call: impl FnMut() -> isize) -> Result<usize> {
    loop {
        match call() {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            count => return Ok(count as usize),
        }
    }
}

/// Lets the kernel coalesce datagrams of one sender (generic receive offload, `UDP_GRO`).
/// `ENOSYS` where the system has no such option.
pub fn set_gro(fd: BorrowedSocket<'_>, on: bool) -> Result<()> {
    system::set_gro(fd, on)
}
