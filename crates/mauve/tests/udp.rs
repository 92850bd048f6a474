//! Datagrams through the Rust API.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;

use mauve::net::{MulticastGroup, MulticastInterface, UdpSocket};
use mauve::{CorkPolicy, Errno, Loop, RunMode, Udp, UdpBindFlags};

fn loopback() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

/// A handle at an address of its own.
fn bound<S: 'static>(lp: &Loop<S>) -> (Udp<S>, SocketAddr) {
    let udp = Udp::new(lp);
    udp.bind(loopback()).unwrap();
    let address = udp.local_addr().unwrap();
    (udp, address)
}

#[test]
fn sends_are_reported_in_order_and_never_inside_the_call() {
    let lp = Loop::<Vec<u32>>::new().unwrap();
    let (server, address) = bound(&lp);
    server.recv_start(|_, _, _| {}).unwrap();
    server.unref();
    let client = Udp::new(&lp);
    for number in 0..3 {
        client.send([1, 2, 3], address, move |all: &mut Vec<u32>, _| all.push(number)).unwrap();
    }
    assert_eq!((client.send_queue().count, client.send_queue().bytes), (3, 9));
    assert_eq!(client.try_send(b"x", address), Err(Errno::EAGAIN));
    let mut order = Vec::new();
    lp.run_with(&mut order, RunMode::Default).unwrap();
    assert_eq!(order, [0, 1, 2]);
    assert_eq!(client.send_queue().count, 0);
    assert_eq!(client.try_send(b"x", address), Ok(1));
}

#[test]
fn closing_reports_what_is_not_reported_before_the_close_itself() {
    let lp = Loop::<Vec<&str>>::new().unwrap();
    let (_server, address) = bound(&lp);
    let client = Udp::new(&lp);
    client.send(*b"x", address, |story: &mut Vec<&str>, _| story.push("sent")).unwrap();
    client.close_with(|story| story.push("closed")).unwrap();
    let mut story = Vec::new();
    lp.run_with(&mut story, RunMode::Default).unwrap();
    assert_eq!(story, ["sent", "closed"]);
}

#[test]
fn an_empty_datagram_is_a_datagram() {
    let lp = Loop::<Vec<usize>>::new().unwrap();
    let (server, address) = bound(&lp);
    server
        .recv_start(|sizes: &mut Vec<usize>, server, datagram| {
            let datagram = datagram.unwrap();
            assert_eq!(datagram.segments().count(), 1);
            sizes.push(datagram.bytes.len());
            if sizes.len() == 2 {
                server.close();
            }
        })
        .unwrap();
    let client = Udp::new(&lp);
    assert_eq!(client.try_send(b"", address), Ok(0));
    assert_eq!(client.try_send(b"ab", address), Ok(2));
    let mut sizes = Vec::new();
    lp.run_with(&mut sizes, RunMode::Default).unwrap();
    assert_eq!(sizes, [0, 2]);
}

#[test]
fn a_callback_that_closes_its_handle_hears_no_more_of_it() {
    let lp = Loop::<u32>::new().unwrap();
    let (server, address) = bound(&lp);
    server
        .recv_start(|count: &mut u32, server, _| {
            *count += 1;
            server.close();
        })
        .unwrap();
    let client = Udp::new(&lp);
    for _ in 0..5 {
        client.try_send(b"x", address).unwrap();
    }
    let mut count = 0;
    lp.run_with(&mut count, RunMode::Default).unwrap();
    assert_eq!(count, 1);
}

#[test]
fn a_callback_that_replaces_itself_hears_no_more() {
    let lp = Loop::<Vec<&str>>::new().unwrap();
    let (server, address) = bound(&lp);
    server
        .recv_start(|heard: &mut Vec<&str>, server, _| {
            heard.push("old");
            server.recv_stop();
            server
                .recv_start(|heard, server, _| {
                    heard.push("new");
                    if heard.len() == 3 {
                        server.close();
                    }
                })
                .unwrap();
        })
        .unwrap();
    let client = Udp::new(&lp);
    for _ in 0..3 {
        client.try_send(b"x", address).unwrap();
    }
    let mut heard = Vec::new();
    lp.run_with(&mut heard, RunMode::Default).unwrap();
    assert_eq!(heard, ["old", "new", "new"]);
}

