//! The flooded sockets of tokio's tasks. The equivalent of `mauve_bench::flood::tasks`.

use std::io::Result;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mauve_bench::Sample;
use mauve_bench::flood::{ALL, Flood, Peer, Span, TICK};
use mauve_bench::server::{BUFFER, any_port};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UdpSocket};
use tokio::runtime::Builder;

/// Runs all measurements.
pub fn run() -> Result<Vec<Sample>> {
    ALL.into_iter().map(measure).collect()
}

/// Counts the ticks of a timer while another task is busy.
pub fn measure(flood: Flood) -> Result<Sample> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (sample, peer) = runtime.block_on(async {
        let socket = Socket::bind(flood).await?;
        let peer = Peer::start(flood, socket.address()?)?;
        let span = Span::begin();
        let ticks = Arc::new(AtomicUsize::new(0));
        let counter = ticks.clone();
        let timer = tokio::spawn(async move {
            loop {
                tokio::time::sleep(TICK).await;
                counter.fetch_add(1, Ordering::Relaxed);
            }
        });
        let to = peer.address();
        tokio::spawn(async move { socket.keep_busy(flood, to, span).await }).await??;
        timer.abort();
        Result::Ok((flood.sample(ticks.load(Ordering::Relaxed), span.elapsed()), peer))
    })?;
    drop((runtime, peer));
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
                let mut buffer = vec![0; BUFFER];
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
    use mauve_bench::flood::tasks;

    use super::*;

    /// The median ratio of several measurements in turns. Above 1, mauve's timer fires more often.
    fn compare(flood: Flood) -> f64 {
        let ratio = |_| measure(flood).unwrap().cpu / tasks::measure(flood).unwrap().cpu;
        let mut ratios: Vec<f64> = (0..5).map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[2]
    }

    /// Another process may disturb a comparison, so the best of several counts.
    #[test]
    fn a_timer_of_mauve_fires_at_least_as_often_as_one_of_tokio() {
        for flood in ALL {
            let ratios: Vec<f64> = (0..4).map(|_| compare(flood)).collect();
            println!("{}: {ratios:.2?}", flood.title());
            assert!(ratios.iter().any(|ratio| *ratio >= 1.0), "{}: {ratios:.2?}", flood.title());
        }
    }
}
