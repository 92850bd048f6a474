//! Sending datagrams.

use std::io::IoSlice;
use std::mem::MaybeUninit;

use super::{empty_header, system};
use crate::descriptor::{AsDescriptor as _, BorrowedSocket};
use crate::net::socket::check;
use crate::net::{Address, c};
use crate::{Errno, Result};

/// How many datagrams one `sendmmsg` sends at most.
pub const MAX_SEND_BATCH: usize = 64;

/// A datagram to be sent.
#[derive(Clone, Copy)]
pub struct Transmit<'a> {
    /// The bytes, which are gathered from several slices.
    pub parts: &'a [IoSlice<'a>],
    /// The destination; `None` on a connected socket.
    pub to: Option<&'a Address>,
}

/// Sends one datagram. `EAGAIN` if the send buffer is full.
#[inline]
pub fn send(fd: BorrowedSocket<'_>, datagram: &Transmit<'_>) -> Result<usize> {
    match datagram.parts {
        [bytes] => send_single(fd, bytes, datagram.to),
        _ => send_header(fd, &header(datagram)),
    }
}

/// Sends a datagram of one slice with `sendto`, so the kernel has no `msghdr` to copy.
#[inline]
fn send_single(fd: BorrowedSocket<'_>, bytes: &[u8], to: Option<&Address>) -> Result<usize> {
    let (name, length) = to.map_or((std::ptr::null(), 0), |to| (to.as_ptr(), to.len()));
    let (at, size) = (bytes.as_ptr().cast(), bytes.len());
    retry(|| {
        // SAFETY: the bytes and the address are borrowed during the call, and only read.
        match unsafe { c::sendto(fd.raw_descriptor(), at, size, 0, name, length) } {
            -1 => Err(Errno::last()),
            count => Ok(count as usize),
        }
    })
}

/// Whether generic segmentation offload works on a socket, as far as its errors have shown.
#[derive(Clone, Copy, Debug)]
pub struct SendOffload {
    /// The largest segment that has not been rejected.
    max_segment: usize,
}

impl SendOffload {
    /// The state of a new socket: nothing has been rejected. Disabled where the system has none.
    pub const fn enabled() -> Self {
        Self { max_segment: system::MAX_SEGMENT }
    }

    /// Without segmentation offload.
    pub const fn disabled() -> Self {
        Self { max_segment: 0 }
    }

    /// Disables segmentation offload.
    pub fn disable(&mut self) {
        *self = Self::disabled();
    }

    /// Records the error of a send with segmentation offload. Returns whether the datagrams can
    /// still be sent separately.
    fn record_error(&mut self, error: Errno, segment: usize) -> bool {
        match error {
            // There may be space for some of the datagrams.
            Errno::EAGAIN => {}
            // A segment exceeds the MTU of the path.
            Errno::EINVAL | Errno::EMSGSIZE => {
                self.max_segment = self.max_segment.min(segment - 1);
            }
            // The device or the kernel does not support it.
            Errno::EIO | Errno::ENOPROTOOPT | Errno::ENOTSUP => self.disable(),
            _ => return false,
        }
        true
    }
}

/// The maximum number of bytes of one send with GSO: an IP packet minus the largest headers.
pub(crate) const MAX_GSO_BYTES: usize = 65_535 - 48;

/// The maximum number of segments of one send with GSO, and of the slices that they consist of.
const MAX_SEGMENTS: usize = 64;

