//! The flooded sockets of mauve's tasks.

use std::cell::Cell;
use std::io::Result;
use std::net::SocketAddr;
use std::rc::Rc;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::Loop;
use mauve::net::{TcpListener, UdpSocket};

use super::{ALL, Flood, Peer, Span, TICK};
use crate::Sample;
use crate::server::any_port;

/// Runs all measurements.
pub fn run() -> Result<Vec<Sample>> {
    ALL.into_iter().map(measure).collect()
}

/// Counts the ticks of a timer while another task is busy.
pub fn measure(flood: Flood) -> Result<Sample> {
    let lp: Loop = Loop::new()?;
    let (sample, peer) = lp.block_on(async {
        let socket = Socket::bind(flood).await?;
        let peer = Peer::start(flood, socket.address()?)?;
        let span = Span::begin();
        let ticks = Rc::new(Cell::new(0));
        let counter = ticks.clone();
        let timer = mauve::spawn(async move {
            loop {
                mauve::sleep(TICK).await;
                counter.set(counter.get() + 1);
            }
        });
        let to = peer.address();
        mauve::spawn(async move { socket.keep_busy(flood, to, span).await }).await??;
        timer.abort();
        Result::Ok((flood.sample(ticks.get(), span.elapsed()), peer))
    })?;
    drop((lp, peer));
    Ok(sample)
}

enum Socket {
    Tcp(TcpListener),
    Udp(UdpSocket),
}

impl Socket {
    async fn bind(flood: Flood) -> Result<Self> {
        Ok(match flood {
            Flood::Receive(_) | Flood::Send(_) => Self::Udp(UdpSocket::bind(any_port()).await?),
            _ => Self::Tcp(TcpListener::bind(any_port()).await?),
        })
    }

    fn address(&self) -> Result<SocketAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr(),
            Self::Udp(socket) => socket.local_addr(),
        }
    }

    async fn keep_busy(&self, flood: Flood, to: SocketAddr, span: Span) -> Result<()> {
        match (self, flood) {
            (Self::Tcp(listener), Flood::Read(size)) => {
                let (mut stream, mut buffer) = (listener.accept().await?.0, vec![0; size]);
                while !span.is_over() {
                    stream.read(&mut buffer).await?;
                }
            }
            (Self::Tcp(listener), Flood::Write(size)) => {
                let (mut stream, buffer) = (listener.accept().await?.0, vec![0; size]);
                while !span.is_over() {
                    stream.write_all(&buffer).await?;
                }
            }
            (Self::Tcp(listener), _) => {
                while !span.is_over() {
                    listener.accept().await?;
                }
            }
            (Self::Udp(socket), Flood::Send(size)) => {
                let buffer = vec![0; size];
                while !span.is_over() {
                    socket.send_to(&buffer, to).await?;
                }
            }
            (Self::Udp(socket), _) => {
                let mut buffer = vec![0; crate::server::BUFFER];
                while !span.is_over() {
                    socket.recv_from(&mut buffer).await?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flood_lets_the_timer_fire() {
        for sample in run().unwrap() {
            // A machine may be busy, but a timer that is starved does not fire twice.
            assert!(sample.cpu < 200e6, "{sample}");
        }
    }
}
