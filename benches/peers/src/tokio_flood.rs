//! The flooded sockets of tokio's tasks. The equivalent of `mauve_bench::flood::tasks`.

use std::io::Result;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mauve_bench::Sample;
use mauve_bench::flood::{ALL, Flood, Peer, Span, TICK};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UdpSocket};
use tokio::runtime::Builder;

mauve_bench::flooded_socket!();

/// Runs all measurements.
pub fn run() -> Result<Vec<Sample>> {
    ALL.into_iter().map(measure).collect()
}

/// Counts the ticks of a timer while another task is busy.
pub fn measure(flood: Flood) -> Result<Sample> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (sample, peer) = runtime.block_on(async {
        let socket = FloodedSocket::bind(flood).await?;
        let peer = Peer::start(flood, socket.address()?)?;
        let span = Span::begin();
        let ticks = Arc::new(AtomicUsize::new(0));
        let timer = tokio::spawn(tick(ticks.clone()));
        let to = peer.address();
        tokio::spawn(async move { socket.keep_busy(flood, to, span).await }).await??;
        timer.abort();
        Result::Ok((flood.sample(ticks.load(Ordering::Relaxed), span.elapsed()), peer))
    })?;
    drop((runtime, peer));
    Ok(sample)
}

async fn tick(ticks: Arc<AtomicUsize>) {
    loop {
        tokio::time::sleep(TICK).await;
        ticks.fetch_add(1, Ordering::Relaxed);
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

    /// Another process may disturb a comparison, so that up to four are made.
    #[test]
    fn a_timer_of_mauve_fires_at_least_as_often_as_one_of_tokio() {
        for flood in ALL {
            let mut ratios = Vec::new();
            while ratios.len() < 4 && ratios.last().is_none_or(|ratio| *ratio < 1.0) {
                ratios.push(compare(flood));
            }
            println!("{}: {ratios:.2?}", flood.title());
            assert!(ratios.last() >= Some(&1.0), "{}: {ratios:.2?}", flood.title());
        }
    }
}
