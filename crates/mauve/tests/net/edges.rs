//! The system tells once that something has arrived. Nothing of it may be forgotten.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_lite::AsyncReadExt as _;
use mauve::net::TcpListener;
use mauve::{Loop, RunMode, Tcp, Timer};

use crate::{anywhere, pattern};

const MS: Duration = Duration::from_millis(1);
const SIZE: usize = 300_000;

/// Somebody who writes everything at once, perhaps says that this was all, and waits for the other
/// side to close.
fn writer(to: SocketAddr, bytes: Vec<u8>, ends: bool) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut stream = std::net::TcpStream::connect(to).unwrap();
        stream.write_all(&bytes).unwrap();
        if ends {
            stream.shutdown(Shutdown::Write).unwrap();
        }
        // Whether that is an orderly end or a reset does not matter.
        let _ = stream.read(&mut [0]);
    })
}

/// A server for one connection, which is served after a while.
fn server(lp: &Loop<Vec<u8>>, serve: impl Fn(&Tcp<Vec<u8>>) + Clone + 'static) -> SocketAddr {
    let server = Tcp::new(lp);
    server.bind(anywhere()).unwrap();
    server
        .listen(1, move |_, server, connection| {
            let (peer, serve) = (connection.unwrap(), serve.clone());
            let soon = Timer::new(server.lp());
            soon.once(20 * MS, move |_, soon| {
                serve(&peer);
                soon.close();
            })
            .unwrap();
            server.close();
        })
        .unwrap();
    server.local_addr().unwrap()
}

/// Runs the loop; fails if it does not come to an end.
fn run(lp: &Loop<Vec<u8>>) -> Vec<u8> {
    let limit = Timer::new(lp);
    limit.once(Duration::from_secs(20), |bytes, _| panic!("stuck at {}", bytes.len())).unwrap();
    limit.unref();
    let mut bytes = Vec::new();
    lp.run_with(&mut bytes, RunMode::Default).unwrap();
    bytes
}

/// Reads one piece, and goes on after a pause.
fn read_a_piece(peer: &Tcp<Vec<u8>>) {
    peer.read_start(|all: &mut Vec<u8>, peer, data| {
        all.extend(data.unwrap().unwrap());
        peer.read_stop();
        if all.len() == SIZE {
            return peer.close();
        }
        let (peer, pause) = (peer.clone(), Timer::new(peer.lp()));
        pause
            .once(MS, move |_, pause| {
                read_a_piece(&peer);
                pause.close();
            })
            .unwrap();
    })
    .unwrap();
}

#[test]
fn reading_on_after_a_pause_finds_what_was_left() {
    let lp = Loop::new().unwrap();
    let peer = writer(server(&lp, read_a_piece), pattern(SIZE), false);
    assert!(run(&lp) == pattern(SIZE));
    peer.join().unwrap();
}

#[test]
fn the_end_is_heard_of_even_if_it_was_there_before_the_last_bytes_were_read() {
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
fn a_task_that_was_busy_finds_everything_later_and_the_loop_rests_meanwhile() {
    for (bytes, room) in [(b"hello".to_vec(), 1), (b"hello".to_vec(), 100), (pattern(SIZE), 999)] {
        let lp: Loop = Loop::new().unwrap();
        let everything = lp.timeout(Duration::from_secs(20), async {
            let listener = TcpListener::bind(anywhere()).unwrap();
            let peer = writer(listener.local_addr().unwrap(), bytes.clone(), true);
            let mut stream = listener.accept().await.unwrap();
            let mut all: Vec<u8> = Vec::new();
            let mut buffer = vec![0; room];
            // The first read has the stream watched; then there is something else to do.
            let count = stream.read(&mut buffer).await.unwrap();
            all.extend(&buffer[..count]);
            let before = lp.counters().iterations;
            mauve::sleep(50 * MS).await;
            let after = lp.counters().iterations;
            assert!(after - before < 25, "{} iterations of a loop at rest", after - before);
            while let count @ 1.. = stream.read(&mut buffer).await.unwrap() {
                all.extend(&buffer[..count]);
            }
            drop(stream);
            (all, peer)
        });
        let (all, peer) = lp.block_on(everything).expect("it came to an end");
        assert!(all == bytes);
        peer.join().unwrap();
    }
}
