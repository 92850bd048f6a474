//! A reverse proxy for HTTP: forwards requests to another server, and streams the bodies.
//!
//! `cargo run -p mauve-hyper --example proxy -- 127.0.0.1:7005 http://127.0.0.1:7003`

use std::error::Error;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::HOST;
use hyper::service::service_fn;
use hyper::{Request, Response, Uri, client, server};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream};
use mauve_hyper::{MauveIo, MauveTimer, connect};

type BoxError = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = &arguments[..] else {
        eprintln!("usage: proxy FROM TO, for example 127.0.0.1:7005 http://127.0.0.1:7003");
        std::process::exit(2);
    };
    let to: Uri = to.parse()?;
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        let listener = TcpListener::bind(from).await?;
        println!("{} -> {to}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            let to = to.clone();
            mauve::spawn(async move {
                if let Err(error) = serve(stream, &to).await {
                    eprintln!("connection lost: {error}");
                }
            });
        }
    })
}

async fn serve(stream: TcpStream, to: &Uri) -> Result<(), hyper::Error> {
    let service = service_fn(|request| forward(request, to));
    let mut server = server::conn::http1::Builder::new();
    server.timer(MauveTimer).header_read_timeout(Duration::from_secs(30));
    server.serve_connection(MauveIo::new(stream), service).await
}

/// Sends a request to the server, on a new connection, and returns its response.
async fn forward(mut request: Request<Incoming>, to: &Uri) -> Result<Response<Incoming>, BoxError> {
    let (mut client, connection) = client::conn::http1::handshake(connect(to).await?).await?;
    mauve::spawn(connection);
    if let Some(authority) = to.authority() {
        request.headers_mut().insert(HOST, authority.as_str().parse()?);
    }
    Ok(client.send_request(request).await?)
}
