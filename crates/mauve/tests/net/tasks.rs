//! TCP streams of tasks.

use std::io::{ErrorKind, Read as _, Result, Write as _};
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _, future, io};
use mauve::net::{TcpListener, TcpStream};
use mauve::{Elapsed, Interest, Loop, RunMode};

use crate::{any_port, closed_port, pair, pattern};

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_large_echo_is_complete() {
    const SIZE: usize = 16 << 20;
    let lp: Loop = Loop::new().unwrap();
    let back = lp.block_on(async {
        let (client, peer) = pair().await?;
        mauve::spawn(async move {
            let (mut from, mut to) = io::split(peer);
            io::copy(&mut from, &mut to).await?;
            to.close().await
        });
        let (mut from, mut to) = io::split(client);
        let mut back = Vec::new();
        let send = async {
            to.write_all(&pattern(SIZE)).await?;
            to.close().await
        };
        future::try_zip(send, from.read_to_end(&mut back)).await?;
        Result::Ok(back)
    });
    assert!(back.unwrap() == pattern(SIZE));
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[mauve::test]
async fn a_write_waits_until_the_peer_reads() -> Result<()> {
    let (mut client, mut peer) = pair().await?;
    let data = pattern(8 << 20);
    // Fill the kernel's buffers until a write blocks.
    while let Ok(written) = mauve::timeout(100 * MS, client.write_all(&data)).await {
        written?;
    }
    // Reading makes room for more.
    let mut some = vec![0; 1 << 20];
    peer.read_exact(&mut some).await?;
    assert!(some[..] == data[..some.len()]);
    let reader = mauve::spawn(async move {
        let mut count = 0;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match peer.read(&mut buffer).await? {
                0 => return Result::Ok(count),
                more => count += more,
            }
        }
    });
    client.write_all(&data).await?;
    drop(client);
    assert!(reader.await.unwrap()? > 8 << 20);
    Ok(())
}

#[mauve::test]
async fn unread_data_does_not_make_the_loop_spin() -> Result<()> {
    let (mut client, mut peer) = pair().await?;
    // The first read registers the socket.
    client.write_all(b"ab").await?;
    let mut byte = [0];
    peer.read_exact(&mut byte).await?;
    client.write_all(b"cd").await?;
    let before = cpu_time();
    mauve::sleep(200 * MS).await;
    assert!(cpu_time() - before < 100 * MS, "the loop spins");
    let mut rest = [0; 3];
    peer.read_exact(&mut rest).await?;
    assert_eq!(&rest, b"bcd");
    Ok(())
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(stat.split(' ').next().unwrap().parse().unwrap())
}

#[mauve::test]
async fn each_side_can_shut_down_separately() -> Result<()> {
    let (mut client, mut peer) = pair().await?;
    client.write_all(b"request").await?;
    client.close().await?;
    let mut text = String::new();
    peer.read_to_string(&mut text).await?;
    assert_eq!(text, "request");
    peer.write_all(b"response").await?;
    drop(peer);
    text.clear();
    client.read_to_string(&mut text).await?;
    assert_eq!(text, "response");
    // Reads after the end return zero again.
    assert_eq!(client.read(&mut [0; 8]).await?, 0);
    Ok(())
}

#[test]
fn a_refused_connection_is_reported() {
    let lp: Loop = Loop::new().unwrap();
    let refused = lp.block_on(async { TcpStream::connect(closed_port()).await.map(drop) });
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::ConnectionRefused);
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[mauve::test]
async fn a_port_is_in_use_until_its_listener_is_dropped() {
    let first = TcpListener::bind(any_port()).await.unwrap();
    let address = first.local_addr().unwrap();
    let second = TcpListener::bind(address).await.map(drop);
    assert_eq!(second.unwrap_err().kind(), ErrorKind::AddrInUse);
    drop(first);
    TcpListener::bind(address).await.unwrap();
}

