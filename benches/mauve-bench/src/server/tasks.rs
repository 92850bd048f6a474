//! Servers on mauve's sockets for tasks.

use std::io::{ErrorKind, Result};

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream, UdpSocket, UnixListener, UnixStream};

use super::{Buffer, MESSAGE, Service, any_port, path, ready};

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

async fn listen<F>(serve: fn(TcpStream) -> F) -> Result<()>
where
    F: Future<Output = Result<()>> + 'static,
{
    let listener = TcpListener::bind(any_port()).await?;
    ready(listener.local_addr()?);
    loop {
        let (peer, _) = listener.accept().await?;
        peer.set_nodelay(true)?;
        mauve::spawn(serve(peer));
    }
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

async fn echo_unix(mut peer: UnixStream) -> Result<()> {
    let mut buffer = Buffer::take();
    loop {
        let count = peer.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        peer.write_all(&buffer[..count]).await?;
    }
}

/// Replies to each message with a separate write.
async fn reply(mut peer: TcpStream) -> Result<()> {
    let mut buffer = Buffer::take();
    let mut partial = 0;
    loop {
        let count = peer.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        partial += count;
        while partial >= MESSAGE {
            partial -= MESSAGE;
            peer.write_all(&[b'm'; MESSAGE]).await?;
        }
    }
}

async fn sink(mut peer: TcpStream) -> Result<()> {
    let mut buffer = Buffer::take();
    while peer.read(&mut buffer).await? > 0 {}
    Ok(())
}

async fn listen_unix() -> Result<()> {
    let listener = UnixListener::bind(path())?;
    ready(path().display());
    loop {
        mauve::spawn(echo_unix(listener.accept().await?.0));
    }
}

async fn echo_datagrams() -> Result<()> {
    let socket = UdpSocket::bind(any_port()).await?;
    ready(socket.local_addr()?);
    let mut buffer = Buffer::take();
    loop {
        let (count, from) = socket.recv_from(&mut buffer).await?;
        socket.send_to(&buffer[..count], from).await?;
    }
}
