//! Corked writes are sent with one system call, and none is lost. Without a policy, every write is
//! sent at once.

use std::io::{ErrorKind, Read as _, Result};
use std::net::TcpStream as Peer;
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _, future};
use mauve::net::TcpStream;
use mauve::{CorkPolicy, Loop, RunMode, Tcp};

use crate::{any_port, part_of_pattern, pattern};

/// A corked stream, and a blocking socket as its peer.
async fn pair() -> (TcpStream, Peer) {
    let (stream, peer) = plain_pair().await;
    stream.set_cork_policy(CorkPolicy::Burst);
    (stream, peer)
}

/// A stream without a policy, and its peer.
async fn plain_pair() -> (TcpStream, Peer) {
    let listener = std::net::TcpListener::bind(any_port()).unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (peer, _) = listener.accept().unwrap();
    (stream, peer)
}

/// Reads what has been sent so far. On loopback it arrives at once.
fn received(peer: &mut Peer) -> String {
    peer.set_nonblocking(true).unwrap();
    let mut bytes = [0; 1000];
    let count = match peer.read(&mut bytes) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
        result => result.unwrap(),
    };
    String::from_utf8(bytes[..count].to_vec()).unwrap()
}

async fn write_all(stream: &mut TcpStream, texts: &[&str]) {
    for text in texts {
        stream.write_all(text.as_bytes()).await.unwrap();
    }
}

/// Writes until the socket buffers are full and bytes are queued. Returns the number of bytes.
async fn fill_buffers(stream: &mut TcpStream) -> usize {
    const PIECE: usize = 16 << 10;
    let mut written = 0;
    loop {
        // The last pieces are corked. The flush shows whether they fit.
        for size in [1, PIECE, PIECE, PIECE] {
            let piece = part_of_pattern(written..written + size);
            stream.write_all(&piece).await.unwrap();
            written += size;
        }
        if future::poll_once(stream.flush()).await.is_none() {
            return written;
        }
    }
}

#[test]
fn without_a_policy_writes_are_sent_at_once() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = plain_pair().await;
        for _ in 0..3 {
            mauve::yield_now().await;
            for text in ["a", "bc", "def"] {
                stream.write_all(text.as_bytes()).await.unwrap();
                assert_eq!(received(&mut peer), text);
            }
        }
    });
}

#[test]
fn turning_the_policy_off_flushes_corked_bytes() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = pair().await;
        write_all(&mut stream, &["a", "b"]).await;
        stream.set_cork_policy(CorkPolicy::Off);
        assert_eq!(received(&mut peer), "ab");
        write_all(&mut stream, &["c", "d"]).await;
        assert_eq!(received(&mut peer), "cd");
    });
}

#[test]
fn other_operations_on_the_loop_flush_corked_bytes() {
    let lp: Loop = Loop::new().unwrap();
    let (lp, mut round) = (&lp, 0);
    lp.block_on(async move {
        let (mut stream, mut peer) = pair().await;
        let operations: [&dyn Fn(); 4] =
            [&|| _ = lp.now(), &|| lp.update_time(), &|| drop(lp.spawn_blocking(|| ())), &|| {
                drop(Tcp::new(lp))
            }];
        for operation in operations {
            mauve::yield_now().await;
            write_all(&mut stream, &["a", "b"]).await;
            operation();
            round += 1;
            assert_eq!(received(&mut peer), "ab", "round {round}");
        }
    });
}

#[test]
fn callbacks_write_at_once_unless_their_stream_is_corked() {
    let seen = |policy: Option<CorkPolicy>| {
        let listener = std::net::TcpListener::bind(any_port()).unwrap();
        let lp = Loop::<Vec<String>>::new().unwrap();
        let tcp = Tcp::new(&lp);
        let stream = tcp.clone();
        let address = listener.local_addr().unwrap();
        let connected = move |seen: &mut Vec<String>, result: mauve::Result<()>| {
            result.unwrap();
            let (mut peer, _) = listener.accept().unwrap();
            if let Some(policy) = policy {
                stream.set_cork_policy(policy).unwrap();
            }
            for text in ["a", "b", "c"] {
                stream
                    .write_with(*text.as_bytes().first_chunk::<1>().unwrap(), |_, result| {
                        result.unwrap();
                    })
                    .unwrap();
                seen.push(received(&mut peer));
            }
            stream.close();
            seen.push(received(&mut peer));
        };
        tcp.connect(address, connected).unwrap();
        let mut seen = Vec::new();
        lp.run_with(&mut seen, RunMode::Default).unwrap();
        lp.close().unwrap();
        seen
    };
    assert_eq!(seen(None), ["a", "b", "c", ""]);
    assert_eq!(seen(Some(CorkPolicy::AfterFirst)), ["a", "", "", "bc"]);
}

#[test]
fn the_first_write_is_sent_at_once_and_others_when_the_task_waits() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = pair().await;
        write_all(&mut stream, &["a", "b", "c"]).await;
        assert_eq!(received(&mut peer), "a");
        mauve::yield_now().await;
        assert_eq!(received(&mut peer), "bc");
        // After several writes, the next first write is corked too.
        write_all(&mut stream, &["d", "e"]).await;
        assert_eq!(received(&mut peer), "");
        mauve::yield_now().await;
        assert_eq!(received(&mut peer), "de");
        // After a single write it is not.
        write_all(&mut stream, &["f"]).await;
        mauve::yield_now().await;
        write_all(&mut stream, &["g"]).await;
        assert_eq!(received(&mut peer), "fg");
    });
}

