//! Receiving datagrams.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

use super::{Control, MAX_DATAGRAM, control_space, empty_header};
use crate::net::{Address, options};
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
    fd: BorrowedFd<'_>,
    buffer: &mut [u8],
    queue: ReceiveQueue,
    datagram: &mut Datagram,
) -> Result<()> {
    let mut control = Control::<CONTROL_SPACE>::new();
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut header = empty_header();
    header.msg_iov = &raw mut part;
    header.msg_iovlen = 1;
    if queue != ReceiveQueue::Data {
        control.attach(&mut header);
    }
    let flags = if queue == ReceiveQueue::Errors { libc::MSG_ERRQUEUE } else { 0 };
    let len = datagram.from.fill_with(|name, length| {
        header.msg_name = name.cast();
        header.msg_namelen = *length;
        // SAFETY: the header points to memory that is exclusively borrowed during the call.
        let result = restart(|| unsafe { libc::recvmsg(fd.as_raw_fd(), &raw mut header, flags) });
        *length = header.msg_namelen;
        result
    })?;
    (datagram.error, datagram.segment) = (None, None);
    datagram.len = len;
    datagram.truncated = header.msg_flags & libc::MSG_TRUNC != 0;
    if queue != ReceiveQueue::Data {
        // SAFETY: `recvmsg` has filled the header, and `control` is still alive.
        unsafe { read_control(&header, datagram) };
    }
    Ok(())
}

/// Like [`receive`] from [`ReceiveQueue::Data`], for a UDP socket. It uses `recvfrom`, so the kernel
/// has no `msghdr` to copy. With `MSG_TRUNC` a UDP socket returns the full size of a datagram that
/// did not fit.
pub fn receive_udp(fd: BorrowedFd<'_>, buffer: &mut [u8], datagram: &mut Datagram) -> Result<()> {
    let (start, size) = (buffer.as_mut_ptr().cast(), buffer.len());
    let received = datagram.from.fill_with(|name, length| {
        // SAFETY: the buffer and the address are exclusively borrowed during the call. It never
        // writes more than `size` bytes, even if it returns more.
        restart(|| unsafe {
            libc::recvfrom(fd.as_raw_fd(), start, size, libc::MSG_TRUNC, name, length)
        })
    })?;
    (datagram.error, datagram.segment) = (None, None);
    datagram.len = received.min(size);
    datagram.truncated = received > size;
    Ok(())
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
pub fn receive_many(fd: BorrowedFd<'_>, buffer: &mut [u8], batch: &mut ReceiveBatch) -> Result<()> {
    batch.count = 0;
    let mut headers = [const { MaybeUninit::<libc::mmsghdr>::uninit() }; MAX_RECEIVE_BATCH];
    let mut parts = [libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }; MAX_RECEIVE_BATCH];
    let chunks = buffer.chunks_exact_mut(MAX_DATAGRAM);
    let mut capacity = 0;
    for (((slot, part), chunk), datagram) in
        headers.iter_mut().zip(&mut parts).zip(chunks).zip(&mut batch.datagrams)
    {
        *part = libc::iovec { iov_base: chunk.as_mut_ptr().cast(), iov_len: chunk.len() };
        let mut header = empty_header();
        header.msg_iov = part;
        header.msg_iovlen = 1;
        datagram.from.fill_with(|name, length| {
            header.msg_name = name.cast();
            header.msg_namelen = *length;
        });
        slot.write(libc::mmsghdr { msg_hdr: header, msg_len: 0 });
        capacity += 1;
    }
    if capacity == 0 {
        return Err(Errno::EINVAL);
    }
    let first = headers.as_mut_ptr().cast::<libc::mmsghdr>();
    let no_timeout = std::ptr::null_mut();
    // SAFETY: the first `capacity` headers are initialised. The memory that they point to is
    // exclusively borrowed during the call.
    let call =
        || unsafe { libc::recvmmsg(fd.as_raw_fd(), first, capacity, 0, no_timeout) as isize };
    batch.count = restart(call)?;
    for (slot, datagram) in headers.iter().zip(&mut batch.datagrams).take(batch.count) {
        // SAFETY: the kernel has received into this header, so it is one of those initialised above.
        let header = unsafe { slot.assume_init_ref() };
        (datagram.error, datagram.segment) = (None, None);
        datagram.len = header.msg_len as usize;
        datagram.truncated = header.msg_hdr.msg_flags & libc::MSG_TRUNC != 0;
        datagram.from.fill_with(|_, length| *length = header.msg_hdr.msg_namelen);
    }
    Ok(())
}

/// Receives one datagram from the error queue, as a batch of one. The errors are those of
/// [`receive_many`].
pub fn receive_error(
    fd: BorrowedFd<'_>,
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
fn restart(mut call: impl FnMut() -> isize) -> Result<usize> {
    loop {
        match call() {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            count => return Ok(count as usize),
        }
    }
}

/// Lets the kernel coalesce datagrams of one sender (generic receive offload, `UDP_GRO`).
pub fn set_gro(fd: BorrowedFd<'_>, on: bool) -> Result<()> {
    options::set(fd, libc::SOL_UDP, libc::UDP_GRO, on.into())
}

/// The space for the control messages of a datagram.
const CONTROL_SPACE: usize = control_space::<ExtendedError>() + control_space::<libc::c_int>();

/// The control message of the error queue: the error, and the host that reported it.
#[repr(C)]
struct ExtendedError {
    error: libc::sock_extended_err,
    offender: libc::sockaddr_in6,
}

/// Stores the control messages of a datagram: its error and its segment size.
///
/// # Safety
/// `recvmsg` has filled the header, and the control buffer is still alive.
unsafe fn read_control(header: &libc::msghdr, datagram: &mut Datagram) {
    // SAFETY: CMSG_FIRSTHDR and CMSG_NXTHDR stay within the control buffer. The kernel stores the
    // type that belongs to each level and type of message.
    unsafe {
        let mut message = libc::CMSG_FIRSTHDR(header);
        while let Some(this) = message.as_ref() {
            let data = libc::CMSG_DATA(this);
            match (this.cmsg_level, this.cmsg_type) {
                (libc::IPPROTO_IP, libc::IP_RECVERR) | (libc::IPPROTO_IPV6, libc::IPV6_RECVERR) => {
                    let report = data.cast::<ExtendedError>();
                    let code = (&raw const (*report).error.ee_errno).read_unaligned();
                    datagram.error = Some(Errno::from_raw(code as i32));
                    let offender = Address::copy_from((&raw const (*report).offender).cast());
                    datagram.from = offender.unwrap_or(datagram.from);
                }
                (libc::SOL_UDP, libc::UDP_GRO) => {
                    let segment = data.cast::<libc::c_int>().read_unaligned();
                    datagram.segment = u16::try_from(segment).ok();
                }
                _ => {}
            }
            message = libc::CMSG_NXTHDR(header, this);
        }
    }
}