#[test]
fn a_task_that_a_callback_starts_has_its_turn_before_the_next_datagram() {
    let lp: Loop = Loop::new().unwrap();
    let (server, address) = bound(&lp);
    let story = Rc::new(RefCell::new(Vec::new()));
    let told = story.clone();
    server
        .recv_start(move |(), server, datagram| {
            let number = datagram.unwrap().bytes[0];
            told.borrow_mut().push(format!("datagram {number}"));
            let told = told.clone();
            // The second one starts none: the third follows on it at once.
            if number != 2 {
                let task = async move { told.borrow_mut().push(format!("task {number}")) };
                drop(server.lp().spawn(task));
            }
            if number == 3 {
                server.close();
            }
        })
        .unwrap();
    let client = Udp::new(&lp);
    for number in 1..=3 {
        client.try_send(&[number], address).unwrap();
    }
    lp.run(RunMode::Default).unwrap();
    let expected = ["datagram 1", "task 1", "datagram 2", "datagram 3", "task 3"];
    assert_eq!(*story.borrow(), expected);
}

#[test]
fn connected_handles_talk_to_their_peer_alone() {
    let lp: Loop = Loop::new().unwrap();
    let (server, address) = bound(&lp);
    let client = Udp::new(&lp);
    assert_eq!(client.try_send(b"x", None), Err(Errno::EDESTADDRREQ));
    assert_eq!(client.disconnect(), Err(Errno::ENOTCONN));
    client.connect(address).unwrap();
    assert_eq!(client.connect(address), Err(Errno::EISCONN));
    assert_eq!(client.try_send(b"x", address), Err(Errno::EISCONN));
    assert_eq!(client.try_send(b"x", None), Ok(1));
    assert_eq!(client.peer_addr(), Ok(address));
    client.disconnect().unwrap();
    assert_eq!(client.peer_addr(), Err(Errno::ENOTCONN));
    server.close();
    lp.run(RunMode::Default).unwrap();
    assert_eq!(server.try_send(b"x", address), Err(Errno::EINVAL));
}

#[test]
fn segments_arrive_as_datagrams_of_their_size() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let server = UdpSocket::bind(loopback())?;
        let client = UdpSocket::bind(loopback())?;
        let bytes: Vec<u8> = (0..=250).collect();
        client.send_segmented(&bytes, server.local_addr()?, 100).await?;
        let mut buffer = [0; 1000];
        for expected in [&bytes[..100], &bytes[100..200], &bytes[200..]] {
            let (count, from) = server.recv_from(&mut buffer).await?;
            assert_eq!((&buffer[..count], from), (expected, client.local_addr()?));
        }
        std::io::Result::Ok(())
    })
    .unwrap();
}

#[test]
fn receive_offload_brings_many_datagrams_as_one() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let server = UdpSocket::bind(loopback())?;
        server.set_receive_offload(true)?;
        let client = UdpSocket::bind(loopback())?;
        client.connect(server.local_addr()?)?;
        client.send_segmented(&[7; 1050], None, 100).await?;
        let (mut buffer, mut sizes) = (vec![0; 65536], Vec::new());
        while sizes.len() < 11 {
            let datagram = server.recv_datagram(&mut buffer).await?;
            sizes.extend(datagram.segments().map(<[u8]>::len));
        }
        let mut expected = vec![100; 10];
        expected.push(50);
        assert_eq!(sizes, expected);
        std::io::Result::Ok(())
    })
    .unwrap();
}

#[test]
fn a_task_waits_for_datagrams_while_others_run() {
    let lp: Loop = Loop::new().unwrap();
    let answer = lp.block_on(async {
        let server = UdpSocket::bind(loopback())?;
        let address = server.local_addr()?;
        mauve::spawn(async move {
            let mut buffer = [0; 64];
            for _ in 0..3 {
                let (count, from) = server.recv_from(&mut buffer).await?;
                server.send_to(&buffer[..count], from).await?;
            }
            std::io::Result::Ok(())
        });
        let client = UdpSocket::bind(loopback())?;
        client.connect(address)?;
        let (mut buffer, mut heard) = ([0; 64], Vec::new());
        for word in ["one", "two", "three"] {
            client.send(word.as_bytes()).await?;
            let count = client.recv(&mut buffer).await?;
            heard.push(String::from_utf8_lossy(&buffer[..count]).into_owned());
        }
        std::io::Result::Ok(heard)
    });
    assert_eq!(answer.unwrap(), ["one", "two", "three"]);
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert_eq!(lp.close(), Ok(()));
}

