//! Addresses and names, and the ways to accept.

use std::io::{ErrorKind, Result};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use futures_lite::{AsyncReadExt as _, StreamExt as _};
use mauve::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};

use crate::{any_port, closed_port};

/// Connects to the address and checks that the listener sees the connection.
async fn reaches(listener: &TcpListener, address: impl ToSocketAddrs) -> Result<()> {
    let stream = TcpStream::connect(address).await?;
    let (accepted, peer) = listener.accept().await?;
    assert_eq!(peer, stream.local_addr()?);
    assert_eq!(accepted.peer_addr()?, peer);
    assert_eq!(stream.peer_addr()?, listener.local_addr()?);
    Ok(())
}

#[mauve::test]
async fn addresses_of_all_kinds_are_resolved() -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let SocketAddr::V4(v4) = address else { panic!("an IPv4 address") };
    let port = address.port();
    reaches(&listener, address).await?;
    reaches(&listener, &address).await?;
    reaches(&listener, v4).await?;
    reaches(&listener, (IpAddr::V4(Ipv4Addr::LOCALHOST), port)).await?;
    reaches(&listener, ("127.0.0.1", port)).await?;
    reaches(&listener, ("localhost", port)).await?;
    reaches(&listener, ("localhost".to_owned(), port)).await?;
    reaches(&listener, &*format!("127.0.0.1:{port}")).await?;
    reaches(&listener, format!("localhost:{port}")).await?;
    reaches(&listener, &[address][..]).await
}

#[mauve::test]
async fn several_addresses_are_tried_in_turn() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    reaches(&listener, [closed_port(), listener.local_addr()?]).await?;
    let in_use = listener.local_addr()?;
    let second = TcpListener::bind([in_use, any_port()]).await?;
    assert_ne!(second.local_addr()?, in_use);
    let refused = TcpStream::connect([closed_port(), closed_port()]).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
    Ok(())
}

#[mauve::test]
async fn invalid_addresses_and_unknown_names_are_errors() {
    let none: &[SocketAddr] = &[];
    for error in [
        TcpStream::connect("localhost").await.map(drop).unwrap_err(),
        TcpStream::connect("localhost:http").await.map(drop).unwrap_err(),
        TcpStream::connect(none).await.map(drop).unwrap_err(),
        TcpListener::bind("1").await.map(drop).unwrap_err(),
        UdpSocket::bind("1").await.map(drop).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
    }
    assert!(TcpStream::connect("no such host.invalid:1").await.is_err());
}

#[mauve::test]
async fn a_udp_socket_connects_and_sends_by_name() -> Result<()> {
    let server = UdpSocket::bind("127.0.0.1:0").await?;
    let port = server.local_addr()?.port();
    let client = UdpSocket::bind("127.0.0.1:0").await?;
    client.send_to(b"one", ("127.0.0.1", port)).await?;
    client.connect(format!("127.0.0.1:{port}")).await?;
    client.send(b"two").await?;
    let mut buffer = [0; 8];
    assert_eq!(server.recv_from(&mut buffer).await?, (3, client.local_addr()?));
    assert_eq!(server.recv(&mut buffer).await?, 3);
    assert_eq!(&buffer[..3], b"two");
    Ok(())
}

#[mauve::test]
async fn incoming_yields_connections() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    let mut clients = Vec::new();
    for _ in 0..3 {
        clients.push(TcpStream::connect(listener.local_addr()?).await?);
    }
    let mut incoming = listener.incoming().take(3);
    for client in &clients {
        let stream = incoming.next().await.unwrap()?;
        assert_eq!(stream.peer_addr()?, client.local_addr()?);
    }
    Ok(())
}

#[mauve::test]
async fn accept_returns_the_peer_of_each_of_several_waiting_connections() -> Result<()> {
    let listeners = [TcpListener::bind(any_port()).await?, TcpListener::bind(any_port()).await?];
    let mut clients = Vec::new();
    for listener in &listeners {
        for _ in 0..3 {
            clients.push(TcpStream::connect(listener.local_addr()?).await?);
        }
    }
    // A connection of each listener was accepted by now, and waits to be taken.
    mauve::yield_now().await;
    for (number, client) in clients.iter().enumerate() {
        let (stream, peer) = listeners[number / 3].accept().await?;
        assert_eq!(peer, client.local_addr()?);
        assert_eq!(stream.peer_addr()?, peer);
    }
    Ok(())
}

#[mauve::test]
async fn accept_returns_the_peer_of_a_connection_that_was_reset() -> Result<()> {
    let listener = TcpListener::bind(any_port()).await?;
    let client = TcpStream::connect(listener.local_addr()?).await?;
    let address = client.local_addr()?;
    client.set_linger(Some(std::time::Duration::ZERO))?;
    drop(client);
    let (mut stream, peer) = listener.accept().await?;
    assert_eq!(peer, address);
    let read = stream.read(&mut [0]).await.unwrap_err();
    assert_eq!(read.kind(), ErrorKind::ConnectionReset);
    Ok(())
}
