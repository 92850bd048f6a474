//! A reverse proxy for HTTP: forwards requests to another server, and streams the bodies. Clients use
//! HTTP/1 or HTTP/2.
//!
//! `cargo run -p mauve-hyper --example proxy -- 127.0.0.1:7005 http://127.0.0.1:7003`
//!
//! With a third argument `http2`, the other server is a server of HTTP/2.

mod server;

use mauve::net::TcpListener;

use server::{BoxError, Target};

#[mauve::main]
async fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (from, to, http2) = match &arguments[..] {
        [from, to] => (from, to, false),
        [from, to, version] if version == "http2" => (from, to, true),
        _ => {
            eprintln!("usage: proxy FROM TO [http2], for example 127.0.0.1:7005 http://[::1]:7003");
            std::process::exit(2);
        }
    };
    let listener = TcpListener::bind(from).await?;
    println!("http://{}/ -> {to}", listener.local_addr()?);
    server::serve(listener, Target { uri: to.parse()?, http2 }).await
}
