//! Sending.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

use super::{Control, control_space, empty_header};
use crate::net::Address;
use crate::net::socket::check;
use crate::{Errno, Result};

/// How many datagrams leave with one system call at most.
pub const MOST_SENT: usize = 64;

/// A datagram on its way out.
#[derive(Clone, Copy)]
pub struct Outgoing<'a> {
    /// The bytes, in pieces.
    pub parts: &'a [IoSlice<'a>],
    /// Where it goes; `None` on a connected socket.
    pub to: Option<&'a Address>,
}

/// Sends one datagram. `EAGAIN` if there is no room for it now.
#[inline]
pub fn send(fd: BorrowedFd<'_>, datagram: &Outgoing<'_>) -> Result<usize> {
    match datagram.parts {
        [whole] => send_whole(fd, whole, datagram.to),
        _ => send_header(fd, &header(datagram)),
    }
}

/// Sends a datagram that is in one piece: the system has neither a header nor a list to copy.
#[inline]
fn send_whole(fd: BorrowedFd<'_>, bytes: &[u8], to: Option<&Address>) -> Result<usize> {
    let (name, length) = to.map_or((std::ptr::null(), 0), |to| (to.as_ptr(), to.len()));
    let (at, size) = (bytes.as_ptr().cast(), bytes.len());
    again(|| {
        // SAFETY: the bytes and the address are borrowed.
        match unsafe { libc::sendto(fd.as_raw_fd(), at, size, 0, name, length) } {
            -1 => Err(Errno::last()),
            count => Ok(count as usize),
        }
    })
}

/// Sends one large piece of memory as many datagrams of `segment` bytes; the last one may be
/// shorter. The network card divides it, or the system does as late as possible.
fn send_segmented(fd: BorrowedFd<'_>, datagram: &Outgoing<'_>, segment: u16) -> Result<usize> {
    let mut control = Control::<{ control_space::<u16>() }>::new();
    let mut header = header(datagram);
    control.attach(&mut header);
    // SAFETY: the header has room for one message with a number of this size, and CMSG_* stay
    // inside of that room.
    unsafe {
        let message = libc::CMSG_FIRSTHDR(&raw const header);
        (*message).cmsg_level = libc::SOL_UDP;
        (*message).cmsg_type = libc::UDP_SEGMENT;
        (*message).cmsg_len = libc::CMSG_LEN(size_of::<u16>() as u32) as _;
        libc::CMSG_DATA(message).cast::<u16>().write_unaligned(segment);
    }
    send_header(fd, &header)
}

/// How far segmentation offload can be used on a socket: learned from what the system refuses.
#[derive(Clone, Copy, Debug)]
pub struct Offload {
    /// Larger datagrams than this were refused.
    largest: usize,
}

impl Offload {
    /// Nothing was refused yet.
    pub const fn untried() -> Self {
        Self { largest: MOST_IN_ONE }
    }

    /// Has everything sent apart.
    pub fn forbid(&mut self) {
        self.largest = 0;
    }

    /// Whether an error is only that of sending many as one, and apart they may go. Learns from it.
    fn blame(&mut self, error: Errno, segment: usize) -> bool {
        match error {
            // No room for all of them together; perhaps for some.
            Errno::EAGAIN => {}
            // Larger than what the way to the peer takes without dividing.
            Errno::EINVAL | Errno::EMSGSIZE => self.largest = self.largest.min(segment - 1),
            // The device or the system does not know how.
            Errno::EIO | Errno::ENOPROTOOPT | Errno::ENOTSUP => self.forbid(),
            _ => return false,
        }
        true
    }
}

/// Datagrams that leave as one may have so many bytes together, whatever the headers.
const MOST_IN_ONE: usize = 65_535 - 48;

/// The number of datagrams that may leave as one, and of the pieces they may have.
const MOST_SEGMENTS: usize = 64;

/// Sends as many of the datagrams as there is room for, and returns how many. An error means that
/// the first one was not sent.
///
/// Datagrams of one size to one address leave as one as far as the system allows; nobody can
/// tell, except by the time it takes.
pub fn send_many(
    fd: BorrowedFd<'_>,
    datagrams: &[Outgoing<'_>],
    offload: &mut Offload,
) -> Result<usize> {
    let mut sent = 0;
    while sent < datagrams.len() {
        let rest = &datagrams[sent..];
        let result = match alike(rest, offload.largest) {
            0 | 1 => send_apart(fd, apart(rest, offload.largest)),
            count => send_as_one(fd, &rest[..count], offload),
        };
        match result {
            Ok(0) => break,
            Ok(count) => sent += count,
            Err(error) if sent == 0 => return Err(error),
            Err(_) => break,
        }
    }
    Ok(sent)
}

/// How many of the first datagrams can leave as one.
fn alike(datagrams: &[Outgoing<'_>], largest: usize) -> usize {
    let Some(first) = datagrams.first() else { return 0 };
    let segment = size(first);
    if segment == 0 || segment > largest {
        return 1;
    }
    let (mut bytes, mut parts, mut count) = (0, 0, 0);
    for next in datagrams {
        let size = size(next);
        bytes += size;
        parts += next.parts.len();
        let fits = bytes <= MOST_IN_ONE && parts <= MOST_SEGMENTS && count < MOST_SEGMENTS;
        if !fits || size == 0 || size > segment || next.to != first.to {
            break;
        }
        count += 1;
        if size < segment {
            break;
        }
    }
    count
}

/// The datagrams up to the next ones that can leave as one.
fn apart<'a, 'b>(datagrams: &'a [Outgoing<'b>], largest: usize) -> &'a [Outgoing<'b>] {
    let most = datagrams.len().min(MOST_SENT);
    let end = (1..most).find(|at| alike(&datagrams[*at..], largest) > 1);
    &datagrams[..end.unwrap_or(most)]
}

