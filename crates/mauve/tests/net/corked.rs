//! Corked writes of a task leave in one call, and nothing of them is lost. Without a policy every
//! write is attempted at once.

use std::io::{ErrorKind, Read as _, Result};
use std::net::TcpStream as Peer;
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _, future};
use mauve::net::TcpStream;
use mauve::{CorkPolicy, Loop, RunMode, Tcp};

use crate::{anywhere, part_of_pattern, pattern};

/// A corked stream, and its peer, which belongs to no task.
async fn pair() -> (TcpStream, Peer) {
    let (stream, peer) = plain_pair().await;
    stream.set_cork_policy(CorkPolicy::Burst);
    (stream, peer)
}

/// A stream without a policy, and its peer.
async fn plain_pair() -> (TcpStream, Peer) {
    let listener = std::net::TcpListener::bind(anywhere()).unwrap();
    let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (peer, _) = listener.accept().unwrap();
    (stream, peer)
}

/// What has arrived by now. On loopback, what was sent is there.
fn arrived(peer: &mut Peer) -> String {
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

/// Writes until the peer's and the stream's buffers are full and something has to wait for room.
/// Returns how many bytes that were.
async fn write_too_much(stream: &mut TcpStream) -> usize {
    const PIECE: usize = 16 << 10;
    let mut written = 0;
    loop {
        // The last pieces are corked, and only the flush finds out whether there is room for them.
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
fn without_a_policy_written_bytes_are_with_the_system() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = plain_pair().await;
        for _ in 0..3 {
            mauve::yield_now().await;
            for text in ["a", "bc", "def"] {
                stream.write_all(text.as_bytes()).await.unwrap();
                assert_eq!(arrived(&mut peer), text);
            }
        }
    });
}

#[test]
fn a_policy_that_is_turned_off_sends_what_is_corked() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = pair().await;
        write_all(&mut stream, &["a", "b"]).await;
        stream.set_cork_policy(CorkPolicy::Off);
        assert_eq!(arrived(&mut peer), "ab");
        write_all(&mut stream, &["c", "d"]).await;
        assert_eq!(arrived(&mut peer), "cd");
    });
}

#[test]
fn anything_else_that_the_task_does_with_the_loop_comes_after_corked_bytes() {
    let lp: Loop = Loop::new().unwrap();
    let (lp, mut round) = (&lp, 0);
    lp.block_on(async move {
        let (mut stream, mut peer) = pair().await;
        let acts: [&dyn Fn(); 4] =
            [&|| _ = lp.now(), &|| lp.update_time(), &|| drop(lp.spawn_blocking(|| ())), &|| {
                drop(Tcp::new(lp))
            }];
        for act in acts {
            mauve::yield_now().await;
            write_all(&mut stream, &["a", "b"]).await;
            act();
            round += 1;
            assert_eq!(arrived(&mut peer), "ab", "round {round}");
        }
    });
}

#[test]
fn closures_write_at_once_unless_their_stream_is_corked() {
    let seen = |policy: Option<CorkPolicy>| {
        let listener = std::net::TcpListener::bind(anywhere()).unwrap();
        let lp = Loop::<Vec<String>>::new().unwrap();
        let tcp = Tcp::new(&lp);
        let name = tcp.clone();
        let address = listener.local_addr().unwrap();
        let connected = move |seen: &mut Vec<String>, result: mauve::Result<()>| {
            result.unwrap();
            let (mut peer, _) = listener.accept().unwrap();
            if let Some(policy) = policy {
                name.set_cork_policy(policy).unwrap();
            }
            for text in ["a", "b", "c"] {
                name.write(*text.as_bytes().first_chunk::<1>().unwrap(), |_, result| {
                    result.unwrap();
                })
                .unwrap();
                seen.push(arrived(&mut peer));
            }
            name.close();
            seen.push(arrived(&mut peer));
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
fn the_first_write_leaves_at_once_and_others_when_the_task_waits() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = pair().await;
        write_all(&mut stream, &["a", "b", "c"]).await;
        assert_eq!(arrived(&mut peer), "a");
        mauve::yield_now().await;
        assert_eq!(arrived(&mut peer), "bc");
        // A burst is expected now.
        write_all(&mut stream, &["d", "e"]).await;
        assert_eq!(arrived(&mut peer), "");
        mauve::yield_now().await;
        assert_eq!(arrived(&mut peer), "de");
        // After a single write it is not.
        write_all(&mut stream, &["f"]).await;
        mauve::yield_now().await;
        write_all(&mut stream, &["g"]).await;
        assert_eq!(arrived(&mut peer), "fg");
    });
}

