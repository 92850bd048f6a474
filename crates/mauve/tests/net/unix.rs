//! Unix domain sockets.

use std::io::IoSlice;
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::net::{UnixDatagram, UnixListener, UnixStream};
use mauve::{Errno, Loop, Pipe, RunMode};
use mauve_sys::net::send_with_descriptor;

/// A path for a socket, in the temporary directory.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("mauve-net-{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

#[mauve::test]
async fn a_unix_listener_accepts_and_unlinks_its_path_when_dropped() {
    let path = path("listener");
    let listener = UnixListener::bind(&path).unwrap();
    assert!(path.exists());
    let mut client = UnixStream::connect(&path).await.unwrap();
    let (mut peer, address) = listener.accept().await.unwrap();
    assert!(address.is_unnamed());
    assert_eq!(client.peer_addr().unwrap().as_pathname(), Some(&*path));
    client.write_all(b"hello").await.unwrap();
    client.close().await.unwrap();
    let mut text = String::new();
    peer.read_to_string(&mut text).await.unwrap();
    assert_eq!(text, "hello");
    drop(listener);
    assert!(!path.exists());
    let refused = UnixStream::connect(&path).await.map(drop).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn a_path_that_is_too_long_is_an_error_and_not_truncated() {
    let lp: Loop = Loop::new().unwrap();
    let long = std::env::temp_dir().join("x".repeat(200));
    lp.block_on(async {
        assert!(UnixListener::bind(&long).is_err());
        assert!(UnixStream::connect(&long).await.is_err());
    });
    let truncated = &long.to_str().unwrap()[..108];
    assert!(!std::path::Path::new(truncated).exists());
}

#[test]
fn closing_a_pipe_unlinks_its_path() {
    let lp: Loop = Loop::new().unwrap();
    let path = path("pipe");
    let pipe = Pipe::new(&lp);
    assert_eq!(pipe.listen(1, |_, _, _| {}), Err(Errno::EINVAL));
    pipe.bind(&path).unwrap();
    pipe.listen(1, |_, _, _| {}).unwrap();
    let second = Pipe::new(&lp);
    assert_eq!(second.bind(&path), Err(Errno::EADDRINUSE));
    second.close();
    assert!(path.exists());
    pipe.close();
    assert!(!path.exists());
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

/// A receive call stops after a message with descriptors, so a short read does not mean that all data
/// is read.
#[mauve::test]
async fn bytes_after_a_message_with_descriptors_are_read() {
    let path = path("descriptors");
    let listener = UnixListener::bind(&path).unwrap();
    let client = UnixStream::connect(&path).await.unwrap();
    let (mut peer, _) = listener.accept().await.unwrap();
    let read = mauve::spawn(async move {
        let mut text = [0; 6];
        let first = peer.read(&mut text).await.unwrap();
        peer.read_exact(&mut text[first..]).await.unwrap();
        text
    });
    mauve::yield_now().await;
    let slices = [IoSlice::new(b"one")];
    send_with_descriptor(client.as_fd(), &slices, std::io::stderr().as_fd()).unwrap();
    assert_eq!(client.try_write(b"two").unwrap(), 3);
    let text = mauve::time::timeout(Duration::from_secs(20), read).await.unwrap();
    assert_eq!(text.unwrap(), *b"onetwo");
}

#[test]
fn a_sender_waits_for_room_in_a_receiver_without_spinning() {
    let lp: Loop = Loop::new().unwrap();
    let path = path("full");
    lp.block_on(async {
        let lp = Loop::current();
        let receiver = UnixDatagram::bind(&path).unwrap();
        let sender = UnixDatagram::unbound().unwrap();
        let mut sent = 0;
        while sender.try_send_to(b"1", &path).is_ok() {
            sent += 1;
        }
        let (before, begin) = (lp.metrics().iterations, Instant::now());
        let full = mauve::timeout(Duration::from_millis(100), sender.send_to(b"2", &path)).await;
        assert!(full.is_err(), "there is no room");
        // It tries again every millisecond: two iterations, and a few for the timeout.
        let iterations = lp.metrics().iterations - before;
        let limit = 5 * begin.elapsed().as_millis() as u64;
        assert!(iterations < limit, "{iterations} iterations, at most {limit} are expected");

        let waiting = mauve::spawn({
            let path = path.clone();
            async move { sender.send_to(b"last", &path).await }
        });
        mauve::yield_now().await;
        let mut buffer = [0; 8];
        for _ in 0..sent {
            assert_eq!(receiver.recv(&mut buffer).await.unwrap(), 1);
        }
        assert_eq!(waiting.await.unwrap().unwrap(), 4);
        assert_eq!(receiver.recv(&mut buffer).await.unwrap(), 4);
    });
    std::fs::remove_file(path).unwrap();
}
