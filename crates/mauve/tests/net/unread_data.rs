//! Data that a callback leaves unread is reported again, and none is missed.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_lite::AsyncReadExt as _;
use mauve::net::TcpListener;
use mauve::{Loop, RunMode, Tcp, Timer};

use crate::{any_port, pattern};

const MS: Duration = Duration::from_millis(1);
const SIZE: usize = 300_000;

/// A thread that writes all bytes at once, optionally shuts down its write side, and waits for its
/// peer to close.
fn writer(to: SocketAddr, bytes: Vec<u8>, shut_down: bool) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut stream = std::net::TcpStream::connect(to).unwrap();
        stream.write_all(&bytes).unwrap();
        if shut_down {
            stream.shutdown(Shutdown::Write).unwrap();
        }
        // An end of stream or a reset.
        let _ = stream.read(&mut [0]);
    })
}

/// A server for one connection, which it serves after a delay.
fn server(lp: &Loop<Vec<u8>>, serve: impl Fn(&Tcp<Vec<u8>>) + Clone + 'static) -> SocketAddr {
    let server = Tcp::new(lp);
    server.bind(any_port()).unwrap();
    server
        .listen(1, move |_, server, connection| {
            let (peer, serve) = (connection.unwrap(), serve.clone());
            let delay = Timer::new(server.event_loop());
            delay
                .once(20 * MS, move |_, delay| {
                    serve(&peer);
                    delay.close();
                })
                .unwrap();
            server.close();
        })
        .unwrap();
    server.local_addr().unwrap()
}

/// Runs the loop. Panics if it does not end within a time limit.
fn run(lp: &Loop<Vec<u8>>) -> Vec<u8> {
    let limit = Timer::new(lp);
    limit.once(Duration::from_secs(20), |bytes, _| panic!("stuck at {}", bytes.len())).unwrap();
    limit.unref();
    let mut bytes = Vec::new();
    lp.run_with(&mut bytes, RunMode::Default).unwrap();
    bytes
}

/// Reads once, and again after a pause.
fn read_with_pauses(peer: &Tcp<Vec<u8>>) {
    peer.read_start(|all: &mut Vec<u8>, peer, data| {
        all.extend(data.unwrap().unwrap());
        peer.read_stop();
        if all.len() == SIZE {
            return peer.close();
        }
        let (peer, pause) = (peer.clone(), Timer::new(peer.event_loop()));
        pause
            .once(MS, move |_, pause| {
                read_with_pauses(&peer);
                pause.close();
            })
            .unwrap();
    })
    .unwrap();
}

#[test]
fn reading_after_a_pause_gets_the_remaining_bytes() {
    let lp = Loop::new().unwrap();
    let peer = writer(server(&lp, read_with_pauses), pattern(SIZE), false);
    assert!(run(&lp) == pattern(SIZE));
    peer.join().unwrap();
}

#[test]
fn the_end_of_stream_is_reported_if_it_arrived_with_the_last_bytes() {
    let lp = Loop::new().unwrap();
    let serve = |peer: &Tcp<Vec<u8>>| {
        peer.read_start(|all: &mut Vec<u8>, peer, data| match data.unwrap() {
            Some(bytes) => all.extend(bytes),
            None => peer.close(),
        })
        .unwrap();
    };
    let peer = writer(server(&lp, serve), b"hello".to_vec(), true);
    assert_eq!(run(&lp), b"hello");
    peer.join().unwrap();
}

#[test]
fn a_task_that_pauses_reads_all_bytes_later_and_the_loop_does_not_spin() {
    for (bytes, capacity) in
        [(b"hello".to_vec(), 1), (b"hello".to_vec(), 100), (pattern(SIZE), 999)]
    {
        let lp: Loop = Loop::new().unwrap();
        let read_all = lp.timeout(Duration::from_secs(20), async {
            let listener = TcpListener::bind(any_port()).await.unwrap();
            let peer = writer(listener.local_addr().unwrap(), bytes.clone(), true);
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut all: Vec<u8> = Vec::new();
            let mut buffer = vec![0; capacity];
            // The first read registers the stream. Then the task sleeps.
            let count = stream.read(&mut buffer).await.unwrap();
            all.extend(&buffer[..count]);
            let before = lp.metrics().iterations;
            mauve::sleep(50 * MS).await;
            let after = lp.metrics().iterations;
            assert!(after - before < 25, "{} iterations of an idle loop", after - before);
            while let count @ 1.. = stream.read(&mut buffer).await.unwrap() {
                all.extend(&buffer[..count]);
            }
            drop(stream);
            (all, peer)
        });
        let (all, peer) = lp.block_on(read_all).expect("within the time limit");
        assert!(all == bytes);
        peer.join().unwrap();
    }
}
