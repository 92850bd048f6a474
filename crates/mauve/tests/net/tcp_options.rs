//! Options of TCP sockets, halves of streams, and sockets of the standard library.

use std::io::{ErrorKind, Read as _, Result, Write as _};
use std::net::Shutdown;
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _, future};
use mauve::net::{TcpListener, TcpSocket, TcpStream, UdpSocket};

use crate::{any_port, pair, pattern};

#[mauve::test]
async fn a_tcp_socket_keeps_its_options() -> Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.set_keepalive(Some(Duration::from_secs(30)))?;
    socket.set_nodelay(true)?;
    socket.set_linger(Some(Duration::from_secs(3)))?;
    socket.set_send_buffer_size(32 << 10)?;
    socket.set_recv_buffer_size(32 << 10)?;
    assert!(socket.reuseaddr()? && socket.reuseport()? && socket.keepalive()?);
    assert!(socket.nodelay()?);
    assert_eq!(socket.linger()?, Some(Duration::from_secs(3)));
    assert!(socket.send_buffer_size()? >= 32 << 10);
    assert!(socket.recv_buffer_size()? >= 32 << 10);
    socket.set_linger(None)?;
    let listener = TcpListener::bind(any_port()).await?;
    let stream = socket.connect(listener.local_addr()?).await?;
    assert!(stream.nodelay()?);
    assert_eq!(stream.linger()?, None);
    assert!(stream.take_error()?.is_none());
    listener.set_ttl(42)?;
    stream.set_ttl(43)?;
    assert_eq!((listener.ttl()?, stream.ttl()?), (42, 43));
    assert!(TcpSocket::new_v6().is_ok_and(|socket| socket.set_only_v6(true).is_ok()));
    Ok(())
}

#[mauve::test]
async fn two_listeners_share_a_port() -> Result<()> {
    let listen = |address| {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseport(true)?;
        socket.bind(address)?;
        socket.listen(16)
    };
    let first = listen(any_port())?;
    let second = listen(first.local_addr()?)?;
    let client = TcpStream::connect(first.local_addr()?).await?;
    let (_, peer) = future::race(first.accept(), second.accept()).await?;
    assert_eq!(peer, client.local_addr()?);
    Ok(())
}

#[mauve::test]
async fn peeked_bytes_stay_in_the_stream() -> Result<()> {
    let (mut client, mut peer) = pair().await?;
    let mut buffer = [0; 8];
    let write = async { client.write_all(b"hello").await };
    let (count, ()) = future::try_zip(peer.peek(&mut buffer), write).await?;
    assert!(count > 0);
    peer.read_exact(&mut buffer[..5]).await?;
    assert_eq!(&buffer[..5], b"hello");
    drop(client);
    assert_eq!(peer.peek(&mut buffer).await?, 0);
    Ok(())
}

#[mauve::test]
async fn writable_waits_until_the_peer_reads() -> Result<()> {
    let (client, mut peer) = pair().await?;
    let chunk = vec![0; 1 << 16];
    let mut filled = 0;
    loop {
        client.writable().await?;
        match client.try_write(&chunk) {
            Ok(written) => filled += written,
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
        // The kernel moves bytes to the peer meanwhile: the stream is full at some point.
        if future::poll_once(client.writable()).await.is_none() {
            break;
        }
    }
    let read = async { peer.read_exact(&mut vec![0; filled]).await };
    future::try_zip(client.writable(), read).await?;
    assert_eq!(client.try_write(b"x")?, 1);
    Ok(())
}

#[mauve::test]
async fn shutdown_ends_one_direction() -> Result<()> {
    let (mut client, mut peer) = pair().await?;
    client.shutdown(Shutdown::Write)?;
    assert_eq!(peer.read(&mut [0]).await?, 0);
    peer.write_all(b"x").await?;
    assert_eq!(client.read(&mut [0]).await?, 1);
    assert!(client.write(b"x").await.is_err());
    Ok(())
}

#[mauve::test]
async fn halves_are_used_by_different_tasks_and_reunited() -> Result<()> {
    const SIZE: usize = 4 << 20;
    let (client, peer) = pair().await?;
    mauve::spawn(async move {
        let (mut from, mut to) = (&peer, &peer);
        futures_lite::io::copy(&mut from, &mut to).await?;
        to.close().await
    });
    let (mut read, mut write) = client.into_split();
    let writer = mauve::spawn(async move {
        write.write_all(&pattern(SIZE)).await?;
        Result::Ok(write)
    });
    let mut back = vec![0; SIZE];
    read.read_exact(&mut back).await?;
    assert!(back == pattern(SIZE));
    let write = writer.await.unwrap()?;
    let (other, _peer) = pair().await?;
    let (other_read, other_write) = other.into_split();
    let error = read.reunite(other_write).unwrap_err();
    let mut stream = error.0.reunite(write).expect("halves of one stream");
    drop((error.1, other_read));
    let (mut read, mut write) = stream.split();
    write.write_all(b"x").await?;
    read.read_exact(&mut [0]).await?;
    // Dropping the write half shuts the direction down.
    let (mut read, write) = stream.into_split();
    drop(write);
    assert_eq!(read.read(&mut [0]).await?, 0);
    Ok(())
}

#[mauve::test]
async fn sockets_are_converted_from_and_to_the_standard_library() -> Result<()> {
    let listener = TcpListener::from_std(std::net::TcpListener::bind(any_port())?)?;
    let mut client = std::net::TcpStream::connect(listener.local_addr()?)?;
    let (mut peer, _) = listener.accept().await?;
    client.write_all(b"a")?;
    peer.read_exact(&mut [0]).await?;
    // Both sides change between the loop and the standard library.
    let mut peer = peer.into_std()?;
    peer.set_nonblocking(false)?;
    let mut client = TcpStream::from_std(client)?;
    peer.write_all(b"b")?;
    client.read_exact(&mut [0]).await?;
    client.write_all(b"c").await?;
    peer.read_exact(&mut [0])?;
    drop(listener.into_std()?);
    Ok(())
}

#[mauve::test]
async fn datagram_sockets_are_converted_from_and_to_the_standard_library() -> Result<()> {
    let socket = UdpSocket::from_std(std::net::UdpSocket::bind(any_port())?)?;
    let peer = UdpSocket::bind(any_port()).await?;
    peer.connect(socket.local_addr()?).await?;
    peer.send(b"a").await?;
    let (_, from) = socket.recv_from(&mut [0]).await?;
    assert_eq!(from, peer.local_addr()?);
    let peer = peer.into_std()?;
    peer.set_nonblocking(false)?;
    socket.send_to(b"b", from).await?;
    assert_eq!(peer.recv(&mut [0])?, 1);
    // A connected socket stays connected.
    let peer = UdpSocket::from_std(peer)?;
    peer.send(b"c").await?;
    assert_eq!(socket.recv(&mut [0]).await?, 1);
    Ok(())
}
