//! `mauve::workers`: the time of a message with one loop, and with a loop on each of two cores.
//!
//! Each worker is its own client and server, so the loops share nothing but the kernel. The figure is
//! the elapsed time per message of all workers together.

use std::io::{ErrorKind, Result};
use std::sync::{Arc, Barrier};
use std::time::Instant;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::JoinSet;
use mauve::net::{TcpListener, TcpStream};

use crate::Sample;
use crate::server::{MESSAGE, any_port};

/// Connections of each worker.
pub const CONNECTIONS: usize = 16;
/// Messages of each connection.
pub const MESSAGES: usize = 5000;
/// Larger than a message, as in most programs. A read that does not fill its buffer has drained the
/// socket, so that no further read is attempted before the next event.
pub const BUFFER: usize = 4096;

crate::worker_tasks!();

pub(super) fn run() -> mauve::Result<Vec<Sample>> {
    let samples = [("workers, 1 loop", 1), ("workers, 2 loops", 2)];
    Ok(samples.into_iter().map(|(name, count)| measure(name, count)).collect::<Result<_>>()?)
}

fn measure(name: &str, count: usize) -> Result<Sample> {
    let start = Arc::new(Barrier::new(count + 1));
    let ready = start.clone();
    let workers = mauve::workers(count, async move |_| {
        let listener = TcpListener::bind(any_port()).await?;
        let mut pairs = Vec::new();
        for _ in 0..CONNECTIONS {
            let client = TcpStream::connect(listener.local_addr()?).await?;
            pairs.push((client, listener.accept().await?.0));
        }
        ready.wait();
        let mut tasks = JoinSet::new();
        for (client, server) in pairs {
            tasks.spawn(send(client));
            tasks.spawn(echo(server));
        }
        while let Some(result) = tasks.join_next().await {
            result??;
        }
        Ok(())
    })?;
    start.wait();
    let begin = Instant::now();
    workers.join()?;
    let elapsed = begin.elapsed();
    Ok(Sample::of(name, elapsed, elapsed, count * CONNECTIONS * MESSAGES))
}

/// Defines the tasks at both ends of a connection, for the sockets and traits in scope.
#[macro_export]
macro_rules! worker_tasks {
    () => {
        async fn send(mut stream: TcpStream) -> Result<()> {
            let mut buffer = [0; BUFFER];
            for _ in 0..MESSAGES {
                stream.write_all(&[b'm'; MESSAGE]).await?;
                let mut received = 0;
                while received < MESSAGE {
                    received += match stream.read(&mut buffer).await? {
                        0 => return Err(ErrorKind::UnexpectedEof.into()),
                        count => count,
                    };
                }
            }
            Ok(())
        }

        async fn echo(mut stream: TcpStream) -> Result<()> {
            let mut buffer = [0; BUFFER];
            loop {
                let count = stream.read(&mut buffer).await?;
                if count == 0 {
                    return Ok(());
                }
                stream.write_all(&buffer[..count]).await?;
            }
        }
    };
}