/// Sends as many of the datagrams as fit into the send buffer, and returns how many. An error means
/// that the first one was not sent. If another one fails, those before it count, as with `sendmmsg`.
///
/// Consecutive datagrams of one size to one address are sent with GSO if possible. The receiver sees
/// no difference.
pub fn send_many(
    fd: BorrowedSocket<'_>,
    datagrams: &[Transmit<'_>],
    offload: &mut SendOffload,
) -> Result<usize> {
    let mut sent = 0;
    while sent < datagrams.len() {
        let rest = &datagrams[sent..];
        let (attempted, result) = match gso_prefix(rest, offload.max_segment) {
            0 | 1 => {
                let first = before_gso(rest, offload.max_segment);
                (first.len(), send_separately(fd, first))
            }
            count => (count, send_with_gso(fd, &rest[..count], offload)),
        };
        match result {
            Ok(count) if count < attempted => return Ok(sent + count),
            Ok(count) => sent += count,
            Err(error) if sent == 0 => return Err(error),
            Err(_) => break,
        }
    }
    Ok(sent)
}

/// How many of the first datagrams can be sent with one GSO call.
fn gso_prefix(datagrams: &[Transmit<'_>], max_segment: usize) -> usize {
    let Some(first) = datagrams.first() else { return 0 };
    let segment = size(first);
    if segment == 0 || segment > max_segment {
        return 1;
    }
    let (mut bytes, mut parts, mut count) = (0, 0, 0);
    for next in datagrams {
        let size = size(next);
        bytes += size;
        parts += next.parts.len();
        let fits = bytes <= MAX_GSO_BYTES && parts <= MAX_SEGMENTS && count < MAX_SEGMENTS;
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

/// The datagrams before the next ones that can be sent with one GSO call.
fn before_gso<'a, 'b>(datagrams: &'a [Transmit<'b>], max_segment: usize) -> &'a [Transmit<'b>] {
    let max = datagrams.len().min(MAX_SEND_BATCH);
    let end = (1..max).find(|at| gso_prefix(&datagrams[*at..], max_segment) > 1);
    &datagrams[..end.unwrap_or(max)]
}

fn send_with_gso(
    fd: BorrowedSocket<'_>,
    datagrams: &[Transmit<'_>],
    offload: &mut SendOffload,
) -> Result<usize> {
    let segment = size(&datagrams[0]);
    let mut parts = [IoSlice::new(&[]); MAX_SEGMENTS];
    let all = datagrams.iter().flat_map(|datagram| datagram.parts);
    let mut count = 0;
    for (part, of) in parts.iter_mut().zip(all) {
        *part = *of;
        count += 1;
    }
    let whole = Transmit { parts: &parts[..count], to: datagrams[0].to };
    match system::send_segmented(fd, &whole, segment as u16) {
        Ok(_) => Ok(datagrams.len()),
        Err(error) if offload.record_error(error, segment) => send_separately(fd, datagrams),
        Err(error) => Err(error),
    }
}

/// Sends `bytes` as datagrams of `segment` bytes; the last one may be shorter. Returns how many bytes
/// were sent. An error means that the first datagram was not sent.
pub fn send_segments(
    fd: BorrowedSocket<'_>,
    bytes: &[u8],
    to: Option<&Address>,
    segment: u16,
    offload: &mut SendOffload,
) -> Result<usize> {
    let size = usize::from(segment);
    let max = (MAX_GSO_BYTES.checked_div(size).ok_or(Errno::EINVAL)?).clamp(1, MAX_SEGMENTS);
    let mut sent = 0;
    while sent < bytes.len() {
        let chunk = &bytes[sent..bytes.len().min(sent + max * size)];
        let result = send_chunk(fd, chunk, to, segment, offload);
        match result {
            Err(error) if sent == 0 => return Err(error),
            Err(_) => break,
            Ok(count) => sent += count,
        }
        if result != Ok(chunk.len()) {
            break;
        }
    }
    Ok(sent)
}

/// Sends the segments of one call: with GSO if possible, else with `sendmmsg`.
fn send_chunk(
    fd: BorrowedSocket<'_>,
    chunk: &[u8],
    to: Option<&Address>,
    segment: u16,
    offload: &mut SendOffload,
) -> Result<usize> {
    let size = usize::from(segment);
    if chunk.len() > size && size <= offload.max_segment {
        let whole = Transmit { parts: &[IoSlice::new(chunk)], to };
        match system::send_segmented(fd, &whole, segment) {
            Err(error) if offload.record_error(error, size) => {}
            result => return result,
        }
    }
    let mut parts = [[IoSlice::new(&[])]; MAX_SEGMENTS];
    let mut count = 0;
    for (part, segment) in parts.iter_mut().zip(chunk.chunks(size)) {
        *part = [IoSlice::new(segment)];
        count += 1;
    }
    let datagrams = parts.each_ref().map(|parts| Transmit { parts, to });
    let sent = send_separately(fd, &datagrams[..count])?;
    Ok(chunk.len().min(sent * size))
}

/// Sends datagrams without GSO, several with one `sendmmsg`. Returns how many were sent.
fn send_separately(fd: BorrowedSocket<'_>, datagrams: &[Transmit<'_>]) -> Result<usize> {
    if let [one] = datagrams {
        return send(fd, one).map(|_| 1);
    }
    let mut headers = [const { MaybeUninit::<system::Header>::uninit() }; MAX_SEND_BATCH];
    let count = datagrams.len().min(MAX_SEND_BATCH);
    for (slot, datagram) in headers.iter_mut().zip(datagrams) {
        slot.write(system::Header { msg_hdr: header(datagram), msg_len: 0 });
    }
    let headers = headers.as_mut_ptr().cast::<system::Header>();
    retry(|| {
        // SAFETY: the first `count` headers are initialised. The memory that they point to is borrowed
        // during the call.
        check(unsafe { system::send(fd.raw_descriptor(), headers, count as u32) })
    })
    .map(|sent| sent as usize)
}

pub(crate) fn send_header(fd: BorrowedSocket<'_>, header: &c::msghdr) -> Result<usize> {
    retry(|| {
        // SAFETY: the header points to memory that is borrowed during the call, and only read.
        match unsafe { c::sendmsg(fd.raw_descriptor(), header, 0) } {
            -1 => Err(Errno::last()),
            count => Ok(count as usize),
        }
    })
}

/// Repeats a system call that a signal interrupts. `ENOBUFS`, the full queue of a device, becomes
/// `EAGAIN`.
fn retry<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            Err(Errno::ENOBUFS) => return Err(Errno::EAGAIN),
            result => return result,
        }
    }
}

fn size(datagram: &Transmit<'_>) -> usize {
    datagram.parts.iter().map(|part| part.len()).sum()
}

/// The header of a datagram to be sent. The kernel only reads through its pointers.
pub(crate) fn header(datagram: &Transmit<'_>) -> c::msghdr {
    let mut header = empty_header();
    if let Some(to) = datagram.to {
        header.msg_name = to.as_ptr().cast_mut().cast();
        header.msg_namelen = to.len();
    }
    // `IoSlice` is guaranteed to have the layout of `iovec` on Unix.
    header.msg_iov = datagram.parts.as_ptr().cast_mut().cast();
    header.msg_iovlen = datagram.parts.len() as _;
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datagrams_of_one_gso_call_have_one_size_and_one_address() {
        let [address, other] =
            [1, 2].map(|port| Address::from(std::net::SocketAddr::from(([127, 0, 0, 1], port))));
        let bytes = [0; 9];
        let parts = [4, 4, 2, 4].map(|count| [IoSlice::new(&bytes[..count])]);
        let of = |to: [&'_ Address; 4]| {
            let list = [0, 1, 2, 3].map(|at| Transmit { parts: &parts[at], to: Some(to[at]) });
            gso_prefix(&list, MAX_GSO_BYTES)
        };
        assert_eq!(of([&address; 4]), 3);
        assert_eq!(of([&address, &other, &address, &address]), 1);
        assert_eq!(gso_prefix(&[], MAX_GSO_BYTES), 0);
    }
}
