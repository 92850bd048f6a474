//! Sockets that are always ready do not keep timers and other tasks from running.

use std::cell::Cell;
use std::io::{Read as _, Result, Write as _};
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _, future};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream, UdpSocket};

use crate::any_port;

const TICK: Duration = Duration::from_millis(5);
/// The test ends when the timer has fired this many times.
const TICKS: u32 = 20;
/// A loop that lets its timer fire only at the end of this time is starved.
const STARVED: Duration = Duration::from_secs(60);

/// Repeats `operation` until a timer has fired a few times.
async fn count_ticks(mut operation: impl AsyncFnMut() -> Result<()>) -> Result<()> {
    let ticks = Rc::new(Cell::new(0));
    let counter = ticks.clone();
    let timer = mauve::spawn(async move {
        while counter.get() < TICKS {
            mauve::sleep(TICK).await;
            counter.set(counter.get() + 1);
        }
    });
    let start = Instant::now();
    let starved = async {
        // A starved timer fails the test instead of hanging.
        while start.elapsed() < STARVED {
            operation().await?;
        }
        panic!("only {} ticks in {:?}", ticks.get(), start.elapsed());
    };
    future::or(async { timer.await.map_err(Into::into) }, starved).await
}

/// Sends zeros to `address` until the connection is closed.
fn flood(address: std::net::SocketAddr) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let mut peer = std::net::TcpStream::connect(address).unwrap();
        while peer.write_all(&[0; 1 << 16]).is_ok() {}
    })
}

fn timers_fire_while_a_peer_floods(size: usize) {
    let lp: Loop = Loop::new().unwrap();
    let peer = lp.block_on(async {
        let listener = TcpListener::bind(any_port()).await.unwrap();
        let peer = flood(listener.local_addr().unwrap());
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut buffer = vec![0; size];
        count_ticks(async || stream.read(&mut buffer).await.map(drop)).await.unwrap();
        peer
    });
    drop(lp);
    peer.join().unwrap();
}

#[test]
fn timers_fire_while_a_task_reads_16_bytes_at_a_time() {
    timers_fire_while_a_peer_floods(16);
}

#[test]
fn timers_fire_while_a_task_reads_512_bytes_at_a_time() {
    timers_fire_while_a_peer_floods(512);
}

#[test]
fn timers_fire_while_a_task_reads_64_kib_at_a_time() {
    timers_fire_while_a_peer_floods(1 << 16);
}

#[test]
fn timers_fire_while_a_task_writes() {
    let lp: Loop = Loop::new().unwrap();
    let peer = lp.block_on(async {
        let listener = TcpListener::bind(any_port()).await.unwrap();
        let address = listener.local_addr().unwrap();
        let peer = std::thread::spawn(move || {
            let mut peer = std::net::TcpStream::connect(address).unwrap();
            let mut buffer = vec![0; 1 << 20];
            while peer.read(&mut buffer).is_ok_and(|count| count > 0) {}
        });
        let (mut stream, _) = listener.accept().await.unwrap();
        count_ticks(async || stream.write_all(b"x").await).await.unwrap();
        peer
    });
    drop(lp);
    peer.join().unwrap();
}

#[mauve::test]
async fn timers_fire_while_a_task_sends_datagrams_to_itself() {
    let socket = UdpSocket::bind(any_port()).await.unwrap();
    let address = socket.local_addr().unwrap();
    count_ticks(async || {
        socket.send_to(b"x", address).await?;
        socket.recv_from(&mut [0; 8]).await.map(drop)
    })
    .await
    .unwrap();
}

#[mauve::test]
async fn timers_fire_while_a_task_only_checks_for_readability() {
    let listener = TcpListener::bind(any_port()).await.unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    client.write_all(b"unread").await.unwrap();
    count_ticks(async || stream.readable().await).await.unwrap();
}

#[mauve::test]
async fn a_task_yields_after_128_operations() {
    let listener = TcpListener::bind(any_port()).await.unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (mut stream, _) = listener.accept().await.unwrap();
    client.write_all(&[0; 1000]).await.unwrap();
    mauve::yield_now().await;
    let reads = Rc::new(Cell::new(0));
    let count = reads.clone();
    let reader = mauve::spawn(async move {
        for _ in 0..300 {
            stream.read_exact(&mut [0]).await.unwrap();
            count.set(count.get() + 1);
        }
    });
    let mut seen = Vec::new();
    while !reader.is_finished() {
        mauve::yield_now().await;
        seen.push(reads.get());
    }
    let largest = seen.windows(2).map(|pair| pair[1] - pair[0]).max();
    assert!(largest.is_some_and(|step| step <= 128), "{seen:?}");
    assert_eq!(reads.get(), 300);
}

#[mauve::test]
async fn timers_fire_while_a_task_awaits_futures_of_other_crates_that_are_ready() -> Result<()> {
    count_ticks(async || mauve::cooperative(std::future::ready(Ok(()))).await).await?;
    count_ticks(async || {
        mauve::consume_budget().await;
        Ok(())
    })
    .await
}
