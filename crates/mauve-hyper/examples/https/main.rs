//! An HTTPS server: rustls and hyper on mauve's loop. HTTP/1 or HTTP/2, as the client requests. Try it
//! with `curl --cacert crates/mauve-hyper/examples/https/certificates/ca.pem https://localhost:7006/`.
//!
//! `cargo run -p mauve-hyper --example https`
//!
//! The certificate is for tests only, since its key is public.

mod server;

use std::path::Path;

use mauve::net::TcpListener;

#[mauve::main]
async fn main() -> Result<(), server::BoxError> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:7006".to_owned());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/https/certificates");
    let certificate = arguments.next().map_or_else(|| folder.join("cert.pem"), Into::into);
    let key = arguments.next().map_or_else(|| folder.join("key.pem"), Into::into);

    let acceptor = server::acceptor(&certificate, &key)?;
    let listener = TcpListener::bind(address).await?;
    println!("listening on https://localhost:{}/", listener.local_addr()?.port());
    server::serve(listener, acceptor).await
}
