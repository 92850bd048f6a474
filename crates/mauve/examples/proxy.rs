//! A TCP proxy with async/await: connections to the first address are relayed to the second.
//!
//! `cargo run -p mauve --example proxy -- 127.0.0.1:7002 127.0.0.1:7000`

use std::io::Result;
use std::net::SocketAddr;

use futures_lite::{AsyncReadExt, AsyncWriteExt, future, io};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream};

fn main() -> Result<()> {
    let addresses: Vec<SocketAddr> =
        std::env::args().skip(1).filter_map(|address| address.parse().ok()).collect();
    let [from, to] = addresses[..] else {
        eprintln!("usage: proxy FROM TO, for example 127.0.0.1:7002 127.0.0.1:7000");
        std::process::exit(2);
    };
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        let listener = TcpListener::bind(from)?;
        println!("{from} -> {to}");
        loop {
            let client = listener.accept().await?;
            mauve::spawn(async move {
                if let Err(error) = relay(client, to).await {
                    eprintln!("connection lost: {error}");
                }
            });
        }
    })
}

/// Relays bytes in both directions until both sides have shut down.
async fn relay(client: TcpStream, to: SocketAddr) -> Result<()> {
    let server = TcpStream::connect(to).await?;
    let (from_client, to_client) = io::split(client);
    let (from_server, to_server) = io::split(server);
    future::try_zip(copy(from_client, to_server), copy(from_server, to_client)).await?;
    Ok(())
}

async fn copy(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
) -> Result<()> {
    io::copy(&mut from, &mut to).await?;
    to.close().await
}