#[test]
fn flushing_other_streams_options_and_dropping_send_corked_bytes() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, mut peer) = pair().await;
        let (mut other, _other_peer) = pair().await;
        write_all(&mut stream, &["a", "b"]).await;
        stream.flush().await.unwrap();
        assert_eq!(arrived(&mut peer), "ab");
        write_all(&mut stream, &["c", "d"]).await;
        other.write_all(b"!").await.unwrap();
        assert_eq!(arrived(&mut peer), "cd");
        write_all(&mut stream, &["e", "f"]).await;
        stream.set_nodelay(true).unwrap();
        assert_eq!(arrived(&mut peer), "ef");
        // Too large to be corked: it leaves behind what is.
        write_all(&mut stream, &["g", "h"]).await;
        stream.write_all(&[b'.'; 20_000]).await.unwrap();
        assert_eq!(arrived(&mut peer)[..4], *"gh..");
        let mut rest = vec![0; 20_000 - 998];
        peer.set_nonblocking(false).unwrap();
        peer.read_exact(&mut rest).unwrap();
        write_all(&mut stream, &["i", "j"]).await;
        drop(stream);
        assert_eq!(arrived(&mut peer), "ij");
        assert_eq!(peer.read(&mut [0]).unwrap(), 0);
    });
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[test]
fn closing_comes_after_corked_bytes() {
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
    assert_eq!(arrived(&mut peer), "abc");
}

#[test]
fn the_next_write_reports_once_that_corked_bytes_were_refused() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        write_all(&mut stream, &["known", "for", "it"]).await;
        mauve::yield_now().await;
        // Closed with unread bytes: the connection is reset.
        drop(peer);
        mauve::yield_now().await;
        write_all(&mut stream, &["a", "b"]).await;
        mauve::yield_now().await;
        let told = stream.write(b"c").await.unwrap_err();
        assert_eq!(told.kind(), ErrorKind::ConnectionReset);
        let told = async {
            stream.write_all(b"d").await?;
            stream.flush().await
        };
        assert_eq!(told.await.unwrap_err().kind(), ErrorKind::BrokenPipe);
    });
}

#[test]
fn a_writer_waits_behind_what_there_was_no_room_for() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        let written = write_too_much(&mut stream).await;
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
fn a_dropped_stream_writes_what_there_was_no_room_for() {
    let lp: Loop = Loop::new().unwrap();
    let (written, peer) = lp.block_on(async {
        let (mut stream, peer) = pair().await;
        (write_too_much(&mut stream).await, peer)
    });
    assert!(lp.alive(), "there is something left to be written");
    let reader = std::thread::spawn(move || read_to_end(peer));
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    assert!(reader.join().unwrap() == pattern(written));
    lp.close().unwrap();
}

#[test]
fn a_peer_that_vanishes_ends_a_dropped_stream() {
    let lp: Loop = Loop::new().unwrap();
    let peer = lp.block_on(async {
        let (mut stream, peer) = pair().await;
        write_too_much(&mut stream).await;
        peer
    });
    drop(peer);
    assert_eq!(lp.run(RunMode::Default), Ok(false));
    lp.close().unwrap();
}

#[test]
fn a_flush_reports_that_the_peer_is_gone() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        write_too_much(&mut stream).await;
        let resets = mauve::spawn(async move {
            mauve::sleep(Duration::from_millis(5)).await;
            drop(peer);
        });
        let told = stream.flush().await.unwrap_err();
        assert_eq!(told.kind(), ErrorKind::ConnectionReset);
        resets.await.unwrap();
    });
}

#[test]
fn a_hundred_answers_in_a_row_arrive_in_their_order() {
    let lp: Loop = Loop::new().unwrap();
    let all = lp.block_on(async {
        let (mut stream, peer) = pair().await;
        let reader = mauve::spawn_blocking(move || read_to_end(peer));
        let all = pattern(100_000);
        // Pieces of all sizes, corked or not, with and without a pause.
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
fn answers_to_a_batch_of_requests_arrive_before_the_next_batch() {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let (mut stream, peer) = pair().await;
        mauve::spawn(async move {
            let mut question = [0; 4];
            while stream.read_exact(&mut question).await.is_ok() {
                stream.write_all(&question).await?;
            }
            Result::Ok(())
        });
        let asks = mauve::spawn_blocking(move || {
            let mut peer = peer;
            for n in 0..200_u32 {
                std::io::Write::write_all(&mut peer, &pattern(16 * 4)).unwrap();
                let mut answers = [0; 64];
                peer.read_exact(&mut answers).unwrap();
                assert!(answers[..] == pattern(64)[..], "round {n}");
            }
        });
        asks.await.unwrap();
    });
}

fn read_to_end(mut peer: Peer) -> Vec<u8> {
    peer.set_nonblocking(false).unwrap();
    let mut all = Vec::new();
    peer.read_to_end(&mut all).unwrap();
    all
}
