//! Sending and receiving datagrams: one per system call, batches, and segmentation offload (GSO,
//! GRO).

mod receive;
mod send;

cfg_if::cfg_if! {
    if #[cfg(any(target_os = "linux", target_os = "android"))] {
        mod linux;
        mod mmsg;
        use linux as system;
    } else if #[cfg(any(target_os = "freebsd", target_os = "netbsd", target_os = "openbsd"))] {
        mod bsd;
        mod mmsg;
        mod no_offload;
        use bsd as system;
    } else {
        mod mmsg_loop;
        mod no_offload;
        mod other;
        use other as system;
    }
}

use std::mem::MaybeUninit;

use super::c;

pub use receive::*;
pub use send::*;

/// The maximum size of a datagram. A buffer for a batch is divided into chunks of this size.
pub const MAX_DATAGRAM: usize = 64 * 1024;

fn empty_header() -> c::msghdr {
    // SAFETY: all zeros are a valid `msghdr`: null pointers, zero lengths, no flags.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

/// A buffer for control messages, aligned for `cmsghdr`.
#[repr(C, align(8))]
pub(crate) struct Control<const N: usize>([MaybeUninit<u8>; N]);

impl<const N: usize> Control<N> {
    pub fn new() -> Self {
        Self([MaybeUninit::uninit(); N])
    }

    pub fn attach(&mut self, header: &mut c::msghdr) {
        header.msg_control = self.0.as_mut_ptr().cast();
        header.msg_controllen = N as _;
    }
}

#[cfg(test)]
mod tests {
    use std::io::IoSlice;

    use super::*;
    use crate::descriptor::{AsDescriptor as _, Socket};
    use crate::net::{AF_INET, Address, SOCK_DGRAM, bind, local_address, socket};
    use crate::{Errno, Result};

    fn pair() -> (Socket, Socket, Address) {
        let [from, to] = [(), ()].map(|()| socket(AF_INET, SOCK_DGRAM).unwrap());
        bind(to.as_descriptor(), &"127.0.0.1:0".parse::<std::net::SocketAddr>().unwrap().into())
            .unwrap();
        let address = local_address(to.as_descriptor()).unwrap();
        (from, to, address)
    }

    fn receive_one(fd: &Socket, buffer: &mut [u8], queue: ReceiveQueue) -> Result<Datagram> {
        let mut datagram = Datagram::empty();
        receive(fd.as_descriptor(), buffer, queue, &mut datagram).map(|()| datagram)
    }

    fn sizes(fd: &Socket) -> Vec<usize> {
        let mut buffer = vec![0; MAX_DATAGRAM];
        let next = || receive_one(fd, &mut buffer, ReceiveQueue::Data).ok().map(|one| one.len);
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn datagrams_sent_with_gso_are_received_separately() {
        let (from, to, address) = pair();
        let bytes = [7u8; 100];
        for counts in [vec![10; 30], vec![10, 10, 3, 20, 20, 20, 1], vec![0, 0, 5, 5], vec![5, 6]] {
            let parts: Vec<_> =
                counts.iter().map(|count| [IoSlice::new(&bytes[..*count])]).collect();
            let transmits: Vec<_> =
                parts.iter().map(|parts| Transmit { parts, to: Some(&address) }).collect();
            let mut offload = SendOffload::enabled();
            let sent = send_many(from.as_descriptor(), &transmits, &mut offload).unwrap();
            assert_eq!((sent, sizes(&to)), (counts.len(), counts));
        }
    }

    #[test]
    fn a_batch_has_as_many_datagrams_as_the_buffer_has_chunks() {
        let (from, to, address) = pair();
        for text in ["a", "", "ccc"] {
            let parts = [IoSlice::new(text.as_bytes())];
            send(from.as_descriptor(), &Transmit { parts: &parts, to: Some(&address) }).unwrap();
        }
        let mut buffer = vec![0; 2 * MAX_DATAGRAM + 1];
        let mut batch = ReceiveBatch::new();
        let too_small = &mut buffer[..MAX_DATAGRAM - 1];
        assert_eq!(receive_many(to.as_descriptor(), too_small, &mut batch), Err(Errno::EINVAL));
        receive_many(to.as_descriptor(), &mut buffer, &mut batch).unwrap();
        assert_eq!(batch.datagrams().iter().map(|one| one.len).collect::<Vec<_>>(), [1, 0]);
        receive_many(to.as_descriptor(), &mut buffer, &mut batch).unwrap();
        assert_eq!((batch.datagrams().len(), &buffer[..3]), (1, &b"ccc"[..]));
        let sender = local_address(from.as_descriptor()).unwrap().to_socket_addr().unwrap();
        assert_eq!(batch.datagrams()[0].from.to_socket_addr().unwrap().port(), sender.port());
        assert_eq!(receive_many(to.as_descriptor(), &mut buffer, &mut batch), Err(Errno::EAGAIN));
    }

    #[test]
    fn a_datagram_larger_than_the_buffer_is_truncated() {
        let (from, to, address) = pair();
        let parts = [IoSlice::new(b"abcdef")];
        send(from.as_descriptor(), &Transmit { parts: &parts, to: Some(&address) }).unwrap();
        let datagram = receive_one(&to, &mut [0; 4], ReceiveQueue::Data).unwrap();
        assert_eq!((datagram.len, datagram.truncated), (4, true));
    }

    #[test]
    fn recvfrom_and_recvmsg_return_the_same() {
        let (from, to, address) = pair();
        for text in ["", "abc", "abcd", "abcdef"] {
            let parts = [IoSlice::new(text.as_bytes())];
            let results = [false, true].map(|is_udp| {
                send(from.as_descriptor(), &Transmit { parts: &parts, to: Some(&address) })
                    .unwrap();
                let (mut buffer, mut datagram) = ([0; 4], Datagram::empty());
                let received = match is_udp {
                    true => receive_udp(to.as_descriptor(), &mut buffer, &mut datagram),
                    false => {
                        receive(to.as_descriptor(), &mut buffer, ReceiveQueue::Data, &mut datagram)
                    }
                };
                received.unwrap();
                (buffer, datagram.len, datagram.from, datagram.truncated)
            });
            assert_eq!(results[0], results[1], "{text:?}");
        }
        let nothing = receive_udp(to.as_descriptor(), &mut [0; 4], &mut Datagram::empty());
        assert_eq!(nothing, Err(Errno::EAGAIN));
    }

    #[test]
    fn the_parts_of_a_datagram_are_gathered() {
        let (from, to, address) = pair();
        let pieces = ["ab", "", "cde"].map(|piece| IoSlice::new(piece.as_bytes()));
        for parts in [&pieces[..0], &pieces[..1], &pieces] {
            let expected = parts.iter().map(|part| part.len()).sum();
            let sent = send(from.as_descriptor(), &Transmit { parts, to: Some(&address) });
            assert_eq!((sent, sizes(&to)), (Ok(expected), vec![expected]));
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "datagrams are not coalesced")]
    fn a_coalesced_datagram_has_a_segment_size() {
        let (from, to, address) = pair();
        set_gro(to.as_descriptor(), true).unwrap();
        let mut offload = SendOffload::enabled();
        let sent = send_segments(from.as_descriptor(), &[1; 25], Some(&address), 10, &mut offload);
        assert_eq!(sent, Ok(25));
        let datagram = receive_one(&to, &mut [0; 100], ReceiveQueue::CoalescedData).unwrap();
        assert_eq!((datagram.len, datagram.segment), (25, Some(10)));
    }

    #[test]
    fn more_segments_than_one_call_accepts_are_sent_with_several_calls() {
        let (from, to, address) = pair();
        let mut offload = SendOffload::enabled();
        let bytes = vec![3; 150 * 7 + 1];
        let sent =
            send_segments(from.as_descriptor(), &bytes, Some(&address), 7, &mut offload).unwrap();
        let mut expected = vec![7; 150];
        expected.push(1);
        assert_eq!((sent, sizes(&to)), (bytes.len(), expected));
        let none = send_segments(from.as_descriptor(), &bytes, Some(&address), 0, &mut offload);
        assert_eq!(none, Err(Errno::EINVAL));
    }

    #[test]
    fn the_same_datagrams_are_received_without_offload() {
        let (from, to, address) = pair();
        let mut offload = SendOffload::enabled();
        offload.disable();
        let sent = send_segments(from.as_descriptor(), &[5; 95], Some(&address), 10, &mut offload);
        assert_eq!((sent, sizes(&to).len()), (Ok(95), 10));
    }
}
