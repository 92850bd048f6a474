//! Connections that no task accepts: they stay queued in the kernel.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use mauve::net::{TcpListener, UnixListener};

use crate::any_port;

#[mauve::test]
async fn a_connection_that_no_task_waits_for_stays_queued() {
    for is_awaited in [false, true] {
        let listener = TcpListener::bind(any_port()).await.unwrap();
        let address = listener.local_addr().unwrap();
        if is_awaited {
            // The future is dropped before the connection arrives.
            let accepted = mauve::timeout(Duration::from_millis(1), listener.accept()).await;
            assert!(accepted.is_err());
        }
        let mut client = std::net::TcpStream::connect(address).unwrap();
        mauve::sleep(Duration::from_millis(5)).await;
        let listener = listener.into_std().unwrap();
        let (mut server, _) = listener.accept().expect("the loop has not taken it");
        client.write_all(b"hello").unwrap();
        server.set_nonblocking(false).unwrap();
        let mut bytes = [0; 5];
        server.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"hello");
    }
}

#[mauve::test]
async fn connections_of_a_listener_that_was_not_awaited_are_accepted_later() {
    let listener = TcpListener::bind(any_port()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let connect = || std::net::TcpStream::connect(address).unwrap();
    for count in [1, 3] {
        let clients: Vec<_> = (0..count).map(|_| connect()).collect();
        mauve::sleep(Duration::from_millis(2)).await;
        for client in clients {
            assert_eq!(listener.accept().await.unwrap().1, client.local_addr().unwrap());
        }
    }
    // Another process that shares the listener may be faster.
    let std = {
        let descriptor = std::os::fd::AsFd::as_fd(&listener).try_clone_to_owned().unwrap();
        std::net::TcpListener::from(descriptor)
    };
    let _first = connect();
    mauve::sleep(Duration::from_millis(2)).await;
    std.accept().unwrap();
    let limit = Duration::from_millis(5);
    assert!(mauve::timeout(limit, listener.accept()).await.is_err());
    let second = connect();
    assert_eq!(listener.accept().await.unwrap().1, second.local_addr().unwrap());
}

#[mauve::test]
async fn the_same_holds_for_unix_sockets() {
    let path = mauve::fs::create_temp_dir(std::env::temp_dir().join("queued-")).await.unwrap();
    let listener = UnixListener::bind(path.join("socket")).unwrap();
    let client = std::os::unix::net::UnixStream::connect(path.join("socket")).unwrap();
    mauve::sleep(Duration::from_millis(5)).await;
    let listener = listener.into_std().unwrap();
    let (server, _) = listener.accept().expect("the loop has not taken it");
    drop((client, server));
    mauve::fs::remove_dir_all(path).await.unwrap();
}
