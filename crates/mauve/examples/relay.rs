//! A TCP relay with async/await: connections to the first address are relayed to the second.
//!
//! `cargo run -p mauve --example relay -- 127.0.0.1:7002 127.0.0.1:7000`

use std::io::Result;

use futures_lite::{AsyncWriteExt, future, io};
use mauve::net::{TcpListener, TcpStream};

#[mauve::main]
async fn main() -> Result<()> {
    let addresses: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &addresses[..] else {
        eprintln!("usage: relay FROM TO, for example 127.0.0.1:7002 localhost:7000");
        std::process::exit(2);
    };
    let listener = TcpListener::bind(from).await?;
    println!("{} -> {to}", listener.local_addr()?);
    loop {
        let (client, _) = listener.accept().await?;
        let to = to.clone();
        mauve::spawn(async move {
            if let Err(error) = relay(client, to).await {
                eprintln!("connection lost: {error}");
            }
        });
    }
}

/// Relays bytes in both directions until both sides have shut down.
async fn relay(client: TcpStream, to: String) -> Result<()> {
    let server = TcpStream::connect(to).await?;
    future::try_zip(copy(&client, &server), copy(&server, &client)).await?;
    Ok(())
}

async fn copy(from: &TcpStream, mut to: &TcpStream) -> Result<()> {
    io::copy(from, &mut to).await?;
    to.close().await
}
