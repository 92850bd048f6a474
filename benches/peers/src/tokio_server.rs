//! Servers on tokio's current-thread runtime.

use std::io::Result;

use mauve_bench::server::{Buffer, Service, any_port, ready};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UdpSocket, UnixListener};
use tokio::runtime::Builder;

mauve_bench::task_servers!(tokio::spawn, Send);

/// Serves until it is killed. With tokio, `readable` and `try_read` need up to one more system call per
/// message, so a waiting connection holds a buffer.
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

/// tokio has no call that sends several datagrams.
async fn echo_datagrams() -> Result<()> {
    let socket = UdpSocket::bind(any_port()).await?;
    ready(socket.local_addr()?);
    let mut buffer = Buffer::take();
    loop {
        let (count, from) = socket.recv_from(&mut buffer).await?;
        socket.send_to(&buffer[..count], from).await?;
    }
}
