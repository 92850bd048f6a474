//! Servers on tokio's runtime of one thread.

use std::io::Result;

use mauve_bench::server::{Buffer, MESSAGE, Service, anywhere, path, ready};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UdpSocket, UnixListener};
use tokio::runtime::Builder;

/// Serves until it is killed.
pub fn serve(service: Service) -> Result<()> {
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        match service {
            Service::TcpEcho => listen(echo).await,
            Service::Answer => listen(answer).await,
            Service::Sink => listen(sink).await,
            Service::PipeEcho => listen_locally().await,
            Service::UdpEcho => echo_datagrams().await,
        }
    })
}

async fn listen<F>(serve: fn(TcpStream) -> F) -> Result<()>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let listener = TcpListener::bind(anywhere()).await?;
    ready(listener.local_addr()?);
    loop {
        let (peer, _) = listener.accept().await?;
        peer.set_nodelay(true)?;
        tokio::spawn(serve(peer));
    }
}

/// With a buffer for each connection: to wait without one, by `readable` and `try_read`, takes up to
/// a system call more per message here.
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

async fn answer(mut peer: TcpStream) -> Result<()> {
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

async fn listen_locally() -> Result<()> {
    let listener = UnixListener::bind(path())?;
    ready(path().display());
    loop {
        tokio::spawn(echo(listener.accept().await?.0));
    }
}

async fn echo_datagrams() -> Result<()> {
    let socket = UdpSocket::bind(anywhere()).await?;
    ready(socket.local_addr()?);
    let mut buffer = Buffer::take();
    loop {
        let (count, from) = socket.recv_from(&mut buffer).await?;
        socket.send_to(&buffer[..count], from).await?;
    }
}
