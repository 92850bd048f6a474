//! Servers on mauve's sockets for tasks.

use std::io::{ErrorKind, Result};

use futures_lite::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream, UdpSocket, UnixListener};

use super::{Buffer, Service};

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