#[test]
fn dropping_a_stream_closes_it() {
    let lp: Loop = Loop::new().unwrap();
    let listener = std::net::TcpListener::bind(any_port()).unwrap();
    let address = listener.local_addr().unwrap();
    lp.block_on(async {
        let stream = TcpStream::connect(address).await.unwrap();
        let (mut peer, _) = listener.accept().unwrap();
        drop(stream);
        // The descriptor is closed at once, before the next iteration.
        peer.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        assert_eq!(peer.read(&mut [0; 1]).unwrap(), 0);
    });
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[test]
fn a_pending_connect_can_be_dropped() {
    let lp: Loop = Loop::new().unwrap();
    let listener = std::net::TcpListener::bind(any_port()).unwrap();
    let address = listener.local_addr().unwrap();
    lp.block_on(async {
        let connecting = TcpStream::connect(address);
        let polled = future::poll_once(connecting).await;
        assert!(polled.is_none());
        mauve::sleep(5 * MS).await;
    });
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[mauve::test]
async fn a_read_that_timed_out_loses_no_data() -> Result<()> {
    let (mut client, mut peer) = pair().await?;
    let mut buffer = [0; 8];
    for _ in 0..3 {
        let timed_out = mauve::timeout(5 * MS, peer.read(&mut buffer)).await;
        assert!(matches!(timed_out, Err(Elapsed)));
    }
    client.write_all(b"late").await?;
    let count = mauve::timeout(5000 * MS, peer.read(&mut buffer)).await.unwrap()?;
    assert_eq!(&buffer[..count], b"late");
    Ok(())
}

#[test]
fn a_reset_is_reported_by_read() {
    let lp: Loop = Loop::new().unwrap();
    let listener = std::net::TcpListener::bind(any_port()).unwrap();
    let address = listener.local_addr().unwrap();
    lp.block_on(async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let (peer, _) = listener.accept().unwrap();
        stream.write_all(b"unread").await.unwrap();
        // Closing a socket that was not read to the end resets the connection.
        std::thread::sleep(10 * MS);
        drop(peer);
        let error = stream.read(&mut [0; 8]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        assert!(stream.write(b"x").await.is_err());
    });
}

#[test]
fn a_thousand_connections_are_served_concurrently() {
    const COUNT: usize = 1000;
    let lp: Loop = Loop::new().unwrap();
    let served = lp.block_on(async {
        let listener = TcpListener::bind(any_port()).await?;
        let address = listener.local_addr()?;
        mauve::spawn(async move {
            while let Ok((mut peer, _)) = listener.accept().await {
                mauve::spawn(async move {
                    let mut number = [0; 4];
                    peer.read_exact(&mut number).await?;
                    peer.write_all(&number).await
                });
            }
        });
        // All are connected before the first one writes.
        let mut clients = Vec::new();
        for _ in 0..COUNT {
            clients.push(TcpStream::connect(address).await?);
        }
        let tasks: Vec<_> = clients
            .into_iter()
            .enumerate()
            .map(|(number, mut client)| {
                mauve::spawn(async move {
                    let number = (number as u32).to_be_bytes();
                    client.write_all(&number).await?;
                    let mut back = [0; 4];
                    client.read_exact(&mut back).await?;
                    Result::Ok(back == number)
                })
            })
            .collect();
        let mut served = 0;
        for task in tasks {
            served += usize::from(task.await.unwrap()?);
        }
        Result::Ok(served)
    });
    assert_eq!(served.unwrap(), COUNT);
}

#[test]
fn a_blocking_client_on_another_thread_is_served() {
    let lp: Loop = Loop::new().unwrap();
    let echoed = lp.block_on(async {
        let listener = TcpListener::bind(any_port()).await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = mauve::spawn_blocking(move || {
            let mut client = std::net::TcpStream::connect(address).unwrap();
            client.write_all(b"hello").unwrap();
            let mut text = String::new();
            client.read_to_string(&mut text).unwrap();
            text
        });
        let (mut peer, _) = listener.accept().await.unwrap();
        let mut message = [0; 5];
        peer.read_exact(&mut message).await.unwrap();
        peer.write_all(&message).await.unwrap();
        drop(peer);
        client.await.unwrap()
    });
    assert_eq!(echoed, "hello");
}

#[test]
fn async_io_on_a_stream_waits_while_the_operation_would_block() {
    let lp: Loop = Loop::new().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let ours = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (theirs, _) = listener.accept().unwrap();
    let (our_clone, their_clone) = (ours.try_clone().unwrap(), theirs.try_clone().unwrap());
    const TOTAL: usize = 8 << 20;
    lp.block_on(async {
        let (ours, theirs) = (TcpStream::from_std(ours)?, TcpStream::from_std(theirs)?);
        // More than the buffers of the sockets hold, so both sides have to wait.
        let write = async {
            let mut left = TOTAL;
            while left > 0 {
                let chunk = vec![7; left.min(1 << 16)];
                left -= ours.async_io(Interest::WRITABLE, || (&our_clone).write(&chunk)).await?;
            }
            ours.shutdown(std::net::Shutdown::Write)
        };
        let read = async {
            let (mut buffer, mut total) = (vec![0; 1 << 16], 0);
            loop {
                let operation = || (&their_clone).read(&mut buffer);
                match theirs.async_io(Interest::READABLE, operation).await? {
                    0 => return std::io::Result::Ok(total),
                    count => total += count,
                }
            }
        };
        let (written, read) = futures_lite::future::zip(write, read).await;
        written?;
        assert_eq!(read?, TOTAL);
        // A stream with nothing to read is not readable after an attempt.
        let (one, two) = pair().await?;
        let blocked = one.try_io(Interest::READABLE, || Err::<(), _>(ErrorKind::WouldBlock.into()));
        assert_eq!(blocked.unwrap_err().kind(), ErrorKind::WouldBlock);
        let timed = mauve::timeout(Duration::from_millis(5), one.readable()).await;
        assert!(timed.is_err());
        assert_eq!(one.try_io(Interest::READABLE, || Ok(7))?, 7);
        drop(two);
        one.readable().await
    })
    .unwrap();
}
