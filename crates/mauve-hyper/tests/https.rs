//! The server of the HTTPS example, with clients of rustls.

#[path = "../examples/https/server.rs"]
mod server;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_rustls::TlsConnector;
use futures_rustls::client::TlsStream;
use futures_rustls::pki_types::pem::PemObject as _;
use futures_rustls::pki_types::{CertificateDer, ServerName};
use futures_rustls::rustls::{ClientConfig, RootCertStore};
use http_body_util::{BodyExt as _, Empty};
use hyper::body::Bytes;
use hyper::{Request, client};
use mauve::net::{TcpListener, TcpStream};
use mauve_hyper::{MauveExecutor, MauveIo};

fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/https/certificates").join(name)
}

/// Starts the server and returns its port.
async fn serve() -> u16 {
    let acceptor = server::acceptor(&certificate("cert.pem"), &certificate("key.pem")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(mauve::spawn(server::serve(listener, acceptor)));
    port
}

/// Connects with a protocol of ALPN. Trusts the certificates of `roots` only.
async fn connect(
    port: u16,
    protocol: &str,
    roots: RootCertStore,
) -> io::Result<MauveIo<TlsStream<TcpStream>>> {
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let connector = TlsConnector::from(Arc::new(config));
    let name = ServerName::try_from("localhost").unwrap();
    Ok(MauveIo::new(connector.connect(name, stream).await?))
}

fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate("ca.pem")).unwrap()).unwrap();
    roots
}

fn request(path: &str) -> Request<Empty<Bytes>> {
    let uri = format!("https://localhost{path}");
    Request::get(uri).header("host", "localhost").body(Empty::new()).unwrap()
}

#[mauve::test]
async fn a_client_of_http1_is_served() {
    let io = connect(serve().await, "http/1.1", roots()).await.unwrap();
    let (mut client, connection) = client::conn::http1::handshake(io).await.unwrap();
    drop(mauve::spawn(connection));
    for path in ["/one", "/two"] {
        let response = client.send_request(request(path)).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, format!("GET {path} over HTTP/1.1 and TLS\n"));
    }
}

#[mauve::test]
async fn a_client_of_http2_is_served() {
    let io = connect(serve().await, "h2", roots()).await.unwrap();
    let handshake = client::conn::http2::handshake(MauveExecutor, io).await;
    let (mut client, connection) = handshake.unwrap();
    drop(mauve::spawn(connection));
    for path in ["/one", "/two"] {
        let response = client.send_request(request(path)).await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, format!("GET {path} over HTTP/2.0 and TLS\n"));
    }
}

#[mauve::test]
async fn a_client_without_the_root_certificate_refuses_the_connection() {
    let error = connect(serve().await, "h2", RootCertStore::empty()).await.unwrap_err();
    assert!(error.to_string().contains("UnknownIssuer"), "{error}");
}
