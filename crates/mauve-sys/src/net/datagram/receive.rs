//! Receiving.

use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

use super::{Control, MOST_BYTES, control_space, empty_header};
use crate::net::{Address, options};
use crate::{Errno, Result};

/// How many datagrams are taken with one system call at most.
pub const MOST_RECEIVED: usize = 20;

/// What is known of a datagram that came in.
#[derive(Clone, Copy, Debug)]
pub struct Datagram {
    /// How many bytes are in the buffer.
    pub len: usize,
    /// Who sent it, or, if it is one of ours that has come back, who sent it back. Empty if that
    /// one has no address.
    pub from: Address,
    /// There was more of it than the buffer could take.
    pub truncated: bool,
    /// It is one of ours that has come back, and this is why.
    pub error: Option<Errno>,
    /// Several datagrams of one sender stand in the buffer, all of this size but the last, which
    /// may be shorter.
    pub segment: Option<u16>,
}

impl Datagram {
    /// No datagram yet: a place for one.
    #[inline]
    pub const fn none() -> Self {
        Self { len: 0, from: Address::unspecified(), truncated: false, error: None, segment: None }
    }
}

/// What to take from a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// What others have sent.
    Received,
    /// What others have sent, and whether it is several that came as one.
    Coalesced,
    /// What we have sent and what has come back, if the socket collects that.
    Returned,
}

/// Takes one datagram from a queue of the socket. `EAGAIN` if there is none.
pub fn receive(
    fd: BorrowedFd<'_>,
    buffer: &mut [u8],
    queue: Queue,
    datagram: &mut Datagram,
) -> Result<()> {
    let mut control = Control::<CONTROL_SPACE>::new();
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut header = empty_header();
    header.msg_iov = &raw mut part;
    header.msg_iovlen = 1;
    if queue != Queue::Received {
        control.attach(&mut header);
    }
    let flags = if queue == Queue::Returned { libc::MSG_ERRQUEUE } else { 0 };
    let len = datagram.from.filled_by(|name, length| {
        header.msg_name = name.cast();
        header.msg_namelen = *length;
        // SAFETY: the header points to memory that is borrowed for this call.
        let result = restart(|| unsafe { libc::recvmsg(fd.as_raw_fd(), &raw mut header, flags) });
        *length = header.msg_namelen;
        result
    })?;
    (datagram.error, datagram.segment) = (None, None);
    datagram.len = len;
    datagram.truncated = header.msg_flags & libc::MSG_TRUNC != 0;
    if queue != Queue::Received {
        // SAFETY: the system has filled the header, whose control part is still there.
        unsafe { read_control(&header, datagram) };
    }
    Ok(())
}

/// As [`receive`] from [`Queue::Received`], of a socket that is known to be for UDP: the system
/// has no header to copy there, and says how large a datagram was that did not fit.
pub fn receive_udp(fd: BorrowedFd<'_>, buffer: &mut [u8], datagram: &mut Datagram) -> Result<()> {
    let (room, size) = (buffer.as_mut_ptr().cast(), buffer.len());
    let received = datagram.from.filled_by(|name, length| {
        // SAFETY: the buffer and the place for the address are borrowed for this call. It writes
        // as much as there is room for, whatever it returns.
        restart(|| unsafe {
            libc::recvfrom(fd.as_raw_fd(), room, size, libc::MSG_TRUNC, name, length)
        })
    })?;
    (datagram.error, datagram.segment) = (None, None);
    datagram.len = received.min(size);
    datagram.truncated = received > size;
    Ok(())
}

/// Datagrams that were taken with one call.
pub struct Batch {
    datagrams: [Datagram; MOST_RECEIVED],
    count: usize,
}

impl Batch {
    /// Room for a batch.
    pub const fn new() -> Self {
        Self { datagrams: [Datagram::none(); MOST_RECEIVED], count: 0 }
    }

    /// The datagrams. The first stands at the beginning of the buffer, each of the others
    /// [`MOST_BYTES`] behind the one before.
    pub fn datagrams(&self) -> &[Datagram] {
        &self.datagrams[..self.count]
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self::new()
    }
}

