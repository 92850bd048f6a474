//! TCP handles with callbacks.

use mauve::{Errno, Loop, RunMode, Tcp, TcpBindFlags};

use crate::{any_port, closed_port, pattern};

#[derive(Default)]
struct Log {
    events: Vec<String>,
    bytes: Vec<u8>,
}

impl Log {
    fn note(&mut self, event: impl Into<String>) {
        self.events.push(event.into());
    }
}

/// A server that calls `with` for its first connection, then closes.
fn server(lp: &Loop<Log>, mut with: impl FnMut(&Tcp<Log>) + 'static) -> Tcp<Log> {
    let server = Tcp::new(lp);
    server.bind(any_port()).unwrap();
    server
        .listen(16, move |_, server, connection| {
            with(&connection.unwrap());
            server.close();
        })
        .unwrap();
    server
}

/// A client that calls `then` when it is connected.
fn client(lp: &Loop<Log>, server: &Tcp<Log>, then: impl FnOnce(&Tcp<Log>) + 'static) {
    let connected = |_: &mut Log, client: &Tcp<Log>, connected: mauve::Result<()>| {
        connected.unwrap();
        then(client);
    };
    Tcp::new(lp).connect(server.local_addr().unwrap(), connected).unwrap();
}

fn run(lp: Loop<Log>) -> Log {
    let mut log = Log::default();
    assert_eq!(lp.run_with(&mut log, RunMode::Default), Ok(false));
    lp.close().unwrap();
    log
}

#[test]
fn a_large_echo_is_complete() {
    const SIZE: usize = 8 << 20;
    let lp = Loop::<Log>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.read_start(|_, peer, data| match data.unwrap() {
            Some(bytes) => peer.write_with(bytes, |_, _, result| result.unwrap()).unwrap(),
            None => peer.close(),
        })
        .unwrap();
    });
    client(&lp, &server, |client| {
        client
            .write_with(pattern(SIZE), |log: &mut Log, _, result| {
                result.unwrap();
                log.note("written");
            })
            .unwrap();
        client
            .read_start(|log, client, data| {
                log.bytes.extend(data.unwrap().unwrap());
                if log.bytes.len() == SIZE {
                    client.close();
                }
            })
            .unwrap();
    });
    let log = run(lp);
    assert_eq!(log.events, ["written"]);
    assert!(log.bytes == pattern(SIZE));
}

#[test]
fn a_refused_connection_is_reported_to_the_callback() {
    let lp = Loop::<Log>::new().unwrap();
    let tcp = Tcp::new(&lp);
    tcp.connect(closed_port(), |log: &mut Log, tcp, result| {
        log.note(format!("{result:?}"));
        tcp.close();
    })
    .unwrap();
    tcp.write_with(b"never", |log, _, result| log.note(format!("{result:?}"))).unwrap();
    let log = run(lp);
    assert_eq!(log.events, ["Err(ECONNREFUSED)", "Err(ECANCELED)"]);
}

#[test]
fn listening_on_a_used_port_fails_with_eaddrinuse() {
    let lp = Loop::<Log>::new().unwrap();
    let used = std::net::TcpListener::bind(any_port()).unwrap();
    let tcp = Tcp::new(&lp);
    assert_eq!(tcp.bind(used.local_addr().unwrap()), Ok(()));
    assert_eq!(tcp.listen(1, |_, _, _| unreachable!()), Err(Errno::EADDRINUSE));
    tcp.close();
    run(lp);
}

#[test]
fn a_stream_closed_in_its_read_callback_is_not_read_again() {
    let lp = Loop::<Log>::new().unwrap();
    let server = server(&lp, |peer| {
        for _ in 0..3 {
            peer.write(pattern(200_000)).unwrap();
        }
        let stream = peer.clone();
        peer.read_start(move |_, _, _| stream.close()).unwrap();
    });
    client(&lp, &server, |client| {
        client
            .read_start(|log: &mut Log, client, data| {
                assert!(matches!(data, Ok(Some(_))));
                log.note("read");
                client.close();
            })
            .unwrap();
    });
    assert_eq!(run(lp).events, ["read"]);
}

#[test]
fn closing_cancels_queued_writes_in_order_then_the_shutdown() {
    let lp = Loop::<Log>::new().unwrap();
    let server = server(&lp, |peer| {
        // Never reads, and closes after a while.
        let peer = peer.clone();
        mauve::Timer::new(peer.event_loop())
            .once(std::time::Duration::from_millis(20), move |_, timer| {
                peer.close();
                timer.close();
            })
            .unwrap();
    });
    client(&lp, &server, |client| {
        // Fill the kernel's buffers until a write is queued.
        while client.write_queue_size() == 0 {
            client.write(pattern(1 << 20)).unwrap();
        }
        for number in 0..3 {
            client
                .write_with(pattern(1 << 20), move |log: &mut Log, _, result| {
                    log.note(format!("write {number} {result:?}"));
                })
                .unwrap();
        }
        assert!(client.write_queue_size() > 3 << 20);
        client.shutdown_with(|log, _, result| log.note(format!("shutdown {result:?}"))).unwrap();
        assert_eq!(client.shutdown_with(|_, _, _| unreachable!()), Err(Errno::ENOTCONN));
        client.close();
    });
    assert_eq!(
        run(lp).events,
        [
            "write 0 Err(ECANCELED)",
            "write 1 Err(ECANCELED)",
            "write 2 Err(ECANCELED)",
            "shutdown Err(ECANCELED)",
        ]
    );
}

