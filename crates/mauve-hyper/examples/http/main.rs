//! An HTTP server: hyper on mauve's loop, HTTP/1 and HTTP/2 on one port. Try it with
//! `curl http://127.0.0.1:7003/` and `curl --http2-prior-knowledge http://127.0.0.1:7003/`.
//!
//! `cargo run -p mauve-hyper --example http`

mod server;

use std::io;

use mauve::net::TcpListener;

#[mauve::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7003".to_owned());
    let listener = TcpListener::bind(address).await?;
    println!("listening on http://{}/", listener.local_addr()?);
    server::serve(listener).await
}
