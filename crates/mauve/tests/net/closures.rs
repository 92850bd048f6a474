//! Handles with closures.

use mauve::{Errno, Loop, RunMode, Tcp};

use crate::{anywhere, nowhere, pattern};

#[derive(Default)]
struct Story {
    events: Vec<String>,
    bytes: Vec<u8>,
}

impl Story {
    fn note(&mut self, event: impl Into<String>) {
        self.events.push(event.into());
    }
}

/// A server that hands every connection to `with`.
fn server(lp: &Loop<Story>, mut with: impl FnMut(&Tcp<Story>) + 'static) -> Tcp<Story> {
    let server = Tcp::new(lp);
    server.bind(anywhere()).unwrap();
    server
        .listen(16, move |_, server, connection| {
            with(&connection.unwrap());
            server.close();
        })
        .unwrap();
    server
}

/// A client that is handed to `then` when it is connected.
fn client(lp: &Loop<Story>, server: &Tcp<Story>, then: impl FnOnce(&Tcp<Story>) + 'static) {
    let client = Tcp::new(lp);
    let name = client.clone();
    client
        .connect(server.local_addr().unwrap(), move |_, connected| {
            connected.unwrap();
            then(&name);
        })
        .unwrap();
}

fn run(lp: Loop<Story>) -> Story {
    let mut story = Story::default();
    assert_eq!(lp.run_with(&mut story, RunMode::Default), Ok(false));
    lp.close().unwrap();
    story
}

#[test]
fn an_echo_of_large_data_comes_back_whole() {
    const SIZE: usize = 8 << 20;
    let lp = Loop::<Story>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.read_start(|_, peer, data| match data.unwrap() {
            Some(bytes) => peer.write(bytes, |_, result| result.unwrap()).unwrap(),
            None => peer.close(),
        })
        .unwrap();
    });
    client(&lp, &server, |client| {
        client
            .write(pattern(SIZE), |story: &mut Story, result| {
                result.unwrap();
                story.note("written");
            })
            .unwrap();
        client
            .read_start(|story, client, data| {
                story.bytes.extend(data.unwrap().unwrap());
                if story.bytes.len() == SIZE {
                    client.close();
                }
            })
            .unwrap();
    });
    let story = run(lp);
    assert_eq!(story.events, ["written"]);
    assert!(story.bytes == pattern(SIZE));
}

#[test]
fn a_refused_connection_is_an_error_of_the_callback() {
    let lp = Loop::<Story>::new().unwrap();
    let tcp = Tcp::new(&lp);
    let name = tcp.clone();
    tcp.connect(nowhere(), move |story: &mut Story, result| {
        story.note(format!("{result:?}"));
        name.close();
    })
    .unwrap();
    tcp.write(*b"never", |story, result| story.note(format!("{result:?}"))).unwrap();
    let story = run(lp);
    assert_eq!(story.events, ["Err(ECONNREFUSED)", "Err(ECANCELED)"]);
}

#[test]
fn a_used_port_is_an_error_of_listening() {
    let lp = Loop::<Story>::new().unwrap();
    let taken = std::net::TcpListener::bind(anywhere()).unwrap();
    let tcp = Tcp::new(&lp);
    assert_eq!(tcp.bind(taken.local_addr().unwrap()), Ok(()));
    assert_eq!(tcp.listen(1, |_, _, _| unreachable!()), Err(Errno::EADDRINUSE));
    tcp.close();
    run(lp);
}

#[test]
fn closing_a_stream_inside_its_read_callback_tells_no_more_of_it() {
    let lp = Loop::<Story>::new().unwrap();
    let server = server(&lp, |peer| {
        for _ in 0..3 {
            peer.write(pattern(200_000), |_, _| {}).unwrap();
        }
        let name = peer.clone();
        peer.read_start(move |_, _, _| name.close()).unwrap();
    });
    client(&lp, &server, |client| {
        client
            .read_start(|story: &mut Story, client, data| {
                assert!(matches!(data, Ok(Some(_))));
                story.note("read");
                client.close();
            })
            .unwrap();
    });
    assert_eq!(run(lp).events, ["read"]);
}