#[test]
fn each_side_can_shut_down_separately() {
    let lp = Loop::<Log>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.read_start(|log: &mut Log, peer, data| match data.unwrap() {
            Some(bytes) => log.note(String::from_utf8_lossy(bytes)),
            None => {
                peer.write("after end of stream").unwrap();
                peer.shutdown_with(|_, peer, result| {
                    result.unwrap();
                    peer.close();
                })
                .unwrap();
            }
        })
        .unwrap();
    });
    client(&lp, &server, |client| {
        client.write_with("last message".to_owned(), |_, _, result| result.unwrap()).unwrap();
        client.shutdown_with(|_, _, result| result.unwrap()).unwrap();
        assert_eq!(client.write(b"more"), Err(Errno::EPIPE));
        client
            .read_start(|log, client, data| match data.unwrap() {
                Some(bytes) => log.note(String::from_utf8_lossy(bytes)),
                None => client.close(),
            })
            .unwrap();
    });
    assert_eq!(run(lp).events, ["last message", "after end of stream"]);
}

#[test]
fn open_takes_over_a_socket_of_the_standard_library() {
    let lp = Loop::<Log>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.write_with(*b"welcome", |_, _, result| result.unwrap()).unwrap();
        peer.shutdown().unwrap();
        peer.read_start(|_, peer, _| peer.close()).unwrap();
    });
    let socket = std::net::TcpStream::connect(server.local_addr().unwrap()).unwrap();
    let client = Tcp::new(&lp);
    client.open(socket.into()).unwrap();
    assert!(client.raw_descriptor().unwrap() > 2);
    let listener = server.clone();
    client
        .read_start(move |log: &mut Log, client, data| match data.unwrap() {
            Some(bytes) => log.bytes.extend(bytes),
            None => {
                client.close();
                listener.close();
            }
        })
        .unwrap();
    let mut log = Log::default();
    lp.run_with(&mut log, RunMode::Default).unwrap();
    assert_eq!(log.bytes, b"welcome");
}

#[test]
fn close_reset_resets_the_connection_and_runs_its_callback() {
    let lp = Loop::<Log>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.read_start(|log, peer, data| {
            log.note(format!("{:?}", data.unwrap_err()));
            peer.close();
        })
        .unwrap();
    });
    let client = Tcp::new(&lp);
    let listener = server.clone();
    client
        .connect(server.local_addr().unwrap(), move |_, client, connected| {
            connected.unwrap();
            client
                .close_reset_with(move |log: &mut Log| {
                    log.note("closed");
                    listener.close();
                })
                .unwrap();
            assert_eq!(client.close_reset_with(|_| panic!("twice")), Err(Errno::EINVAL));
        })
        .unwrap();
    let mut log = Log::default();
    lp.run_with(&mut log, RunMode::Default).unwrap();
    log.events.sort();
    assert_eq!(log.events, [format!("{:?}", Errno::ECONNRESET), "closed".to_owned()]);
}

#[test]
fn a_socket_of_the_standard_library_can_be_opened() {
    let lp: Loop = Loop::new().unwrap();
    let listener = std::net::TcpListener::bind(any_port()).unwrap();
    let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let stream = Tcp::new(&lp);
    stream.open(client.into()).unwrap();
    stream.write("hello").unwrap();
    stream.close();
    lp.run(RunMode::Default).unwrap();
    assert_eq!(std::io::read_to_string(listener.accept().unwrap().0).unwrap(), "hello");
}

#[test]
fn two_handles_listen_on_one_port_if_both_allow_it() {
    let lp: Loop = Loop::new().unwrap();
    let shared = TcpBindFlags { reuse_port: true, ..TcpBindFlags::default() };
    let (one, two, other) = (Tcp::new(&lp), Tcp::new(&lp), Tcp::new(&lp));
    one.bind_with(any_port(), shared).unwrap();
    one.listen(128, |_, _, _| {}).unwrap();
    two.bind_with(one.local_addr().unwrap(), shared).unwrap();
    two.listen(128, |_, _, _| {}).unwrap();
    let listened =
        other.bind(one.local_addr().unwrap()).and_then(|()| other.listen(1, |_, _, _| {}));
    assert_eq!(listened, Err(Errno::EADDRINUSE));
}
