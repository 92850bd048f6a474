//! UDP sockets that send or receive several datagrams at a time.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use mauve::Errno;
use mauve::net::UdpSocket;

fn loopback() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

#[mauve::test]
async fn send_many_sends_to_each_address_in_order() {
    let sender = UdpSocket::bind(loopback()).await.unwrap();
    let peers = [(); 2].map(|()| std::net::UdpSocket::bind(loopback()).unwrap());
    let addresses = peers.each_ref().map(|peer| peer.local_addr().unwrap());
    // More than one system call sends, of different sizes, an empty one included.
    let bytes: Vec<Vec<u8>> =
        (0..150).map(|number| vec![number; usize::from(number % 7)]).collect();
    let datagrams: Vec<_> = bytes
        .iter()
        .zip(0..)
        .map(|(bytes, number)| (&bytes[..], addresses[usize::from(number % 5 == 0)]))
        .collect();
    let mut unsent = &datagrams[..];
    while !unsent.is_empty() {
        let count = sender.send_many(unsent).await.unwrap();
        assert!(count > 0);
        unsent = &unsent[count..];
    }
    for (peer, address) in peers.iter().zip(addresses) {
        for (expected, _) in datagrams.iter().filter(|(_, to)| *to == address) {
            let mut buffer = [0; 16];
            let count = peer.recv(&mut buffer).unwrap();
            assert_eq!(&buffer[..count], *expected);
        }
    }
    assert_eq!(sender.send_many(&[]).await.unwrap(), 0);
}

#[mauve::test]
async fn the_errors_of_send_many_are_those_of_the_first_datagram() {
    let sender = UdpSocket::bind(loopback()).await.unwrap();
    let peer = std::net::UdpSocket::bind(loopback()).unwrap();
    let to = peer.local_addr().unwrap();
    let large = vec![0; 100_000];
    let datagrams = [(&b"a"[..], to), (&large, to), (b"b", to)];
    assert_eq!(sender.send_many(&datagrams).await.unwrap(), 1);
    let error = sender.send_many(&datagrams[1..]).await.unwrap_err();
    assert_eq!(Errno::from(error), Errno::EMSGSIZE);
    sender.connect(to).await.unwrap();
    for count in [1, 2] {
        let error = sender.send_many(&[(&b"a"[..], to); 2][..count]).await.unwrap_err();
        assert_eq!(Errno::from(error), Errno::EISCONN);
    }
}

/// The kernel passes on in one piece what one call has sent with segmentation offload.
#[cfg(target_os = "linux")]
#[mauve::test]
async fn send_many_sends_to_one_peer_with_one_call() {
    let sender = UdpSocket::bind(loopback()).await.unwrap();
    let receiver = UdpSocket::bind(loopback()).await.unwrap();
    receiver.set_receive_offload(true).unwrap();
    let datagrams = [(&[7; 64][..], receiver.local_addr().unwrap()); 32];
    assert_eq!(sender.try_send_many(&datagrams).unwrap(), 32);
    let mut buffer = [0; 4096];
    let received = receiver.recv_datagram(&mut buffer).await.unwrap();
    assert_eq!((received.segment_size, received.segments().count()), (Some(64), 32));
}

#[mauve::test]
async fn a_datagram_that_arrives_after_try_recv_has_found_none_is_received() {
    let socket = UdpSocket::bind(loopback()).await.unwrap();
    let address = socket.local_addr().unwrap();
    for round in 0..3 {
        let error = socket.try_recv(&mut [0; 8]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
        // Both while the loop watches the socket and while it does not.
        if round == 1 {
            let mut buffer = [0; 8];
            let wait = mauve::timeout(Duration::from_millis(1), socket.recv(&mut buffer));
            assert!(wait.await.is_err());
        }
        socket.send_to(b"hello", address).await.unwrap();
        assert_eq!(socket.recv(&mut [0; 8]).await.unwrap(), 5);
    }
}
