//! Any descriptor, and Unix datagram sockets.

use std::io::{ErrorKind, Read as _, Result, Write as _};
use std::os::unix::net;
use std::rc::Rc;
use std::time::Duration;

use futures_lite::future;
use mauve::net::{AsyncFd, UnixDatagram};
use mauve::{Interest, Loop, RunMode};

const HANG: Duration = Duration::from_secs(60);

fn pair() -> Result<(AsyncFd<net::UnixStream>, net::UnixStream)> {
    let (ours, theirs) = net::UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    theirs.set_nonblocking(true)?;
    Ok((AsyncFd::new(ours)?, theirs))
}

#[mauve::test]
async fn a_descriptor_is_waited_for_in_both_directions() -> Result<()> {
    let (ours, mut theirs) = pair()?;
    let mut filled = 0;
    while let Ok(count) = ours.get_ref().write(&[0; 1 << 12]) {
        filled += count;
    }
    assert!(future::poll_once(ours.writable()).await.is_none());
    assert!(future::poll_once(ours.readable()).await.is_none());
    let ours = Rc::new(ours);
    let (reader, writer) = (ours.clone(), ours.clone());
    let reader = mauve::spawn(async move { reader.readable().await.map(drop) });
    let writer = mauve::spawn(async move {
        writer.async_io(Interest::WRITABLE, |mut socket| socket.write(b"x")).await
    });
    mauve::yield_now().await;
    // Only the reader can proceed.
    theirs.write_all(b"y")?;
    mauve::timeout(HANG, reader).await.expect("the reader hangs").unwrap()?;
    let mut guard = ours.readable().await?;
    assert_eq!(guard.try_io(|fd| fd.get_ref().read(&mut [0; 8])).unwrap()?, 1);
    assert!(guard.try_io(|fd| fd.get_ref().read(&mut [0; 8])).is_err());
    assert!(!writer.is_finished());
    while filled > 0 {
        filled -= theirs.read(&mut [0; 1 << 12])?;
    }
    let written = mauve::timeout(HANG, writer).await.expect("the writer hangs").unwrap()?;
    assert_eq!(written, 1);
    // The end of the stream is readable.
    drop(theirs);
    mauve::timeout(HANG, ours.readable()).await.expect("the end is not reported")?.clear_ready();
    Ok(())
}

#[mauve::test]
async fn several_tasks_wait_for_one_descriptor() -> Result<()> {
    let (ours, mut theirs) = pair()?;
    let ours = Rc::new(ours);
    let read = |fd: Rc<AsyncFd<net::UnixStream>>| async move {
        fd.async_io(Interest::READABLE, |mut socket| socket.read(&mut [0])).await
    };
    let tasks: Vec<_> = (0..4).map(|_| mauve::spawn(read(ours.clone()))).collect();
    mauve::yield_now().await;
    theirs.write_all(b"abcd")?;
    for task in tasks {
        assert_eq!(mauve::timeout(HANG, task).await.expect("a waiter hangs").unwrap()?, 1);
    }
    Ok(())
}

#[test]
fn a_descriptor_without_waiters_is_not_polled() {
    let lp: Loop = Loop::new().unwrap();
    let ours = lp.block_on(async {
        let (ours, mut theirs) = pair()?;
        theirs.write_all(b"x")?;
        drop(ours.readable().await?);
        Result::Ok((ours, theirs))
    });
    // Unread data does not keep the loop alive.
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    let (ours, _theirs) = ours.unwrap();
    // The descriptor can be polled again after it was taken out.
    let inner = ours.into_inner();
    lp.block_on(async {
        let ours = AsyncFd::new(inner)?;
        drop(ours.readable().await?);
        Result::Ok(())
    })
    .unwrap();
}

#[mauve::test]
async fn a_regular_file_cannot_be_polled() {
    let file = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
    assert!(AsyncFd::new(file).is_err());
}

#[test]
fn a_descriptor_that_outlives_its_loop_returns_einval() {
    let lp: Loop = Loop::new().unwrap();
    let (ours, _theirs) = lp.block_on(async { pair() }).unwrap();
    drop(lp);
    let other: Loop = Loop::new().unwrap();
    other.block_on(async {
        assert!(ours.readable().await.is_err());
        assert!(ours.writable().await.is_err());
    });
}

#[test]
fn unix_datagrams_are_sent_and_received() {
    let path = |name| {
        let path = std::env::temp_dir().join(format!("mauve-dgram-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    };
    let (server_path, client_path) = (path("server"), path("client"));
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let server = UnixDatagram::bind(&server_path)?;
        let client = UnixDatagram::bind(&client_path)?;
        client.send_to(b"one", &server_path).await?;
        let mut buffer = [0; 16];
        let (count, from) = server.recv_from(&mut buffer).await?;
        assert_eq!((&buffer[..count], from.as_pathname()), (&b"one"[..], Some(&*client_path)));
        client.connect(&server_path)?;
        // The send waits while the queue of the server is full.
        let sender = mauve::spawn(async move {
            for number in 0..1000_u16 {
                client.send(&number.to_be_bytes()).await?;
            }
            Result::Ok(())
        });
        for number in 0..1000_u16 {
            let count = mauve::timeout(HANG, server.recv(&mut buffer)).await.expect("a hang")?;
            assert_eq!(buffer[..count], number.to_be_bytes());
        }
        sender.await.unwrap()?;
        let unbound = UnixDatagram::unbound()?;
        assert!(unbound.local_addr()?.is_unnamed());
        let none = server.try_recv(&mut buffer).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::WouldBlock);
        unbound.try_send_to(b"four", &server_path)?;
        server.readable().await?;
        let (count, from) = server.try_recv_from(&mut buffer)?;
        assert_eq!((count, from.is_unnamed()), (4, true));
        let (one, two) = UnixDatagram::pair()?;
        two.try_send(b"ping")?;
        one.readable().await?;
        assert_eq!(one.try_recv(&mut buffer)?, 4);
        Result::Ok(())
    })
    .unwrap();
    let _ = std::fs::remove_file(&server_path);
    let _ = std::fs::remove_file(&client_path);
}
