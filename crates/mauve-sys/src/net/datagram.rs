//! Datagrams: one per call, many per call, and many that travel as one.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

use super::Address;
use super::socket::check;
use crate::{Errno, Result};

/// How many datagrams leave with one system call at most.
pub const MOST_SENT: usize = 64;

/// How many datagrams are taken with one system call at most.
pub const MOST_RECEIVED: usize = 20;

/// Room for any datagram. A buffer for several is divided into parts of this size.
pub const MOST_BYTES: usize = 64 * 1024;

/// A datagram on its way out.
#[derive(Clone, Copy)]
pub struct Outgoing<'a> {
    /// The bytes, in pieces.
    pub parts: &'a [IoSlice<'a>],
    /// Where it goes; `None` on a connected socket.
    pub to: Option<&'a Address>,
}

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
    const NONE: Self =
        Self { len: 0, from: Address::unspecified(), truncated: false, error: None, segment: None };
}

/// Which of a socket's two queues to take from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// What others have sent.
    Received,
    /// What we have sent and what has come back, if the socket collects that.
    Returned,
}

/// Sends one datagram. `EAGAIN` if there is no room for it now.
pub fn send(fd: BorrowedFd<'_>, datagram: &Outgoing<'_>) -> Result<usize> {
    send_header(fd, &header(datagram))
}

/// Sends one large piece of memory as many datagrams of `segment` bytes; the last one may be
/// shorter. The network card divides it, or the system does as late as possible.
pub fn send_segmented(fd: BorrowedFd<'_>, datagram: &Outgoing<'_>, segment: u16) -> Result<usize> {
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
        // No room for all of them together; perhaps for some.
        Err(Errno::EAGAIN) => send_apart(fd, datagrams),
        // Larger than what the way to the peer takes without dividing.
        Err(Errno::EINVAL | Errno::EMSGSIZE) => {
            offload.largest = offload.largest.min(segment - 1);
            send_apart(fd, datagrams)
        }
        // The device or the system does not know how.
        Err(Errno::EIO | Errno::ENOPROTOOPT | Errno::ENOTSUP) => {
            offload.largest = 0;
            send_apart(fd, datagrams)
        }
        Err(error) => Err(error),
    }
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

