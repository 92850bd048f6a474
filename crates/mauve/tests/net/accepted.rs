//! Connections that `listen` hands over: they are closed when nothing refers to them.

use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::rc::Rc;
use std::thread;

use mauve::net::TcpListener;
use mauve::{AnyHandle, Loop, RunMode, Tcp};

use crate::{any_port, pattern};

/// A handle in the state of the callbacks.
enum AnyKept {
    Handle(AnyHandle<Vec<AnyKept>>),
    Stream(#[expect(dead_code, reason = "it is only dropped")] Tcp<Vec<AnyKept>>),
}

/// Runs a loop that passes its first connection to `accept`, then closes its listener. Returns what a
/// client receives that sends `request` and then shuts down its write direction. The run ends only if
/// the connection is closed.
fn received(
    request: &'static str,
    mut accept: impl FnMut(&mut Vec<AnyKept>, Tcp<Vec<AnyKept>>) + 'static,
) -> Vec<u8> {
    let lp = Loop::<Vec<AnyKept>>::new().unwrap();
    let server = Tcp::new(&lp);
    server.bind(any_port()).unwrap();
    let address = server.local_addr().unwrap();
    server
        .listen(1, move |kept, server, connection| {
            accept(kept, connection.unwrap());
            server.close();
        })
        .unwrap();
    let client = thread::spawn(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut received = Vec::new();
        stream.read_to_end(&mut received).unwrap();
        received
    });
    lp.run_with(&mut Vec::new(), RunMode::Default).unwrap();
    assert!(lp.handles().is_empty(), "{:?}", lp.handles());
    lp.close().unwrap();
    client.join().unwrap()
}

#[test]
fn a_dropped_connection_is_closed() {
    assert_eq!(received("", |_, peer| drop(peer)), b"");
}

#[test]
fn a_connection_is_closed_after_its_writes() {
    let answer = || pattern(8 << 20);
    let sent = move |_: &mut Vec<AnyKept>, peer: Tcp<_>| peer.write(answer()).unwrap();
    assert!(received("", sent) == answer());
}

#[test]
fn a_connection_is_closed_after_its_shutdown() {
    let answered = received("", |_, peer| {
        peer.write("answer").unwrap();
        peer.shutdown_with(|_, _, result| result.unwrap()).unwrap();
    });
    assert_eq!(answered, b"answer");
}

#[test]
fn a_connection_is_open_until_its_read_callback_gets_the_end() {
    let echoed = received("request", |_, peer| {
        peer.read_start(|_, peer, data| match data.unwrap() {
            Some(bytes) => peer.write(bytes).unwrap(),
            None => peer.write(" and end").unwrap(),
        })
        .unwrap();
    });
    assert_eq!(echoed, b"request and end");
}

#[test]
fn a_connection_that_stops_reading_is_closed() {
    let answer = received("", |_, peer| {
        peer.read_start(|_, peer, _| {
            peer.write("stopped").unwrap();
            peer.read_stop();
        })
        .unwrap();
    });
    assert_eq!(answer, b"stopped");
}

#[test]
fn a_clone_of_the_read_callback_keeps_the_connection_open() {
    let answer = received("request", |_, peer| {
        peer.read_start(|_, peer, data| {
            if data.unwrap().is_none() {
                // The answer takes longer than the request.
                let peer = peer.clone();
                let timer = mauve::Timer::new(peer.event_loop());
                timer
                    .once(std::time::Duration::from_millis(5), move |_, timer| {
                        peer.write("late answer").unwrap();
                        timer.close();
                    })
                    .unwrap();
            }
        })
        .unwrap();
    });
    assert_eq!(answer, b"late answer");
}

#[test]
fn a_connection_may_read_again_after_the_end() {
    let answer = received("request", |_, peer| {
        peer.read_start(|_, peer, data| {
            if data.unwrap().is_none() {
                peer.read_start(|_, peer, data| {
                    assert_eq!(data, Ok(None));
                    peer.write("twice").unwrap();
                })
                .unwrap();
            }
        })
        .unwrap();
    });
    assert_eq!(answer, b"twice");
}

#[test]
fn a_connection_as_a_handle_of_any_kind_stays_open() {
    let answer = received("", |kept, peer| {
        kept.push(AnyKept::Stream(peer.clone()));
        kept.push(AnyKept::Handle(AnyHandle::from(peer.clone())));
        let timer = mauve::Timer::new(peer.event_loop());
        timer
            .once(std::time::Duration::from_millis(1), |kept, timer| {
                kept.retain(|kept| matches!(kept, AnyKept::Handle(_)));
                let Some(AnyKept::Handle(handle)) = kept.pop() else { unreachable!() };
                assert!(!handle.is_closing());
                handle.close();
                timer.close();
            })
            .unwrap();
    });
    assert_eq!(answer, b"");
}

#[test]
fn a_listener_that_is_closed_in_a_burst_reports_no_further_connection() {
    let lp = Loop::<usize>::new().unwrap();
    let server = Tcp::new(&lp);
    server.bind(any_port()).unwrap();
    server
        .listen(64, |count: &mut usize, server, connection| {
            connection.unwrap();
            *count += 1;
            if *count == 5 {
                server.close();
            }
        })
        .unwrap();
    let address = server.local_addr().unwrap();
    let _clients: Vec<_> = (0..20).map(|_| TcpStream::connect(address).unwrap()).collect();
    let mut count = 0;
    lp.run_with(&mut count, RunMode::Default).unwrap();
    assert_eq!(count, 5);
}

#[test]
fn a_burst_of_connections_is_accepted_by_callbacks_and_by_tasks() {
    const COUNT: usize = 50;
    let lp: Loop = Loop::new().unwrap();
    let accepted = Rc::new(Cell::new(0));
    let server = Tcp::new(&lp);
    server.bind(any_port()).unwrap();
    let count = accepted.clone();
    server
        .listen(64, move |(), server, connection| {
            connection.unwrap();
            count.set(count.get() + 1);
            if count.get() == COUNT {
                server.close();
            }
        })
        .unwrap();
    let peers = lp.block_on(async {
        let listener = TcpListener::bind(any_port()).await.unwrap();
        let addresses = [listener.local_addr().unwrap(), server.local_addr().unwrap()];
        let connect = |number: usize| TcpStream::connect(addresses[number % 2]).unwrap();
        let clients: Vec<_> = (0..2 * COUNT).map(connect).collect();
        let mut peers = Vec::new();
        for _ in 0..COUNT {
            peers.push(listener.accept().await.unwrap().1);
        }
        let mut expected: Vec<_> =
            clients.iter().step_by(2).map(|client| client.local_addr().unwrap()).collect();
        peers.sort();
        expected.sort();
        assert_eq!(peers, expected);
        peers.len()
    });
    lp.run(RunMode::Default).unwrap();
    assert_eq!((peers, accepted.get()), (COUNT, COUNT));
}
