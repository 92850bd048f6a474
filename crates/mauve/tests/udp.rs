//! UDP sockets.

use std::cell::RefCell;
use std::future::poll_fn;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::Duration;

use mauve::net::{MulticastGroup, MulticastInterface, UdpSocket};
use mauve::{Errno, Loop, RunMode, Udp, UdpBindFlags};

fn loopback() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

/// A handle that is bound to a free port.
fn bound<S: 'static>(lp: &Loop<S>) -> (Udp<S>, SocketAddr) {
    let udp = Udp::new(lp);
    udp.bind(loopback()).unwrap();
    let address = udp.local_addr().unwrap();
    (udp, address)
}

#[test]
fn send_callbacks_run_in_order_and_never_inside_send() {
    let lp = Loop::<Vec<u32>>::new().unwrap();
    let (server, address) = bound(&lp);
    server.recv_start(|_, _, _| {}).unwrap();
    server.unref();
    let client = Udp::new(&lp);
    for number in 0..3 {
        client
            .send_with([1, 2, 3], address, move |all: &mut Vec<u32>, _, _| all.push(number))
            .unwrap();
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
fn sends_with_and_without_callbacks_arrive_in_order() {
    let lp = Loop::<(Vec<u8>, Vec<u8>)>::new().unwrap();
    let (server, address) = bound(&lp);
    let client = Udp::new(&lp);
    server
        .recv_start(move |(received, _), server, datagram| {
            received.push(datagram.unwrap().bytes[0]);
            if received.len() == 16 {
                server.close();
            }
        })
        .unwrap();
    for number in 0..16 {
        if number % 3 == 1 {
            client.send_with([number], address, move |(_, sent), _, _| sent.push(number)).unwrap();
        } else {
            client.send([number], address).unwrap();
        }
    }
    let mut log = (Vec::new(), Vec::new());
    lp.run_with(&mut log, RunMode::Default).unwrap();
    assert_eq!(log, ((0..16).collect(), vec![1, 4, 7, 10, 13]));
}

#[test]
fn queued_sends_are_reported_before_the_close_callback() {
    let lp = Loop::<Vec<&str>>::new().unwrap();
    let (_server, address) = bound(&lp);
    let client = Udp::new(&lp);
    client.send_with(*b"x", address, |log: &mut Vec<&str>, _, _| log.push("sent")).unwrap();
    client.close_with(|log| log.push("closed")).unwrap();
    let mut log = Vec::new();
    lp.run_with(&mut log, RunMode::Default).unwrap();
    assert_eq!(log, ["sent", "closed"]);
}

#[test]
fn an_empty_datagram_is_received() {
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
fn a_callback_that_closes_its_handle_is_not_called_again() {
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
fn a_replaced_callback_is_not_called_again() {
    let lp = Loop::<Vec<&str>>::new().unwrap();
    let (server, address) = bound(&lp);
    server
        .recv_start(|log: &mut Vec<&str>, server, _| {
            log.push("old");
            server.recv_stop();
            server
                .recv_start(|log, server, _| {
                    log.push("new");
                    if log.len() == 3 {
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
    let mut log = Vec::new();
    lp.run_with(&mut log, RunMode::Default).unwrap();
    assert_eq!(log, ["old", "new", "new"]);
}

#[test]
fn a_spawned_task_is_polled_before_the_next_datagram() {
    let lp: Loop = Loop::new().unwrap();
    let (server, address) = bound(&lp);
    let log = Rc::new(RefCell::new(Vec::new()));
    let events = log.clone();
    server
        .recv_start(move |(), server, datagram| {
            let number = datagram.unwrap().bytes[0];
            events.borrow_mut().push(format!("datagram {number}"));
            let events = events.clone();
            // The second datagram spawns no task: the third is delivered without a return to the
            // loop.
            if number != 2 {
                let task = async move { events.borrow_mut().push(format!("task {number}")) };
                drop(server.event_loop().spawn(task));
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
    assert_eq!(*log.borrow(), expected);
}

#[test]
fn a_connected_handle_sends_to_its_peer_only() {
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

#[mauve::test]
async fn send_segmented_sends_datagrams_of_the_segment_size() -> std::io::Result<()> {
    let server = UdpSocket::bind(loopback()).await?;
    let client = UdpSocket::bind(loopback()).await?;
    let bytes: Vec<u8> = (0..=250).collect();
    client.send_segmented(&bytes, server.local_addr()?, 100).await?;
    let mut buffer = [0; 1000];
    for expected in [&bytes[..100], &bytes[100..200], &bytes[200..]] {
        let (count, from) = server.recv_from(&mut buffer).await?;
        assert_eq!((&buffer[..count], from), (expected, client.local_addr()?));
    }
    Ok(())
}

#[mauve::test]
async fn receive_offload_merges_datagrams() -> std::io::Result<()> {
    let server = UdpSocket::bind(loopback()).await?;
    server.set_receive_offload(true)?;
    let client = UdpSocket::bind(loopback()).await?;
    client.connect(server.local_addr()?).await?;
    client.send_segmented(&[7; 1050], None, 100).await?;
    let (mut buffer, mut sizes) = (vec![0; 65536], Vec::new());
    while sizes.len() < 11 {
        let datagram = server.recv_datagram(&mut buffer).await?;
        sizes.extend(datagram.segments().map(<[u8]>::len));
    }
    let mut expected = vec![100; 10];
    expected.push(50);
    assert_eq!(sizes, expected);
    Ok(())
}

#[test]
fn a_task_waits_for_datagrams_concurrently_with_others() {
    let lp: Loop = Loop::new().unwrap();
    let replies = lp.block_on(async {
        let server = UdpSocket::bind(loopback()).await?;
        let address = server.local_addr()?;
        mauve::spawn(async move {
            let mut buffer = [0; 64];
            for _ in 0..3 {
                let (count, from) = server.recv_from(&mut buffer).await?;
                server.send_to(&buffer[..count], from).await?;
            }
            std::io::Result::Ok(())
        });
        let client = UdpSocket::bind(loopback()).await?;
        client.connect(address).await?;
        let (mut buffer, mut replies) = ([0; 64], Vec::new());
        for text in ["one", "two", "three"] {
            client.send(text.as_bytes()).await?;
            let count = client.recv(&mut buffer).await?;
            replies.push(String::from_utf8_lossy(&buffer[..count]).into_owned());
        }
        std::io::Result::Ok(replies)
    });
    assert_eq!(replies.unwrap(), ["one", "two", "three"]);
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert_eq!(lp.close(), Ok(()));
}

#[mauve::test]
async fn a_refused_datagram_is_reported_by_the_next_operation() {
    let closed = UdpSocket::bind(loopback()).await.unwrap();
    let client = UdpSocket::bind(loopback()).await.unwrap();
    client.connect(closed.local_addr().unwrap()).await.unwrap();
    drop(closed);
    client.send(b"ping").await.unwrap();
    let error = client.recv(&mut [0; 10]).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[mauve::test]
async fn a_cancelled_recv_leaves_the_socket_usable() {
    let server = UdpSocket::bind(loopback()).await.unwrap();
    let mut buffer = [0; 10];
    let limit = std::time::Duration::from_millis(1);
    assert!(mauve::timeout(limit, server.recv(&mut buffer)).await.is_err());
    server.send_to(b"ab", server.local_addr().unwrap()).await.unwrap();
    assert_eq!(server.recv(&mut buffer).await.unwrap(), 2);
}

#[test]
fn members_of_a_multicast_group_receive_its_datagrams() {
    let lp: Loop = Loop::new().unwrap();
    let received = lp.block_on(async {
        let group = Ipv4Addr::new(239, 255, 77, 1);
        let flags = UdpBindFlags { reuse_address: true, ..Default::default() };
        let member = UdpSocket::bind_with((Ipv4Addr::UNSPECIFIED, 0).into(), flags)?;
        let membership = MulticastGroup::V4 { group, interface: Ipv4Addr::LOCALHOST };
        member.join_multicast(membership)?;
        let sender = UdpSocket::bind(loopback()).await?;
        sender.set_multicast_interface(MulticastInterface::V4(Ipv4Addr::LOCALHOST))?;
        sender.set_multicast_loop(true)?;
        sender.set_multicast_ttl(0)?;
        let port = member.local_addr()?.port();
        sender.send_to(b"hello", (group, port)).await?;
        let mut buffer = [0; 64];
        let count = member.recv(&mut buffer).await?;
        member.leave_multicast(membership)?;
        std::io::Result::Ok(buffer[..count].to_vec())
    });
    assert_eq!(received.unwrap(), b"hello");
}

#[mauve::test]
async fn a_udp_socket_keeps_its_options() -> std::io::Result<()> {
    let socket = UdpSocket::bind(loopback()).await?;
    socket.set_ttl(32)?;
    socket.set_broadcast(true)?;
    socket.set_multicast_ttl(1)?;
    socket.set_multicast_loop(false)?;
    assert_eq!((socket.ttl()?, socket.broadcast()?), (32, true));
    // The type of the value is that of `ttl`, as for other sockets.
    socket.set_ttl(socket.ttl()?)?;
    for invalid in [256, u32::MAX] {
        assert!(socket.set_ttl(invalid).is_err() && socket.set_multicast_ttl(invalid).is_err());
    }
    assert!(socket.take_error()?.is_none());
    socket.connect("127.0.0.1:9").await?;
    assert_eq!(socket.peer_addr()?.port(), 9);
    socket.disconnect()?;
    assert!(socket.peer_addr().is_err());
    Ok(())
}

#[mauve::test]
async fn datagrams_are_sent_and_received_by_polling() -> std::io::Result<()> {
    let socket = UdpSocket::bind(loopback()).await?;
    let (to, mut buffer) = (socket.local_addr()?, [0; 8]);
    socket.writable().await?;
    poll_fn(|context| socket.poll_send_to(context, b"hello", to)).await?;
    let received = poll_fn(|context| socket.poll_recv_from(context, &mut buffer)).await?;
    assert_eq!((received, &buffer[..5]), ((5, to), &b"hello"[..]));
    socket.connect(to).await?;
    assert_eq!(poll_fn(|context| socket.poll_send(context, b"hello")).await?, 5);
    assert_eq!(poll_fn(|context| socket.poll_recv(context, &mut buffer)).await?, 5);
    Ok(())
}

#[test]
fn a_handle_sends_segments() {
    let lp: Loop = Loop::new().unwrap();
    let server = std::net::UdpSocket::bind(loopback()).unwrap();
    let (udp, _) = bound(&lp);
    assert_eq!(udp.try_send_segmented(&[7; 250], server.local_addr().unwrap(), 100), Ok(250));
    for size in [100, 100, 50] {
        assert_eq!(server.recv(&mut [0; 1000]).unwrap(), size);
    }
}

#[test]
fn setting_options_without_a_socket_fails_with_ebadf() {
    let lp: Loop = Loop::new().unwrap();
    let udp = Udp::new(&lp);
    assert_eq!(udp.set_ttl(1), Err(Errno::EBADF));
    assert_eq!(udp.set_ttl(0), Err(Errno::EINVAL));
    assert_eq!(udp.set_broadcast(true), Err(Errno::EBADF));
    assert_eq!(udp.local_addr(), Err(Errno::EBADF));
}

#[test]
fn kernel_buffer_sizes_can_be_set() {
    let lp: Loop = Loop::new().unwrap();
    let udp = Udp::new(&lp);
    assert_eq!(udp.recv_buffer_size(), Err(Errno::EBADF));
    assert_eq!(udp.raw_descriptor(), Err(Errno::EBADF));
    udp.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    assert!(udp.raw_descriptor().unwrap() > 2);
    udp.set_recv_buffer_size(8192).unwrap();
    udp.set_send_buffer_size(16384).unwrap();
    assert!(udp.recv_buffer_size().unwrap() >= 8192);
    assert!(udp.send_buffer_size().unwrap() >= 16384);
    udp.close();
    assert_eq!(lp.run(RunMode::Default), Ok(false));
}

/// Receives `count` datagrams.
async fn received(server: &UdpSocket, count: usize) -> Vec<Vec<u8>> {
    let mut buffer = [0; 2000];
    let mut all = Vec::new();
    while all.len() < count {
        let size = server.recv(&mut buffer).await.unwrap();
        all.push(buffer[..size].to_vec());
    }
    all
}

#[mauve::test]
async fn datagrams_keep_their_sizes_and_order() {
    let servers =
        [UdpSocket::bind(loopback()).await.unwrap(), UdpSocket::bind(loopback()).await.unwrap()];
    let client = UdpSocket::bind(loopback()).await.unwrap();
    let addresses = [servers[0].local_addr().unwrap(), servers[1].local_addr().unwrap()];
    let mut expected = [Vec::new(), Vec::new()];
    // Runs of one size, single datagrams of another, empty ones, and some to the other peer.
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
}

#[mauve::test]
async fn every_second_send_to_a_closed_port_fails_with_the_error_of_the_one_before() {
    let closed_port = UdpSocket::bind(loopback()).await.unwrap().local_addr().unwrap();
    // The socket is closed in the close phase.
    mauve::sleep(std::time::Duration::from_millis(1)).await;
    let client = UdpSocket::bind(loopback()).await.unwrap();
    client.connect(closed_port).await.unwrap();
    let mut refused = Vec::new();
    for number in 0..12 {
        if let Err(error) = client.send(b"seventeen bytes!!").await {
            assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
            refused.push(number);
        }
    }
    assert_eq!(refused, [1, 3, 5, 7, 9, 11]);
}

#[mauve::test]
async fn a_udp_socket_is_readable_when_a_datagram_arrives() -> std::io::Result<()> {
    let (server, client) = (UdpSocket::bind(loopback()).await?, UdpSocket::bind(loopback()).await?);
    let to = server.local_addr()?;
    let would_block = server.try_recv(&mut [0; 8]).unwrap_err();
    assert_eq!(would_block.kind(), std::io::ErrorKind::WouldBlock);
    for number in 0..3 {
        // One waits before the datagram is sent, the other one after it has arrived.
        let waiting = futures_lite::future::try_zip(server.readable(), async {
            mauve::yield_now().await;
            client.writable().await?;
            client.send_to(&[number], to).await
        });
        waiting.await?;
        server.readable().await?;
        let mut buffer = [0; 8];
        assert_eq!(server.try_recv_from(&mut buffer)?, (1, client.local_addr()?));
        assert_eq!(buffer[0], number);
    }
    // An event that no task has waited for does not keep later ones from being reported.
    client.send_to(b"!", to).await?;
    mauve::sleep(Duration::from_millis(2)).await;
    assert_eq!(server.try_recv(&mut [0; 8])?, 1);
    client.send_to(b"?", to).await?;
    server.readable().await?;
    Ok(())
}

#[test]
fn datagrams_are_sent_at_once_after_one_was_queued_in_vain() {
    let lp: Loop = Loop::new().unwrap();
    let peer = std::net::UdpSocket::bind(loopback()).unwrap();
    let to = peer.local_addr().unwrap();
    let (udp, _) = bound(&lp);
    // Sends two datagrams. Returns whether the second one arrives before the loop runs.
    let send_two = |pass: u8, wait| {
        for number in [1, 2] {
            udp.send([pass, number], to).unwrap();
        }
        peer.set_read_timeout(Some(wait)).unwrap();
        let mut datagram = [0; 2];
        while peer.recv(&mut datagram).is_ok() && datagram != [pass, 2] {}
        datagram == [pass, 2]
    };
    // The second one is queued, because the first is not reported yet.
    assert!(!send_two(0, Duration::from_millis(1)));
    for pass in 1..=3 {
        lp.run(RunMode::Default).unwrap();
        assert!(send_two(pass, Duration::from_secs(10)), "{pass}");
    }
    lp.run(RunMode::Default).unwrap();
    assert_eq!(udp.send_queue().count, 0);
}

#[mauve::test]
async fn peek_waits_for_a_datagram_and_leaves_it_in_the_queue() -> std::io::Result<()> {
    let (server, client) =
        (Rc::new(UdpSocket::bind(loopback()).await?), UdpSocket::bind(loopback()).await?);
    let to = server.local_addr()?;
    for number in 0..3 {
        let would_block = server.try_peek(&mut [0; 8]).unwrap_err();
        assert_eq!(would_block.kind(), std::io::ErrorKind::WouldBlock);
        // Both wait before the datagram is sent.
        let waiting: Vec<_> = (0..2)
            .map(|_| {
                let server = server.clone();
                mauve::spawn(async move {
                    let mut start = [0; 2];
                    let (count, from) = server.peek_from(&mut start).await?;
                    std::io::Result::Ok((count, from, start))
                })
            })
            .collect();
        mauve::yield_now().await;
        client.send_to(&[number, 1, 2], to).await?;
        for peeked in waiting {
            assert_eq!(peeked.await.unwrap()?, (2, client.local_addr()?, [number, 1]));
        }
        assert_eq!(server.try_peek_sender()?, client.local_addr()?);
        assert_eq!(server.peek_sender().await?, client.local_addr()?);
        let peeked = poll_fn(|context| server.poll_peek_from(context, &mut [0; 8])).await?;
        assert_eq!(peeked, (3, client.local_addr()?));
        assert_eq!(server.try_peek_from(&mut [0; 8])?, peeked);
        let mut buffer = [0; 8];
        assert_eq!(server.recv(&mut buffer).await?, 3);
        assert_eq!(buffer[..3], [number, 1, 2]);
    }
    Ok(())
}

#[test]
fn async_io_on_a_udp_socket_waits_while_the_operation_would_block() {
    let lp: Loop = Loop::new().unwrap();
    let ours = std::net::UdpSocket::bind(loopback()).unwrap();
    let (same, to) = (ours.try_clone().unwrap(), ours.local_addr().unwrap());
    lp.block_on(async {
        let (ours, client) = (UdpSocket::from_std(ours)?, UdpSocket::bind(loopback()).await?);
        for size in 1..4 {
            let mut buffer = [0; 8];
            let received = ours.async_io(mauve::Interest::READABLE, || same.recv(&mut buffer));
            let sent = async {
                mauve::yield_now().await;
                client
                    .async_io(mauve::Interest::WRITABLE, || client.try_send(&[7; 4][..size], to))
                    .await
            };
            let (received, sent) = futures_lite::future::zip(received, sent).await;
            assert_eq!((received?, sent?), (size, size));
        }
        std::io::Result::Ok(())
    })
    .unwrap();
}