fn send_as_one(
    fd: BorrowedFd<'_>,
    datagrams: &[Outgoing<'_>],
    offload: &mut Offload,
) -> Result<usize> {
    let segment = size(&datagrams[0]);
    let mut parts = [IoSlice::new(&[]); MOST_SEGMENTS];
    let all = datagrams.iter().flat_map(|datagram| datagram.parts);
    let mut count = 0;
    for (part, of) in parts.iter_mut().zip(all) {
        *part = *of;
        count += 1;
    }
    let whole = Outgoing { parts: &parts[..count], to: datagrams[0].to };
    match send_segmented(fd, &whole, segment as u16) {
        Ok(_) => Ok(datagrams.len()),
        Err(error) if offload.blame(error, segment) => send_apart(fd, datagrams),
        Err(error) => Err(error),
    }
}

/// Sends `bytes` as datagrams of `segment` bytes, the last one shorter if need be; returns how
/// many bytes are gone. An error means that the first datagram was not sent.
pub fn send_segments(
    fd: BorrowedFd<'_>,
    bytes: &[u8],
    to: Option<&Address>,
    segment: u16,
    offload: &mut Offload,
) -> Result<usize> {
    let size = usize::from(segment);
    let most = (MOST_IN_ONE.checked_div(size).ok_or(Errno::EINVAL)?).clamp(1, MOST_SEGMENTS);
    let mut sent = 0;
    while sent < bytes.len() {
        let piece = &bytes[sent..bytes.len().min(sent + most * size)];
        let now = send_piece(fd, piece, to, segment, offload);
        match now {
            Err(error) if sent == 0 => return Err(error),
            Err(_) => break,
            Ok(count) => sent += count,
        }
        if now != Ok(piece.len()) {
            break;
        }
    }
    Ok(sent)
}

/// Sends as many bytes as may leave with one call.
fn send_piece(
    fd: BorrowedFd<'_>,
    piece: &[u8],
    to: Option<&Address>,
    segment: u16,
    offload: &mut Offload,
) -> Result<usize> {
    let size = usize::from(segment);
    if piece.len() > size && size <= offload.largest {
        let whole = Outgoing { parts: &[IoSlice::new(piece)], to };
        match send_segmented(fd, &whole, segment) {
            Err(error) if offload.blame(error, size) => {}
            result => return result,
        }
    }
    let mut parts = [[IoSlice::new(&[])]; MOST_SEGMENTS];
    let mut count = 0;
    for (part, chunk) in parts.iter_mut().zip(piece.chunks(size)) {
        *part = [IoSlice::new(chunk)];
        count += 1;
    }
    let datagrams = parts.each_ref().map(|parts| Outgoing { parts, to });
    let sent = send_apart(fd, &datagrams[..count])?;
    Ok(piece.len().min(sent * size))
}

fn send_apart(fd: BorrowedFd<'_>, datagrams: &[Outgoing<'_>]) -> Result<usize> {
    if let [one] = datagrams {
        return send(fd, one).map(|_| 1);
    }
    let mut headers = [const { MaybeUninit::<libc::mmsghdr>::uninit() }; MOST_SENT];
    let count = datagrams.len().min(MOST_SENT);
    for (slot, datagram) in headers.iter_mut().zip(datagrams) {
        slot.write(libc::mmsghdr { msg_hdr: header(datagram), msg_len: 0 });
    }
    let headers = headers.as_mut_ptr().cast::<libc::mmsghdr>();
    again(|| {
        // SAFETY: the first `count` headers are written, and what they point to is borrowed.
        check(unsafe { libc::sendmmsg(fd.as_raw_fd(), headers, count as u32, 0) })
    })
    .map(|sent| sent as usize)
}

fn send_header(fd: BorrowedFd<'_>, header: &libc::msghdr) -> Result<usize> {
    again(|| {
        // SAFETY: the header was made from borrowed memory.
        match unsafe { libc::sendmsg(fd.as_raw_fd(), header, 0) } {
            -1 => Err(Errno::last()),
            count => Ok(count as usize),
        }
    })
}

/// Repeats a call that a signal has interrupted. A device without room counts as a socket without.
fn again<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            Err(Errno::ENOBUFS) => return Err(Errno::EAGAIN),
            result => return result,
        }
    }
}

fn size(datagram: &Outgoing<'_>) -> usize {
    datagram.parts.iter().map(|part| part.len()).sum()
}

/// The header for sending: the system only reads through its pointers.
fn header(datagram: &Outgoing<'_>) -> libc::msghdr {
    let mut header = empty_header();
    if let Some(to) = datagram.to {
        header.msg_name = to.as_ptr().cast_mut().cast();
        header.msg_namelen = to.len();
    }
    // `IoSlice` is guaranteed to be an `iovec` on Unix.
    header.msg_iov = datagram.parts.as_ptr().cast_mut().cast();
    header.msg_iovlen = datagram.parts.len() as _;
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_leave_as_one_has_one_size_and_one_address() {
        let [address, other] =
            [1, 2].map(|port| Address::from(std::net::SocketAddr::from(([127, 0, 0, 1], port))));
        let bytes = [0; 9];
        let parts = [4, 4, 2, 4].map(|count| [IoSlice::new(&bytes[..count])]);
        let of = |to: [&'_ Address; 4]| {
            let list = [0, 1, 2, 3].map(|at| Outgoing { parts: &parts[at], to: Some(to[at]) });
            alike(&list, MOST_IN_ONE)
        };
        assert_eq!(of([&address; 4]), 3);
        assert_eq!(of([&address, &other, &address, &address]), 1);
        assert_eq!(alike(&[], MOST_IN_ONE), 0);
    }
}