/// Takes as many datagrams as there are, and as there is room for at [`MOST_BYTES`] each.
/// `EAGAIN` if there is none, `EINVAL` if there is not even room for one.
pub fn receive_many(fd: BorrowedFd<'_>, buffer: &mut [u8], batch: &mut Batch) -> Result<()> {
    batch.count = 0;
    let mut headers = [const { MaybeUninit::<libc::mmsghdr>::uninit() }; MOST_RECEIVED];
    let mut parts = [libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }; MOST_RECEIVED];
    let chunks = buffer.chunks_exact_mut(MOST_BYTES);
    let mut room = 0;
    for (((slot, part), chunk), datagram) in
        headers.iter_mut().zip(&mut parts).zip(chunks).zip(&mut batch.datagrams)
    {
        *part = libc::iovec { iov_base: chunk.as_mut_ptr().cast(), iov_len: chunk.len() };
        let mut header = empty_header();
        header.msg_iov = part;
        header.msg_iovlen = 1;
        datagram.from.filled_by(|name, length| {
            header.msg_name = name.cast();
            header.msg_namelen = *length;
        });
        slot.write(libc::mmsghdr { msg_hdr: header, msg_len: 0 });
        room += 1;
    }
    if room == 0 {
        return Err(Errno::EINVAL);
    }
    let first = headers.as_mut_ptr().cast::<libc::mmsghdr>();
    let no_timeout = std::ptr::null_mut();
    // SAFETY: the first `room` headers are written, and what they point to is borrowed.
    let call = || unsafe { libc::recvmmsg(fd.as_raw_fd(), first, room, 0, no_timeout) as isize };
    batch.count = restart(call)?;
    for (slot, datagram) in headers.iter().zip(&mut batch.datagrams).take(batch.count) {
        // SAFETY: one of the headers that are written.
        let header = unsafe { slot.assume_init_ref() };
        (datagram.error, datagram.segment) = (None, None);
        datagram.len = header.msg_len as usize;
        datagram.truncated = header.msg_hdr.msg_flags & libc::MSG_TRUNC != 0;
        datagram.from.filled_by(|_, length| *length = header.msg_hdr.msg_namelen);
    }
    Ok(())
}

/// Takes one datagram that has come back, as a batch of one. The errors are those of
/// [`receive_many`].
pub fn receive_returned(fd: BorrowedFd<'_>, buffer: &mut [u8], batch: &mut Batch) -> Result<()> {
    batch.count = 0;
    let room = buffer.get_mut(..MOST_BYTES).ok_or(Errno::EINVAL)?;
    receive(fd, room, Queue::Returned, &mut batch.datagrams[0])?;
    batch.count = 1;
    Ok(())
}

fn restart(mut call: impl FnMut() -> isize) -> Result<usize> {
    loop {
        match call() {
            -1 if Errno::last() == Errno::EINTR => {}
            -1 => return Err(Errno::last()),
            count => return Ok(count as usize),
        }
    }
}

/// Has datagrams of one sender delivered together where that is possible.
pub fn set_receive_offload(fd: BorrowedFd<'_>, on: bool) -> Result<()> {
    options::set(fd, libc::SOL_UDP, libc::UDP_GRO, on.into())
}

/// Room for what may come along with a datagram.
const CONTROL_SPACE: usize = control_space::<Returned>() + control_space::<libc::c_int>();

/// Why a datagram came back, and from where.
#[repr(C)]
struct Returned {
    error: libc::sock_extended_err,
    offender: libc::sockaddr_in6,
}

/// Notes what came along with a datagram.
///
/// # Safety
/// The system has filled the header, and what it points to is still there.
unsafe fn read_control(header: &libc::msghdr, datagram: &mut Datagram) {
    // SAFETY: CMSG_* walk through the control data without leaving it. The data of each kind is
    // what the system puts there.
    unsafe {
        let mut message = libc::CMSG_FIRSTHDR(header);
        while let Some(this) = message.as_ref() {
            let data = libc::CMSG_DATA(this);
            match (this.cmsg_level, this.cmsg_type) {
                (libc::IPPROTO_IP, libc::IP_RECVERR) | (libc::IPPROTO_IPV6, libc::IPV6_RECVERR) => {
                    let returned = data.cast::<Returned>();
                    let code = (&raw const (*returned).error.ee_errno).read_unaligned();
                    datagram.error = Some(Errno::from_raw(code as i32));
                    let offender = Address::copy_from((&raw const (*returned).offender).cast());
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
