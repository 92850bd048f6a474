//! The proxy of the example, between clients and servers of HTTP/1 and HTTP/2.

#[path = "../examples/proxy/server.rs"]
mod proxy;
#[path = "../examples/http/server.rs"]
mod server;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Request, StatusCode, Uri, Version, client};
use mauve::net::TcpListener;
use mauve_hyper::{MauveExecutor, connect};

use proxy::Target;

/// Starts a proxy for a server, and returns its URI.
async fn proxy_for(uri: Uri, http2: bool) -> Uri {
    let (listener, proxy) = listener().await;
    drop(mauve::spawn(proxy::serve(listener, Target { uri, http2 })));
    proxy
}

async fn http_server() -> Uri {
    let (listener, uri) = listener().await;
    drop(mauve::spawn(server::serve(listener)));
    uri
}

async fn listener() -> (TcpListener, Uri) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("http://{}/", listener.local_addr().unwrap());
    (listener, uri.parse().unwrap())
}

/// Sends a request. Returns the status and the body of the response.
async fn post(uri: &Uri, version: Version, body: Vec<u8>) -> (StatusCode, String) {
    let request = Request::post(format!("{uri}up?query"))
        .header("host", uri.authority().unwrap().as_str())
        .body(Full::new(Bytes::from(body)))
        .unwrap();
    let io = connect(uri).await.unwrap();
    let response = if version == Version::HTTP_2 {
        let handshake = client::conn::http2::handshake(MauveExecutor, io).await;
        let (mut client, connection) = handshake.unwrap();
        drop(mauve::spawn(connection));
        client.send_request(request).await.unwrap()
    } else {
        let (mut client, connection) = client::conn::http1::handshake(io).await.unwrap();
        drop(mauve::spawn(connection));
        client.send_request(request).await.unwrap()
    };
    assert_eq!(response.version(), version);
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[mauve::test]
async fn requests_and_responses_are_forwarded_for_both_versions_on_both_sides() {
    let server = http_server().await;
    for http2 in [false, true] {
        let proxy = proxy_for(server.clone(), http2).await;
        for version in [Version::HTTP_11, Version::HTTP_2] {
            let (status, text) = post(&proxy, version, vec![b'x'; 2 << 20]).await;
            assert_eq!(status, StatusCode::OK);
            assert_eq!(text, "POST /up on mauve, 2097152 bytes\n", "{version:?}, {http2}");
        }
    }
}

#[mauve::test]
async fn a_proxy_of_a_proxy_works() {
    let first = proxy_for(http_server().await, true).await;
    let second = proxy_for(first, false).await;
    let (_, text) = post(&second, Version::HTTP_2, b"body".to_vec()).await;
    assert_eq!(text, "POST /up on mauve, 4 bytes\n");
}

#[mauve::test]
async fn a_server_that_cannot_be_reached_makes_a_bad_gateway() {
    // The listener is dropped, so the port is closed.
    let (_, closed) = listener().await;
    let proxy = proxy_for(closed, false).await;
    for version in [Version::HTTP_11, Version::HTTP_2] {
        let (status, text) = post(&proxy, version, Vec::new()).await;
        assert_eq!(status, StatusCode::BAD_GATEWAY);
        assert!(text.to_lowercase().contains("refused"), "{text}");
    }
}
