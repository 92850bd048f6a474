//! The flooded sockets of mauve's tasks.

use std::cell::Cell;
use std::io::Result;
use std::rc::Rc;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::Loop;
use mauve::net::{TcpListener, UdpSocket};

use super::{ALL, Flood, Peer, Span, TICK};
use crate::Sample;

crate::flooded_socket!();

/// Runs all measurements.
pub fn run() -> Result<Vec<Sample>> {
    ALL.into_iter().map(measure).collect()
}

/// Counts the ticks of a timer while another task is busy.
pub fn measure(flood: Flood) -> Result<Sample> {
    let lp: Loop = Loop::new()?;
    let (sample, peer) = lp.block_on(async {
        let socket = FloodedSocket::bind(flood).await?;
        let peer = Peer::start(flood, socket.address()?)?;
        let span = Span::begin();
        let ticks = Rc::new(Cell::new(0));
        let timer = mauve::spawn(tick(ticks.clone()));
        let to = peer.address();
        mauve::spawn(async move { socket.keep_busy(flood, to, span).await }).await??;
        timer.abort();
        Result::Ok((flood.sample(ticks.get(), span.elapsed()), peer))
    })?;
    drop((lp, peer));
    Ok(sample)
}

async fn tick(ticks: Rc<Cell<usize>>) {
    loop {
        mauve::sleep(TICK).await;
        ticks.set(ticks.get() + 1);
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
