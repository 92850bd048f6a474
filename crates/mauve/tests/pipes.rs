//! Pipes with names, on every system.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use mauve::{Errno, Loop, Pipe, RunMode};

/// A name that no other test has.
fn name() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("mauve-test-{}-{count}", std::process::id());
    if cfg!(windows) { format!(r"\\.\pipe\{name}").into() } else { std::env::temp_dir().join(name) }
}

/// A server that echoes what its connections read.
fn echo(lp: &Loop, name: &PathBuf) -> Pipe {
    let server = Pipe::new(lp);
    server.bind(name).unwrap();
    server
        .listen(16, |_, _, connection| {
            let connection = connection.unwrap();
            let echo = connection.clone();
            connection
                .read_start(move |_, connection, data| match data.unwrap() {
                    Some(bytes) => echo.write(bytes.to_vec()).unwrap(),
                    None => connection.close(),
                })
                .unwrap();
        })
        .unwrap();
    server
}

#[test]
fn more_clients_than_a_server_waits_for_are_served() {
    const CLIENTS: usize = 12;
    let lp = Loop::new().unwrap();
    let name = name();
    let server = echo(&lp, &name);
    let served = Rc::new(Cell::new(0));
    for number in 0..CLIENTS {
        let (client, served, server) = (Pipe::new(&lp), Rc::clone(&served), server.clone());
        let text = format!("client {number}").into_bytes();
        client
            .connect(&name, move |_, client, connected| {
                connected.unwrap();
                client.write(text.clone()).unwrap();
                let received = RefCell::new(Vec::new());
                client
                    .read_start(move |_, client, data| {
                        received.borrow_mut().extend_from_slice(data.unwrap().unwrap());
                        if *received.borrow() == text {
                            client.close();
                            served.set(served.get() + 1);
                            if served.get() == CLIENTS {
                                server.close();
                            }
                        }
                    })
                    .unwrap();
            })
            .unwrap();
    }
    lp.run(RunMode::Default).unwrap();
    assert_eq!(served.get(), CLIENTS);
}

#[test]
fn a_name_without_a_server_does_not_exist() {
    let lp: Loop = Loop::new().unwrap();
    let result = Rc::new(Cell::new(None));
    let (client, reported) = (Pipe::new(&lp), Rc::clone(&result));
    client
        .connect(name(), move |_, client, connected| {
            reported.set(Some(connected));
            client.close();
        })
        .unwrap();
    assert_eq!(result.get(), None, "errors are reported by the loop");
    lp.run(RunMode::Default).unwrap();
    assert_eq!(result.get(), Some(Err(Errno::ENOENT)));
}

#[test]
fn a_pipe_is_bound_once_and_listens_only_if_it_is_bound() {
    let lp: Loop = Loop::new().unwrap();
    let (server, name) = (Pipe::new(&lp), name());
    assert_eq!(server.listen(1, |_, _, _| {}).err(), Some(Errno::EINVAL));
    server.bind(&name).unwrap();
    assert_eq!(server.bind(&name).err(), Some(Errno::EINVAL));
    assert_eq!(server.write("x").err(), Some(Errno::EPIPE));
    let other = Pipe::new(&lp);
    let missing = if cfg!(windows) { PathBuf::from("no-pipe") } else { "/missing/pipe".into() };
    assert_eq!(other.bind(missing).err(), Some(Errno::EACCES));
    server.close();
    other.close();
    lp.run(RunMode::Default).unwrap();
}

/// The server answers after the client has shut its side down, and both see the end.
#[test]
fn a_shutdown_is_followed_by_the_answer_and_the_end() {
    let lp = Loop::new().unwrap();
    let (server, name) = (Pipe::new(&lp), name());
    server.bind(&name).unwrap();
    server
        .listen(1, |_, server, connection| {
            let connection = connection.unwrap();
            connection
                .read_start(|_, connection, data| match data.unwrap() {
                    Some(bytes) => {
                        assert_eq!(bytes, b"request");
                        connection.write("answer").unwrap();
                    }
                    None => connection.close(),
                })
                .unwrap();
            server.close();
        })
        .unwrap();
    let client = Pipe::new(&lp);
    let answer = Rc::new(RefCell::new(Vec::new()));
    let received = Rc::clone(&answer);
    client
        .connect(&name, move |_, client, connected| {
            connected.unwrap();
            client.write("request").unwrap();
            client.shutdown().unwrap();
            client
                .read_start(move |_, client, data| match data.unwrap() {
                    Some(bytes) => received.borrow_mut().extend_from_slice(bytes),
                    None => client.close(),
                })
                .unwrap();
        })
        .unwrap();
    lp.run(RunMode::Default).unwrap();
    assert_eq!(*answer.borrow(), b"answer");
}

#[test]
fn a_pipe_that_waits_to_connect_is_closed() {
    let lp: Loop = Loop::new().unwrap();
    let (server, name) = (Pipe::new(&lp), name());
    server.bind(&name).unwrap();
    let result = Rc::new(Cell::new(None));
    for _ in 0..2 {
        // On Windows the first one takes the only instance of a server that does not listen yet.
        let (client, reported) = (Pipe::new(&lp), Rc::clone(&result));
        client.connect(&name, move |_, _, connected| reported.set(Some(connected))).unwrap();
        client.close();
    }
    server.close();
    lp.run(RunMode::Default).unwrap();
    assert!(matches!(result.get(), Some(Err(_))), "{result:?}");
}