fn empty_header() -> libc::msghdr {
    // SAFETY: null pointers, zero lengths, no flags.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// Takes one datagram from a queue of the socket. `EAGAIN` if there is none.
pub fn receive(fd: BorrowedFd<'_>, buffer: &mut [u8], queue: Queue) -> Result<Datagram> {
    let mut control = Control::<CONTROL_SPACE>::new();
    let mut datagram = Datagram::NONE;
    let mut part = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut header = empty_header();
    header.msg_iov = &raw mut part;
    header.msg_iovlen = 1;
    control.attach(&mut header);
    let flags = match queue {
        Queue::Received => 0,
        Queue::Returned => libc::MSG_ERRQUEUE,
    };
    let len = datagram.from.filled_by(|name, length| {
        header.msg_name = name.cast();
        header.msg_namelen = *length;
        // SAFETY: the header points to memory that is borrowed for this call.
        let result = restart(|| unsafe { libc::recvmsg(fd.as_raw_fd(), &raw mut header, flags) });
        *length = header.msg_namelen;
        result
    })?;
    datagram.len = len;
    datagram.truncated = header.msg_flags & libc::MSG_TRUNC != 0;
    // SAFETY: the system has filled the header, whose control part is still there.
    unsafe { read_control(&header, &mut datagram) };
    Ok(datagram)
}

/// Datagrams that were taken with one call.
pub struct Batch {
    datagrams: [Datagram; MOST_RECEIVED],
    count: usize,
}

impl Batch {
    /// Room for a batch.
    pub const fn new() -> Self {
        Self { datagrams: [Datagram::NONE; MOST_RECEIVED], count: 0 }
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
    batch.datagrams[0] = receive(fd, room, Queue::Returned)?;
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
    super::options::set(fd, libc::SOL_UDP, libc::UDP_GRO, on.into())
}

/// Room for what may come along with a datagram.
const CONTROL_SPACE: usize = control_space::<Returned>() + control_space::<libc::c_int>();

/// Why a datagram came back, and from where.
#[repr(C)]
struct Returned {
    error: libc::sock_extended_err,
    offender: libc::sockaddr_in6,
}

const fn control_space<T>() -> usize {
    // SAFETY: arithmetic only.
    unsafe { libc::CMSG_SPACE(size_of::<T>() as u32) as usize }
}

/// Control data, aligned as its headers must be.
#[repr(C, align(8))]
struct Control<const N: usize>([MaybeUninit<u8>; N]);

const _: () = assert!(align_of::<libc::cmsghdr>() <= 8);

impl<const N: usize> Control<N> {
    fn new() -> Self {
        Self([MaybeUninit::uninit(); N])
    }

    fn attach(&mut self, header: &mut libc::msghdr) {
        header.msg_control = self.0.as_mut_ptr().cast();
        header.msg_controllen = N as _;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{DATAGRAM, INET, bind, local_address, socket};
    use std::os::fd::{AsFd, OwnedFd};

    fn pair() -> (OwnedFd, OwnedFd, Address) {
        let (from, to) = (socket(INET, DATAGRAM).unwrap(), socket(INET, DATAGRAM).unwrap());
        bind(to.as_fd(), &"127.0.0.1:0".parse::<std::net::SocketAddr>().unwrap().into()).unwrap();
        let address = local_address(to.as_fd()).unwrap();
        (from, to, address)
    }

    fn sizes(fd: &OwnedFd) -> Vec<usize> {
        let mut buffer = vec![0; MOST_BYTES];
        let one = || receive(fd.as_fd(), &mut buffer, Queue::Received).ok().map(|one| one.len);
        std::iter::from_fn(one).collect()
    }

    #[test]
    fn datagrams_that_leave_as_one_arrive_one_by_one() {
        let (from, to, address) = pair();
        let bytes = [7u8; 100];
        for counts in [vec![10; 30], vec![10, 10, 3, 20, 20, 20, 1], vec![0, 0, 5, 5], vec![5, 6]] {
            let parts: Vec<_> =
                counts.iter().map(|count| [IoSlice::new(&bytes[..*count])]).collect();
            let outgoing: Vec<_> =
                parts.iter().map(|parts| Outgoing { parts, to: Some(&address) }).collect();
            let mut offload = Offload::untried();
            let sent = send_many(from.as_fd(), &outgoing, &mut offload).unwrap();
            assert_eq!((sent, sizes(&to)), (counts.len(), counts));
        }
    }

    #[test]
    fn what_can_leave_as_one_has_one_size_and_one_address() {
        let (_, _, address) = pair();
        let other = Address::from("127.0.0.1:1".parse::<std::net::SocketAddr>().unwrap());
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

    #[test]
    fn a_buffer_for_several_takes_several_and_one_too_small_none() {
        let (from, to, address) = pair();
        for text in ["a", "", "ccc"] {
            let parts = [IoSlice::new(text.as_bytes())];
            send(from.as_fd(), &Outgoing { parts: &parts, to: Some(&address) }).unwrap();
        }
        let mut buffer = vec![0; 2 * MOST_BYTES + 1];
        let mut batch = Batch::new();
        let few = &mut buffer[..MOST_BYTES - 1];
        assert_eq!(receive_many(to.as_fd(), few, &mut batch), Err(Errno::EINVAL));
        receive_many(to.as_fd(), &mut buffer, &mut batch).unwrap();
        assert_eq!(batch.datagrams().iter().map(|one| one.len).collect::<Vec<_>>(), [1, 0]);
        receive_many(to.as_fd(), &mut buffer, &mut batch).unwrap();
        assert_eq!((batch.datagrams().len(), &buffer[..3]), (1, &b"ccc"[..]));
        let sender = local_address(from.as_fd()).unwrap().to_socket_addr().unwrap();
        assert_eq!(batch.datagrams()[0].from.to_socket_addr().unwrap().port(), sender.port());
        assert_eq!(receive_many(to.as_fd(), &mut buffer, &mut batch), Err(Errno::EAGAIN));
    }

    #[test]
    fn a_datagram_larger_than_the_buffer_is_cut_and_says_so() {
        let (from, to, address) = pair();
        let parts = [IoSlice::new(b"abcdef")];
        send(from.as_fd(), &Outgoing { parts: &parts, to: Some(&address) }).unwrap();
        let datagram = receive(to.as_fd(), &mut [0; 4], Queue::Received).unwrap();
        assert_eq!((datagram.len, datagram.truncated), (4, true));
    }

    #[test]
    fn received_segments_are_told_apart_by_their_size() {
        let (from, to, address) = pair();
        set_receive_offload(to.as_fd(), true).unwrap();
        let parts = [IoSlice::new(&[1; 25])];
        let whole = Outgoing { parts: &parts, to: Some(&address) };
        assert_eq!(send_segmented(from.as_fd(), &whole, 10), Ok(25));
        let datagram = receive(to.as_fd(), &mut [0; 100], Queue::Received).unwrap();
        assert_eq!((datagram.len, datagram.segment), (25, Some(10)));
    }
}
