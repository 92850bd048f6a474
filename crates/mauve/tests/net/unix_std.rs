//! Unix domain sockets and descriptors, and those of the standard library.

use std::io::{IoSlice, Read as _, Result, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::thread::{self, JoinHandle};

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::net::{AsyncFd, TcpListener, UdpSocket, UnixListener, UnixStream};
use mauve::{Errno, Loop, Pipe, RunMode};

use crate::{any_port, pair, pattern};

#[test]
fn a_dropped_pipe_is_closed_after_its_writes() {
    let folder = std::env::temp_dir().join(format!("mauve-accepted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("socket");
    let lp: Loop = Loop::new().unwrap();
    let server = Pipe::new(&lp);
    server.bind(&path).unwrap();
    server
        .listen(1, |(), server, connection| {
            connection.unwrap().write(pattern(1 << 20)).unwrap();
            server.close();
        })
        .unwrap();
    let socket = path.clone();
    let client: JoinHandle<Vec<u8>> = thread::spawn(move || {
        let mut received = Vec::new();
        std::os::unix::net::UnixStream::connect(socket)
            .unwrap()
            .read_to_end(&mut received)
            .unwrap();
        received
    });
    lp.run(RunMode::Default).unwrap();
    assert!(client.join().unwrap() == pattern(1 << 20));
    lp.close().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn unix_listeners_are_converted_from_and_to_the_standard_library() {
    let path = std::env::temp_dir().join(format!("mauve-std-{}", std::process::id()));
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let listener = UnixListener::bind(&path)?.into_std()?;
        let client = std::os::unix::net::UnixStream::connect(&path)?;
        drop(listener.accept()?);
        let listener = UnixListener::from_std(listener)?;
        let mut client = [client, std::os::unix::net::UnixStream::connect(&path)?];
        let (mut peer, _) = listener.accept().await?;
        client[1].write_all(b"x")?;
        peer.read_exact(&mut [0]).await?;
        drop(listener);
        assert!(path.exists(), "the path belongs to the program");
        std::fs::remove_file(&path)?;
        Result::Ok(())
    })
    .unwrap();
}

#[test]
fn a_borrowed_descriptor_is_open_as_long_as_its_socket() {
    let lp: Loop = Loop::new().unwrap();
    let (stream, listener, socket) = lp
        .block_on(async {
            let (stream, peer) = pair().await?;
            assert!(stream.as_raw_fd() >= 0);
            let local = std::net::TcpStream::from(stream.as_fd().try_clone_to_owned()?);
            assert_eq!(local.local_addr()?, stream.local_addr()?);
            drop(peer);
            let listener = TcpListener::bind(any_port()).await?;
            let socket = UdpSocket::bind(any_port()).await?;
            Result::Ok((stream, listener, socket))
        })
        .unwrap();
    let is_open = |fd: BorrowedFd<'_>| fd.try_clone_to_owned().is_ok();
    let fds = [stream.as_fd(), listener.as_fd(), socket.as_fd()];
    drop(lp);
    assert!(fds.into_iter().all(is_open));
    assert_eq!(stream.as_raw_fd(), -1, "the loop has closed its descriptor");
}

#[mauve::test]
async fn a_stream_whose_descriptor_was_borrowed_is_closed_when_it_is_dropped() -> Result<()> {
    let (stream, mut peer) = pair().await?;
    let _ = stream.as_fd();
    drop(stream);
    assert_eq!(peer.read(&mut [0]).await?, 0);
    Ok(())
}

#[mauve::test]
async fn a_unix_pair_is_connected_and_knows_its_peer() -> Result<()> {
    let (one, mut two) = UnixStream::pair()?;
    let (mut read, mut write) = one.into_split();
    write.write_all(b"hello").await?;
    let mut buffer = [0; 5];
    assert_eq!(two.peek(&mut buffer).await?, 5);
    two.read_exact(&mut buffer).await?;
    two.write_all(&buffer).await?;
    read.read_exact(&mut buffer).await?;
    assert_eq!(&buffer, b"hello");
    let slices = [IoSlice::new(b"hello "), IoSlice::new(b"world")];
    assert_eq!(two.try_write_vectored(&slices)?, 11);
    read.read_exact(&mut [0; 11]).await?;
    let peer = two.peer_cred()?;
    assert_eq!(peer.pid(), Some(std::process::id()));
    assert!(two.peer_addr()?.is_unnamed());
    drop(write);
    assert_eq!(two.read(&mut buffer).await?, 0);
    Ok(())
}
#[test]
fn unix_sockets_that_outlive_their_loop_return_einval() {
    let path = std::env::temp_dir().join(format!("mauve-outlive-{}", std::process::id()));
    // An earlier process with the same id may have left it.
    let _ = std::fs::remove_file(&path);
    let lp: Loop = Loop::new().unwrap();
    let sockets = lp.block_on(async {
        let listener = UnixListener::bind(&path)?;
        Result::Ok((listener, UnixStream::connect(&path).await?))
    });
    let (listener, mut stream) = sockets.unwrap();
    drop(lp);
    let other: Loop = Loop::new().unwrap();
    let is_einval = |error: std::io::Error| Errno::from(error) == Errno::EINVAL;
    other.block_on(async {
        assert!(is_einval(listener.accept().await.map(drop).unwrap_err()));
        assert!(is_einval(stream.read(&mut [0]).await.unwrap_err()));
        assert!(is_einval(stream.write(b"x").await.unwrap_err()));
    });
    drop((listener, stream));
    let _ = std::fs::remove_file(&path);
}

#[test]
fn a_descriptor_of_another_loop_on_the_thread_is_polled_without_waiting() {
    let lp: Loop = Loop::new().unwrap();
    let ours = std::os::unix::net::UnixStream::pair().unwrap().0;
    let fd = lp.block_on(async { AsyncFd::new(ours) }).unwrap();
    let other: Loop = Loop::new().unwrap();
    assert!(other.block_on(fd.writable()).is_ok());
}
