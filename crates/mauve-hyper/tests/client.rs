//! The client of hyper-util, with the feature `client`.

use std::cell::Cell;
use std::convert::Infallible;
use std::error::Error;
use std::rc::Rc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, Version, server};
use hyper_util::client::legacy::Client;
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream};
use mauve_hyper::{MauveConnector, MauveExecutor, MauveIo, MauveTimer, Protocol, detect};

/// Serves bodies in reverse, and counts connections.
async fn serve(listener: TcpListener, connections: Rc<Cell<u32>>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        connections.set(connections.get() + 1);
        mauve::spawn(serve_connection(stream));
    }
}

async fn serve_connection(stream: TcpStream) {
    let service = service_fn(|request: Request<Incoming>| async move {
        let mut body = request.into_body().collect().await.unwrap().to_bytes().to_vec();
        body.reverse();
        Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(body))))
    });
    let (protocol, io): (_, MauveIo<_>) = detect(stream).await.unwrap();
    // The error is that of a connection which the client has closed.
    let _ = match protocol {
        Protocol::Http1 => server::conn::http1::Builder::new().serve_connection(io, service).await,
        Protocol::Http2 => {
            server::conn::http2::Builder::new(MauveExecutor).serve_connection(io, service).await
        }
    };
}

fn requests_share_a_connection(version: Version) -> Result<(), Box<dyn Error>> {
    let lp: Loop = Loop::new()?;
    lp.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let uri = format!("http://{}/", listener.local_addr()?);
        let connections = Rc::new(Cell::new(0));
        mauve::spawn(serve(listener, connections.clone()));
        let mut builder = Client::builder(MauveExecutor);
        builder.pool_timer(MauveTimer).http2_only(version == Version::HTTP_2);
        let client: Client<_, Full<Bytes>> = builder.build(MauveConnector);
        for size in [0, 1, 100_000] {
            let body: Vec<u8> = (0..size).map(|index| (index % 251) as u8).collect();
            let request = Request::post(&uri).body(Full::new(Bytes::from(body.clone())))?;
            let response = client.request(request).await?;
            assert_eq!(response.version(), version);
            let reversed = response.into_body().collect().await?.to_bytes();
            assert!(reversed.iter().rev().eq(&body));
        }
        assert_eq!(connections.get(), 1);
        Ok(())
    })
}

#[test]
fn requests_of_http_1_share_a_connection() {
    requests_share_a_connection(Version::HTTP_11).unwrap();
}

#[test]
fn requests_of_http_2_share_a_connection() {
    requests_share_a_connection(Version::HTTP_2).unwrap();
}

#[test]
fn errors_of_connecting_reach_the_request() {
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let client: Client<_, Full<Bytes>> = Client::builder(MauveExecutor).build(MauveConnector);
        for uri in [format!("http://{unused}/"), format!("https://{unused}/")] {
            assert!(client.get(uri.parse().unwrap()).await.unwrap_err().is_connect());
        }
    });
}