#[test]
fn flush_other_streams_options_and_drop_send_corked_bytes() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = pair().await;
        let (mut other, _other_peer) = pair().await;
        write_all(&mut stream, &["a", "b"]).await;
        stream.flush().await.unwrap();
        assert_eq!(received(&mut peer), "ab");
        write_all(&mut stream, &["c", "d"]).await;
        other.write_all(b"!").await.unwrap();
        assert_eq!(received(&mut peer), "cd");
        write_all(&mut stream, &["e", "f"]).await;
        stream.set_nodelay(true).unwrap();
        assert_eq!(received(&mut peer), "ef");
        // Too large to be corked: it is sent after the corked bytes.
        write_all(&mut stream, &["g", "h"]).await;
        stream.write_all(&[b'.'; 20_000]).await.unwrap();
        assert_eq!(received(&mut peer)[..4], *"gh..");
        let mut rest = vec![0; 20_000 - 998];
        peer.set_nonblocking(false).unwrap();
        peer.read_exact(&mut rest).unwrap();
        write_all(&mut stream, &["i", "j"]).await;
        drop(stream);
        assert_eq!(received(&mut peer), "ij");
        assert_eq!(peer.read(&mut [0]).unwrap(), 0);
    });
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[test]
fn close_sends_corked_bytes_first() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = pair().await;
        write_all(&mut stream, &["a", "b", "c"]).await;
        stream.close().await.unwrap();
        let mut all = String::new();
        peer.read_to_string(&mut all).unwrap();
        assert_eq!(all, "abc");
    });
}

#[test]
fn the_end_of_block_on_sends_corked_bytes() {
    let lp: Loop = Loop::new().unwrap();
    let (_stream, mut peer) = lp.block_on(async {
        let (mut stream, peer) = pair().await;
        write_all(&mut stream, &["a", "b", "c"]).await;
        (stream, peer)
    });
    assert_eq!(received(&mut peer), "abc");
}

#[test]
fn the_next_write_reports_the_error_of_corked_bytes_once() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        write_all(&mut stream, &["x", "y", "z"]).await;
        mauve::yield_now().await;
        // Closed with unread bytes: the connection is reset.
        drop(peer);
        mauve::yield_now().await;
        write_all(&mut stream, &["a", "b"]).await;
        mauve::yield_now().await;
        let error = stream.write(b"c").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        let write = async {
            stream.write_all(b"d").await?;
            stream.flush().await
        };
        assert_eq!(write.await.unwrap_err().kind(), ErrorKind::BrokenPipe);
    });
}

#[test]
fn a_write_waits_for_queued_corked_bytes() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        let written = fill_buffers(&mut stream).await;
        assert!(future::poll_once(stream.write(b"x")).await.is_none());
        assert!(future::poll_once(stream.close()).await.is_none());
        let reader = mauve::spawn_blocking(move || read_to_end(peer));
        stream.close().await?;
        assert!(reader.await.unwrap() == pattern(written));
        Result::Ok(())
    })
    .unwrap();
}

#[test]
fn a_dropped_stream_writes_its_queued_bytes() {
    let lp: Loop = Loop::new().unwrap();
    let (written, peer) = lp.block_on(async {
        let (mut stream, peer) = pair().await;
        (fill_buffers(&mut stream).await, peer)
    });
    assert!(lp.is_alive(), "bytes are queued");
    let reader = std::thread::spawn(move || read_to_end(peer));
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert!(reader.join().unwrap() == pattern(written));
    lp.close().unwrap();
}

#[test]
fn a_dropped_stream_is_closed_when_its_peer_closes() {
    let lp: Loop = Loop::new().unwrap();
    let peer = lp.block_on(async {
        let (mut stream, peer) = pair().await;
        fill_buffers(&mut stream).await;
        peer
    });
    drop(peer);
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[test]
fn flush_reports_a_reset_by_the_peer() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        fill_buffers(&mut stream).await;
        let reset = mauve::spawn(async move {
            mauve::sleep(Duration::from_millis(5)).await;
            drop(peer);
        });
        let error = stream.flush().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        reset.await.unwrap();
    });
}

#[test]
fn a_hundred_writes_in_a_row_arrive_in_order() {
    let lp: Loop = Loop::new().unwrap();
    let all = lp.block_on(async {
        let (mut stream, peer) = pair().await;
        let reader = mauve::spawn_blocking(move || read_to_end(peer));
        let all = pattern(100_000);
        // Corked and uncorked pieces, with and without a pause.
        for (n, piece) in all.chunks(997).enumerate() {
            stream.write_all(piece).await?;
            if n % 11 == 0 {
                mauve::yield_now().await;
            }
        }
        drop(stream);
        Result::Ok(reader.await.unwrap() == all)
    });
    assert!(all.unwrap());
}

#[test]
fn replies_to_a_batch_of_requests_arrive_before_the_next_batch() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        mauve::spawn(async move {
            let mut request = [0; 4];
            while stream.read_exact(&mut request).await.is_ok() {
                stream.write_all(&request).await?;
            }
            Result::Ok(())
        });
        let client = mauve::spawn_blocking(move || {
            let mut peer = peer;
            for n in 0..200_u32 {
                std::io::Write::write_all(&mut peer, &pattern(16 * 4)).unwrap();
                let mut replies = [0; 64];
                peer.read_exact(&mut replies).unwrap();
                assert!(replies[..] == pattern(64)[..], "round {n}");
            }
        });
        client.await.unwrap();
    });
}

fn read_to_end(mut peer: Peer) -> Vec<u8> {
    peer.set_nonblocking(false).unwrap();
    let mut all = Vec::new();
    peer.read_to_end(&mut all).unwrap();
    all
}
