//! An echo server on all cores, with async/await. Try it with `nc 127.0.0.1 7004`. Ctrl-C stops
//! accepting, and waits ten seconds for the open connections.
//!
//! `cargo run --release -p mauve --example cores`

use std::io;
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use mauve::net::TcpStream;
use mauve::signal::SignalKind;
use mauve::{Loop, RunMode, Signal};

fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7004".to_owned());
    let address = address.parse().map_err(io::Error::other)?;
    let cores = std::thread::available_parallelism()?.get();

    let lp: Loop = Loop::new()?;
    Signal::new(&lp)?.once(SignalKind::interrupt(), |_, signal, _| signal.close())?;

    let workers = mauve::workers(cores, async move |worker| {
        let listener = worker.listen(address)?;
        println!("worker {} listens on {}", worker.index(), listener.local_addr()?);
        worker.serve(listener, echo).await
    })?;
    lp.run(RunMode::Default)?;
    println!("shutting down");
    workers.shutdown(Duration::from_secs(10));
    workers.join()
}

/// Echoes bytes until the peer shuts down or is lost.
async fn echo(mut stream: TcpStream) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        if stream.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
}