#[test]
fn a_refused_datagram_is_an_error_of_the_next_operation() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let gone = UdpSocket::bind(loopback()).unwrap();
        let client = UdpSocket::bind(loopback()).unwrap();
        client.connect(gone.local_addr().unwrap()).unwrap();
        drop(gone);
        client.send(b"anybody?").await.unwrap();
        let error = client.recv(&mut [0; 10]).await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
    });
}

#[test]
fn a_dropped_wait_leaves_the_socket_usable() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let server = UdpSocket::bind(loopback()).unwrap();
        let mut buffer = [0; 10];
        let patience = std::time::Duration::from_millis(1);
        assert!(mauve::timeout(patience, server.recv(&mut buffer)).await.is_err());
        server.send_to(b"me", server.local_addr().unwrap()).await.unwrap();
        assert_eq!(server.recv(&mut buffer).await.unwrap(), 2);
    });
}

#[test]
fn members_of_a_group_hear_what_is_sent_to_it() {
    let lp: Loop = Loop::new().unwrap();
    let heard = lp.block_on(async {
        let group = Ipv4Addr::new(239, 255, 77, 1);
        let flags = UdpBindFlags { reuse_address: true, ..Default::default() };
        let member = UdpSocket::bind_with((Ipv4Addr::UNSPECIFIED, 0).into(), flags)?;
        let membership = MulticastGroup::V4 { group, interface: Ipv4Addr::LOCALHOST };
        member.join(membership)?;
        let sender = UdpSocket::bind(loopback())?;
        sender.set_multicast_interface(MulticastInterface::V4(Ipv4Addr::LOCALHOST))?;
        sender.set_multicast_loop(true)?;
        sender.set_multicast_ttl(0)?;
        let port = member.local_addr()?.port();
        sender.send_to(b"all of you", (group, port).into()).await?;
        let mut buffer = [0; 64];
        let count = member.recv(&mut buffer).await?;
        member.leave(membership)?;
        std::io::Result::Ok(buffer[..count].to_vec())
    });
    assert_eq!(heard.unwrap(), b"all of you");
}

#[test]
fn options_without_a_socket_are_refused() {
    let udp: Udp = Udp::new(&Loop::new().unwrap());
    assert_eq!(udp.set_ttl(1), Err(Errno::EBADF));
    assert_eq!(udp.set_ttl(0), Err(Errno::EINVAL));
    assert_eq!(udp.set_broadcast(true), Err(Errno::EBADF));
    assert_eq!(udp.local_addr(), Err(Errno::EBADF));
}

#[test]
fn the_systems_buffers_have_sizes() {
    let lp: Loop = Loop::new().unwrap();
    let udp = Udp::new(&lp);
    assert_eq!(udp.receive_buffer_size(), Err(Errno::EBADF));
    assert_eq!(udp.descriptor(), Err(Errno::EBADF));
    udp.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    assert!(udp.descriptor().unwrap() > 2);
    udp.set_receive_buffer_size(8192).unwrap();
    udp.set_send_buffer_size(16384).unwrap();
    assert!(udp.receive_buffer_size().unwrap() >= 8192);
    assert!(udp.send_buffer_size().unwrap() >= 16384);
    udp.close();
    assert_eq!(lp.run(RunMode::Default), Ok(false));
}

/// What a server has received, until it has as many as are wanted.
async fn received(server: &UdpSocket, count: usize) -> Vec<Vec<u8>> {
    let mut buffer = [0; 2000];
    let mut all = Vec::new();
    while all.len() < count {
        let size = server.recv(&mut buffer).await.unwrap();
        all.push(buffer[..size].to_vec());
    }
    all
}

