//! The server: a task per connection, which performs the handshake of TLS and then runs hyper.

use std::convert::Infallible;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_rustls::TlsAcceptor;
use futures_rustls::pki_types::pem::PemObject as _;
use futures_rustls::pki_types::{CertificateDer, PrivateKeyDer};
use futures_rustls::rustls::ServerConfig;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{Request, Response};
use mauve::net::{TcpListener, TcpStream};
use mauve_hyper::{MauveExecutor, MauveIo, MauveTimer};

pub type BoxError = Box<dyn Error + Send + Sync>;

/// The time that a client has for the handshake, and for the head of a request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Reads the certificate and its key. Clients choose between HTTP/2 and HTTP/1 (ALPN).
pub fn acceptor(certificate: &Path, key: &Path) -> Result<TlsAcceptor, BoxError> {
    let chain = CertificateDer::pem_file_iter(certificate)?.collect::<Result<_, _>>()?;
    let key = PrivateKeyDer::from_pem_file(key)?;
    let mut config = ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config).into())
}

/// Accepts and serves connections for ever.
pub async fn serve(listener: TcpListener, acceptor: TlsAcceptor) -> Result<(), BoxError> {
    loop {
        let (stream, _) = listener.accept().await?;
        let acceptor = acceptor.clone();
        mauve::spawn(async move {
            if let Err(error) = serve_connection(stream, acceptor).await {
                eprintln!("connection lost: {error}");
            }
        });
    }
}

async fn serve_connection(stream: TcpStream, acceptor: TlsAcceptor) -> Result<(), BoxError> {
    stream.set_nodelay(true)?;
    let stream = mauve::timeout(TIMEOUT, acceptor.accept(stream)).await??;
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let (io, service) = (MauveIo::new(stream), service_fn(respond));
    if is_http2 {
        let mut server = http2::Builder::new(MauveExecutor);
        server.timer(MauveTimer).serve_connection(io, service).await?;
    } else {
        let mut server = http1::Builder::new();
        server.timer(MauveTimer).header_read_timeout(TIMEOUT);
        server.serve_connection(io, service).await?;
    }
    Ok(())
}

/// Responds with the request line and the version of HTTP.
async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path();
    let text = format!("{} {path} over {:?} and TLS\n", request.method(), request.version());
    Ok(Response::new(Full::new(Bytes::from(text))))
}
