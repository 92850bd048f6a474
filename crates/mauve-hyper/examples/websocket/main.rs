//! A WebSocket server that echoes messages: tungstenite on mauve's loop. Try it in the console of a
//! browser: `s = new WebSocket("ws://127.0.0.1:7007"); s.onmessage = console.log; s.send("hello")`.
//!
//! `cargo run -p mauve-hyper --example websocket`

mod server;

use std::io;

use mauve::net::TcpListener;

#[mauve::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7007".to_owned());
    let listener = TcpListener::bind(address).await?;
    println!("listening on ws://{}/", listener.local_addr()?);
    server::serve(listener).await
}
