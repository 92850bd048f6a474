//! Servers on tokio's current-thread runtime.

use std::io::Result;

use mauve_bench::server::{Buffer, MESSAGE, Service, any_port, path, ready};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UdpSocket, UnixListener};
use tokio::runtime::Builder;

/// Serves until it is killed.
pub fn serve(service: Service) -> Result<()> {
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        match service {
            Service::TcpEcho => listen(echo).await,
            Service::Reply => listen(reply).await,
            Service::Sink => listen(sink).await,
            Service::PipeEcho => listen_unix().await,
            Service::UdpEcho => echo_datagrams().await,
        }
    })
}

async fn listen<F>(serve: fn(TcpStream) -> F) -> Result<()>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind(any_port()).await?;
    ready(listener.local_addr()?);
    loop {
        let (peer, _) = listener.accept().await?;
        peer.set_nodelay(true)?;
        tokio::spawn(serve(peer));
    }
}

/// Each connection holds a buffer. With tokio, `readable` and `try_read` need up to one more system
/// call per message.
async fn echo(mut peer: impl AsyncRead + AsyncWrite + Unpin) -> Result<()> {
    let mut buffer = Buffer::take();
    loop {
        let count = peer.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        peer.write_all(&buffer[..count]).await?;
    }
}

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
        tokio::spawn(echo(listener.accept().await?.0));
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