#[test]
fn closing_cancels_queued_writes_in_order_and_then_the_shutdown() {
    let lp = Loop::<Story>::new().unwrap();
    let server = server(&lp, |peer| {
        // Reads nothing, and goes when the other does.
        let peer = peer.clone();
        mauve::Timer::new(peer.lp())
            .once(std::time::Duration::from_millis(20), move |_, timer| {
                peer.close();
                timer.close();
            })
            .unwrap();
    });
    client(&lp, &server, |client| {
        // However much the system takes: at last something waits.
        while client.write_queue_size() == 0 {
            client.write(pattern(1 << 20), |_, _| {}).unwrap();
        }
        for number in 0..3 {
            client
                .write(pattern(1 << 20), move |story: &mut Story, result| {
                    story.note(format!("write {number} {result:?}"));
                })
                .unwrap();
        }
        assert!(client.write_queue_size() > 3 << 20);
        client.shutdown(|story, result| story.note(format!("shutdown {result:?}"))).unwrap();
        assert_eq!(client.shutdown(|_, _| unreachable!()), Err(Errno::ENOTCONN));
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
fn each_side_may_end_its_half_at_its_own_time() {
    let lp = Loop::<Story>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.read_start(|story: &mut Story, peer, data| match data.unwrap() {
            Some(bytes) => story.note(String::from_utf8_lossy(bytes)),
            None => {
                peer.write(*b"after your end", |_, result| result.unwrap()).unwrap();
                let name = peer.clone();
                peer.shutdown(move |_, result| {
                    result.unwrap();
                    name.close();
                })
                .unwrap();
            }
        })
        .unwrap();
    });
    client(&lp, &server, |client| {
        client.write(*b"last words", |_, result| result.unwrap()).unwrap();
        client.shutdown(|_, result| result.unwrap()).unwrap();
        assert_eq!(client.write(*b"more", |_, _| {}), Err(Errno::EPIPE));
        client
            .read_start(|story, client, data| match data.unwrap() {
                Some(bytes) => story.note(String::from_utf8_lossy(bytes)),
                None => client.close(),
            })
            .unwrap();
    });
    assert_eq!(run(lp).events, ["last words", "after your end"]);
}

#[test]
fn a_socket_of_the_standard_library_can_be_taken_over() {
    let lp = Loop::<Story>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.write(*b"welcome", |_, result| result.unwrap()).unwrap();
        peer.shutdown(|_, _| {}).unwrap();
        peer.read_start(|_, peer, _| peer.close()).unwrap();
    });
    let socket = std::net::TcpStream::connect(server.local_addr().unwrap()).unwrap();
    let client = Tcp::new(&lp);
    client.open(socket.into()).unwrap();
    assert!(client.descriptor().unwrap() > 2);
    let main = server.clone();
    client
        .read_start(move |story: &mut Story, client, data| match data.unwrap() {
            Some(bytes) => story.bytes.extend(bytes),
            None => {
                client.close();
                main.close();
            }
        })
        .unwrap();
    let mut story = Story::default();
    lp.run_with(&mut story, RunMode::Default).unwrap();
    assert_eq!(story.bytes, b"welcome");
}

#[test]
fn a_reset_is_told_to_the_peer_and_its_end_to_the_caller() {
    let lp = Loop::<Story>::new().unwrap();
    let server = server(&lp, |peer| {
        peer.read_start(|story, peer, data| {
            story.note(format!("{:?}", data.unwrap_err()));
            peer.close();
        })
        .unwrap();
    });
    let client = Tcp::new(&lp);
    let (name, main) = (client.clone(), server.clone());
    client
        .connect(server.local_addr().unwrap(), move |_, connected| {
            connected.unwrap();
            name.close_reset_with(move |story: &mut Story| {
                story.note("closed");
                main.close();
            })
            .unwrap();
            assert_eq!(name.close_reset_with(|_| panic!("twice")), Err(Errno::EINVAL));
        })
        .unwrap();
    let mut story = Story::default();
    lp.run_with(&mut story, RunMode::Default).unwrap();
    story.events.sort();
    assert_eq!(story.events, [format!("{:?}", Errno::ECONNRESET), "closed".to_owned()]);
}
