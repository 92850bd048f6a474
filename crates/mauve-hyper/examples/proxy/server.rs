//! The proxy: a task per connection.

use std::error::Error;
use std::time::Duration;

use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, HOST, UPGRADE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, Uri, Version, client, server};
use mauve::net::{TcpListener, TcpStream};
use mauve_hyper::{MauveExecutor, MauveTimer, Protocol, connect, detect};

pub type BoxError = Box<dyn Error + Send + Sync>;

/// The time that a client has for the first bytes, and for the head of a request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The server that gets the requests.
#[derive(Clone, Debug)]
pub struct Target {
    pub uri: Uri,
    /// Whether it is a server of HTTP/2.
    pub http2: bool,
}

/// The body of a response: that of the server, or a text of the proxy.
type Body = Either<Incoming, Full<Bytes>>;

/// Accepts and serves connections for ever.
pub async fn serve(listener: TcpListener, target: Target) -> Result<(), BoxError> {
    loop {
        let (stream, _) = listener.accept().await?;
        let target = target.clone();
        mauve::spawn(async move {
            if let Err(error) = serve_connection(stream, &target).await {
                eprintln!("connection lost: {error}");
            }
        });
    }
}

async fn serve_connection(stream: TcpStream, target: &Target) -> Result<(), BoxError> {
    stream.set_nodelay(true)?;
    let (protocol, io) = mauve::timeout(TIMEOUT, detect(stream)).await??;
    let target = target.clone();
    let service = service_fn(move |request| {
        let target = target.clone();
        async move { respond(request, &target).await }
    });
    match protocol {
        Protocol::Http1 => {
            let mut server = server::conn::http1::Builder::new();
            server.timer(MauveTimer).header_read_timeout(TIMEOUT);
            server.serve_connection(io, service).await?;
        }
        Protocol::Http2 => {
            let mut server = server::conn::http2::Builder::new(MauveExecutor);
            server.timer(MauveTimer).serve_connection(io, service).await?;
        }
    }
    Ok(())
}

/// Forwards a request. A server that cannot be reached makes a response with the status 502.
async fn respond(request: Request<Incoming>, target: &Target) -> Result<Response<Body>, BoxError> {
    match forward(request, target).await {
        Ok(response) => Ok(response.map(Either::Left)),
        Err(error) => {
            let mut response = Response::new(Either::Right(format!("{error}\n").into()));
            *response.status_mut() = StatusCode::BAD_GATEWAY;
            Ok(response)
        }
    }
}

/// Sends a request to the server, on a new connection, and returns its response.
async fn forward(
    mut request: Request<Incoming>,
    target: &Target,
) -> Result<Response<Incoming>, BoxError> {
    let authority = target.uri.authority().ok_or("the server has no address")?;
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    // HTTP/2 requests have the whole address, those of HTTP/1 the path.
    *request.uri_mut() = if target.http2 {
        Uri::builder().scheme("http").authority(authority.clone()).path_and_query(path).build()?
    } else {
        path.parse()?
    };
    let headers = request.headers_mut();
    // These are for one connection, not for the one behind it.
    headers.remove(CONNECTION);
    headers.remove(UPGRADE);
    headers.insert(HOST, authority.as_str().parse()?);

    let io = connect(&target.uri).await?;
    let mut response = if target.http2 {
        *request.version_mut() = Version::HTTP_2;
        let (mut client, connection) = client::conn::http2::handshake(MauveExecutor, io).await?;
        mauve::spawn(connection);
        client.send_request(request).await?
    } else {
        *request.version_mut() = Version::HTTP_11;
        let (mut client, connection) = client::conn::http1::handshake(io).await?;
        mauve::spawn(connection);
        client.send_request(request).await?
    };
    response.headers_mut().remove(CONNECTION);
    Ok(response)
}
