//! Datagrams: one per call, many per call, and many that travel as one.

mod receive;
mod send;

use std::mem::MaybeUninit;

pub use receive::*;
pub use send::*;

/// Room for any datagram. A buffer for several is divided into parts of this size.
pub const MOST_BYTES: usize = 64 * 1024;

fn empty_header() -> libc::msghdr {
    // SAFETY: null pointers, zero lengths, no flags.
    unsafe { MaybeUninit::zeroed().assume_init() }
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

#[cfg(test)]
mod tests {
    use std::io::IoSlice;
    use std::os::fd::{AsFd, OwnedFd};

    use super::*;
    use crate::net::{Address, DATAGRAM, INET, bind, local_address, socket};
    use crate::{Errno, Result};

    fn pair() -> (OwnedFd, OwnedFd, Address) {
        let (from, to) = (socket(INET, DATAGRAM).unwrap(), socket(INET, DATAGRAM).unwrap());
        bind(to.as_fd(), &"127.0.0.1:0".parse::<std::net::SocketAddr>().unwrap().into()).unwrap();
        let address = local_address(to.as_fd()).unwrap();
        (from, to, address)
    }

    fn take(fd: &OwnedFd, buffer: &mut [u8], queue: Queue) -> Result<Datagram> {
        let mut datagram = Datagram::none();
        receive(fd.as_fd(), buffer, queue, &mut datagram).map(|()| datagram)
    }

    fn sizes(fd: &OwnedFd) -> Vec<usize> {
        let mut buffer = vec![0; MOST_BYTES];
        let one = || take(fd, &mut buffer, Queue::Received).ok().map(|one| one.len);
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
        let datagram = take(&to, &mut [0; 4], Queue::Received).unwrap();
        assert_eq!((datagram.len, datagram.truncated), (4, true));
    }

    #[test]
    fn both_ways_to_receive_tell_the_same() {
        let (from, to, address) = pair();
        for text in ["", "abc", "abcd", "abcdef"] {
            let parts = [IoSlice::new(text.as_bytes())];
            let told = [false, true].map(|known| {
                send(from.as_fd(), &Outgoing { parts: &parts, to: Some(&address) }).unwrap();
                let (mut buffer, mut datagram) = ([0; 4], Datagram::none());
                let received = match known {
                    true => receive_udp(to.as_fd(), &mut buffer, &mut datagram),
                    false => receive(to.as_fd(), &mut buffer, Queue::Received, &mut datagram),
                };
                received.unwrap();
                (buffer, datagram.len, datagram.from, datagram.truncated)
            });
            assert_eq!(told[0], told[1], "{text:?}");
        }
        let nothing = receive_udp(to.as_fd(), &mut [0; 4], &mut Datagram::none());
        assert_eq!(nothing, Err(Errno::EAGAIN));
    }

    #[test]
    fn pieces_of_a_datagram_arrive_as_one() {
        let (from, to, address) = pair();
        let pieces = ["ab", "", "cde"].map(|piece| IoSlice::new(piece.as_bytes()));
        for parts in [&pieces[..0], &pieces[..1], &pieces] {
            let expected = parts.iter().map(|part| part.len()).sum();
            let sent = send(from.as_fd(), &Outgoing { parts, to: Some(&address) });
            assert_eq!((sent, sizes(&to)), (Ok(expected), vec![expected]));
        }
    }

    #[test]
    fn received_segments_are_told_apart_by_their_size() {
        let (from, to, address) = pair();
        set_receive_offload(to.as_fd(), true).unwrap();
        let mut offload = Offload::untried();
        let sent = send_segments(from.as_fd(), &[1; 25], Some(&address), 10, &mut offload);
        assert_eq!(sent, Ok(25));
        let datagram = take(&to, &mut [0; 100], Queue::Coalesced).unwrap();
        assert_eq!((datagram.len, datagram.segment), (25, Some(10)));
    }

    #[test]
    fn more_than_one_call_takes_is_sent_with_several() {
        let (from, to, address) = pair();
        let mut offload = Offload::untried();
        let bytes = vec![3; 150 * 7 + 1];
        let sent = send_segments(from.as_fd(), &bytes, Some(&address), 7, &mut offload).unwrap();
        let mut expected = vec![7; 150];
        expected.push(1);
        assert_eq!((sent, sizes(&to)), (bytes.len(), expected));
        let none = send_segments(from.as_fd(), &bytes, Some(&address), 0, &mut offload);
        assert_eq!(none, Err(Errno::EINVAL));
    }

    #[test]
    fn without_offload_the_same_datagrams_arrive() {
        let (from, to, address) = pair();
        let mut offload = Offload::untried();
        offload.forbid();
        let sent = send_segments(from.as_fd(), &[5; 95], Some(&address), 10, &mut offload);
        assert_eq!((sent, sizes(&to).len()), (Ok(95), 10));
    }
}
