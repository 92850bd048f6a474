//! The server: one task per connection, which runs hyper.

use std::error::Error;
use std::io;
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Request, Response};
use mauve::net::{TcpListener, TcpStream};
use mauve_hyper::{MauveExecutor, MauveTimer, Protocol, detect};

/// The time that a client has for the first bytes, and for the head of a request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Accepts and serves connections for ever.
pub async fn serve(listener: TcpListener) -> io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        mauve::spawn(async move {
            if let Err(error) = serve_connection(stream).await {
                eprintln!("connection lost: {error}");
            }
        });
    }
}

async fn serve_connection(stream: TcpStream) -> Result<(), Box<dyn Error>> {
    stream.set_nodelay(true)?;
    let (protocol, io) = mauve::timeout(TIMEOUT, detect(stream)).await??;
    let service = service_fn(respond);
    match protocol {
        Protocol::Http1 => {
            let mut server = http1::Builder::new();
            server.timer(MauveTimer).header_read_timeout(TIMEOUT);
            server.serve_connection(io, service).await?;
        }
        Protocol::Http2 => {
            let mut server = http2::Builder::new(MauveExecutor);
            server.timer(MauveTimer).keep_alive_interval(TIMEOUT);
            server.serve_connection(io, service).await?;
        }
    }
    Ok(())
}

/// Responds with the request line and the size of the body.
async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let line = format!("{} {}", request.method(), request.uri().path());
    let size = request.into_body().collect().await?.to_bytes().len();
    let text = match size {
        0 => format!("{line} on mauve\n"),
        size => format!("{line} on mauve, {size} bytes\n"),
    };
    Ok(Response::new(Full::new(Bytes::from(text))))
}
