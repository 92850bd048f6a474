//! tokio's multi-thread runtime, with as many threads as `mauve::workers` has loops. The equivalent of the
//! group `workers` of `mauve-bench`.

use std::io::{ErrorKind, Result};
use std::time::Instant;

use mauve_bench::Sample;
use mauve_bench::server::{MESSAGE, any_port};
use mauve_bench::work::workers::{BUFFER, CONNECTIONS, MESSAGES};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::task::JoinSet;

mauve_bench::worker_tasks!();

/// Runs all measurements.
pub fn run() -> Result<Vec<Sample>> {
    [("workers, 1 loop", 1), ("workers, 2 loops", 2)]
        .into_iter()
        .map(|(name, count)| measure(name, count))
        .collect()
}

fn measure(name: &str, count: usize) -> Result<Sample> {
    let runtime = Builder::new_multi_thread().worker_threads(count).enable_all().build()?;
    // A task, so that only the threads of the runtime work.
    let elapsed = runtime.block_on(async { tokio::spawn(exchange(count)).await? })?;
    Ok(Sample::of(name, elapsed, elapsed, count * CONNECTIONS * MESSAGES))
}

async fn exchange(count: usize) -> Result<std::time::Duration> {
    let listener = TcpListener::bind(any_port()).await?;
    let mut pairs = Vec::new();
    for _ in 0..count * CONNECTIONS {
        let client = TcpStream::connect(listener.local_addr()?).await?;
        pairs.push((client, listener.accept().await?.0));
    }
    let begin = Instant::now();
    let mut tasks = JoinSet::new();
    for (client, server) in pairs {
        tasks.spawn(send(client));
        tasks.spawn(echo(server));
    }
    while let Some(result) = tasks.join_next().await {
        result??;
    }
    Ok(begin.elapsed())
}
