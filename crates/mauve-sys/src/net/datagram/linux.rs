//! Datagrams on Linux: segmentation offload (GSO, GRO) and the error queue.

use std::os::fd::{AsRawFd, BorrowedFd};

pub use super::mmsg::*;
use super::{Control, Datagram, MAX_GSO_BYTES, Transmit, header, restart, send_header};
use crate::net::{Address, set};
use crate::{Errno, Result};

/// The largest segment of a send with segmentation offload.
pub const MAX_SEGMENT: usize = MAX_GSO_BYTES;

/// The space of a control message.
const fn control_space<T>() -> usize {
    // SAFETY: CMSG_SPACE only computes a size.
    unsafe { libc::CMSG_SPACE(size_of::<T>() as u32) as usize }
}

const _: () = assert!(align_of::<libc::cmsghdr>() <= 8);

/// The flag to receive from the error queue.
pub fn error_queue() -> Result<libc::c_int> {
    Ok(libc::MSG_ERRQUEUE)
}

pub fn set_gro(fd: BorrowedFd<'_>, on: bool) -> Result<()> {
    set(fd, libc::SOL_UDP, libc::UDP_GRO, on.into())
}

/// Receives with `recvfrom`, so the kernel has no `msghdr` to copy. With `MSG_TRUNC` a UDP socket
/// returns the full size of a datagram that did not fit.
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

/// Sends one large buffer as several datagrams of `segment` bytes; the last one may be shorter. The
/// network card or the kernel divides it (generic segmentation offload, `UDP_SEGMENT`).
pub fn send_segmented(fd: BorrowedFd<'_>, datagram: &Transmit<'_>, segment: u16) -> Result<usize> {
    let mut control = Control::<{ control_space::<u16>() }>::new();
    let mut header = header(datagram);
    control.attach(&mut header);
    // SAFETY: the control buffer has space for one message with a u16, and CMSG_FIRSTHDR and
    // CMSG_DATA point into it.
    unsafe {
        let message = libc::CMSG_FIRSTHDR(&raw const header);
        (*message).cmsg_level = libc::SOL_UDP;
        (*message).cmsg_type = libc::UDP_SEGMENT;
        (*message).cmsg_len = libc::CMSG_LEN(size_of::<u16>() as u32) as _;
        libc::CMSG_DATA(message).cast::<u16>().write_unaligned(segment);
    }
    send_header(fd, &header)
}

/// The space for the control messages of a datagram.
pub const CONTROL_SPACE: usize = control_space::<ExtendedError>() + control_space::<libc::c_int>();

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
pub unsafe fn read_control(header: &libc::msghdr, datagram: &mut Datagram) {
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