#[test]
fn corked_datagrams_arrive_as_they_were_sent() {
    for policy in [CorkPolicy::Off, CorkPolicy::Burst] {
        send_many_sizes(policy);
    }
}

fn send_many_sizes(policy: CorkPolicy) {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let servers = [UdpSocket::bind(loopback()).unwrap(), UdpSocket::bind(loopback()).unwrap()];
        let client = UdpSocket::bind(loopback()).unwrap();
        client.set_cork_policy(policy);
        let addresses = [servers[0].local_addr().unwrap(), servers[1].local_addr().unwrap()];
        let mut expected = [Vec::new(), Vec::new()];
        // Long runs of one size, single ones of another, empty ones, and now and then the other peer.
        for number in 0..150_u8 {
            let size = match number {
                40..50 => 1201,
                n if n % 30 == 7 => 3,
                n if n % 30 == 8 => 0,
                _ => 64,
            };
            let to = usize::from(number % 25 == 24);
            let datagram = vec![number; size];
            assert_eq!(client.send_to(&datagram, addresses[to]).await.unwrap(), size);
            expected[to].push(datagram);
        }
        for (server, expected) in servers.iter().zip(expected) {
            assert_eq!(received(server, expected.len()).await, expected);
        }
    });
}

#[test]
fn a_receive_leaves_datagrams_corked_until_the_task_waits() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let peer = std::net::UdpSocket::bind(loopback()).unwrap();
        peer.set_nonblocking(true).unwrap();
        let server = UdpSocket::bind(loopback()).unwrap();
        server.set_cork_policy(CorkPolicy::Burst);
        // Nothing is corked before the loop runs.
        mauve::sleep(std::time::Duration::ZERO).await;
        let (address, mut buffer) = (server.local_addr().unwrap(), [0; 8]);
        for number in 0..8 {
            peer.send_to(&[number], address).unwrap();
        }
        for number in 0..8 {
            let (count, from) = server.recv_from(&mut buffer).await.unwrap();
            assert_eq!(buffer[..count], [number]);
            server.send_to(&buffer[..count], from).await.unwrap();
        }
        // The first four were sent at once.
        for number in 0..4 {
            assert_eq!(peer.recv(&mut buffer).unwrap(), 1);
            assert_eq!(buffer[0], number);
        }
        assert_eq!(peer.recv(&mut buffer).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
        mauve::sleep(std::time::Duration::ZERO).await;
        for number in 4..8 {
            assert_eq!(peer.recv(&mut buffer).unwrap(), 1);
            assert_eq!(buffer[0], number);
        }
    });
}

#[test]
fn a_dropped_socket_has_sent_its_corked_datagrams() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let server = UdpSocket::bind(loopback()).unwrap();
        let client = UdpSocket::bind(loopback()).unwrap();
        client.set_cork_policy(CorkPolicy::Burst);
        for number in 0..5 {
            client.send_to(&[number], server.local_addr().unwrap()).await.unwrap();
        }
        drop(client);
        assert_eq!(received(&server, 5).await, [[0], [1], [2], [3], [4]]);
    });
}

#[test]
fn a_later_send_reports_that_a_corked_datagram_was_refused() {
    // Every second one is refused, because of the one before it.
    assert_eq!(refused(CorkPolicy::Off)[..6], [1, 3, 5, 7, 9, 11]);
    // After four that were not refused, they are corked.
    assert_eq!(refused(CorkPolicy::Burst)[..4], [1, 3, 5, 10]);
}

/// Which of twelve sends to a port without a socket fail.
fn refused(policy: CorkPolicy) -> Vec<u32> {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let nobody = UdpSocket::bind(loopback()).unwrap().local_addr().unwrap();
        // The socket is closed in the close phase.
        mauve::sleep(std::time::Duration::from_millis(1)).await;
        let client = UdpSocket::bind(loopback()).unwrap();
        client.connect(nobody).unwrap();
        client.set_cork_policy(policy);
        let mut refused = Vec::new();
        for number in 0..12 {
            if let Err(error) = client.send(b"is anybody there?").await {
                assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
                refused.push(number);
            }
            if number == 9 {
                mauve::yield_now().await;
            }
        }
        refused
    })
}
