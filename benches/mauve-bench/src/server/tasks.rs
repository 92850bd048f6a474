//! Servers on mauve's sockets for tasks.

use std::io::{ErrorKind, Result};
use std::net::SocketAddr;
use std::ops::Range;

use futures_lite::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream, UdpSocket, UnixListener};

use super::{BUFFER, Buffer, Service, any_port, ready};

crate::task_servers!(mauve::spawn);

/// Serves until it is killed.
pub fn serve(service: Service) -> Result<()> {
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        match service {
            Service::TcpEcho => listen(echo_tcp).await,
            Service::Reply => listen(reply).await,
            Service::Sink => listen(sink).await,
            Service::PipeEcho => listen_unix().await,
            Service::UdpEcho => echo_datagrams().await,
        }
    })
}

/// A waiting connection holds no buffer, as in the C programs.
async fn echo_tcp(mut peer: TcpStream) -> Result<()> {
    loop {
        peer.readable().await?;
        let mut buffer = Buffer::take();
        match peer.try_read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => peer.write_all(&buffer[..count]).await?,
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Answers the first datagram at once, and those that have arrived meanwhile with one call, as the servers
/// with callbacks do.
async fn echo_datagrams() -> Result<()> {
    let socket = UdpSocket::bind(any_port()).await?;
    ready(socket.local_addr()?);
    let mut buffer = vec![0; 2 * BUFFER];
    let mut received = Vec::new();
    loop {
        let (count, from) = socket.recv_from(&mut buffer).await?;
        socket.send_to(&buffer[..count], from).await?;
        let mut used = 0;
        // Each one has room for the largest datagram.
        while let Some(free) = buffer.get_mut(used..).filter(|free| free.len() >= BUFFER) {
            match socket.try_recv_from(free) {
                Ok((count, from)) => {
                    received.push((used..used + count, from));
                    used += count;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        let reply = |(range, to): (Range<usize>, SocketAddr)| (&buffer[range], to);
        let replies: Vec<_> = received.drain(..).map(reply).collect();
        let mut unsent = &replies[..];
        while !unsent.is_empty() {
            unsent = &unsent[socket.send_many(unsent).await?..];
        }
    }
}
