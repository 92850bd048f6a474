//! hyper's servers and clients on one loop.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _, future};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::rt::Timer as _;
use hyper::service::service_fn;
use hyper::{Request, Response, Uri, Version, client, server};
use mauve::Loop;
use mauve::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use mauve_hyper::{MauveExecutor, MauveIo, MauveTimer, Protocol, connect, detect};

fn run<F: Future>(future: F) -> F::Output {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(future)
}

/// A server that echoes bodies, on a port that is returned as a URI.
async fn echo_server() -> Uri {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("http://{}/", listener.local_addr().unwrap());
    mauve::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            mauve::spawn(serve(stream));
        }
    });
    uri.parse().unwrap()
}

async fn serve(stream: TcpStream) {
    // Not `Send`: services stay on the thread of their loop.
    let prefix = Rc::new(Bytes::from("echo "));
    let service = service_fn(move |request: Request<Incoming>| {
        let prefix = prefix.clone();
        async move {
            let mut body = prefix.to_vec();
            body.extend(request.into_body().collect().await?.to_bytes());
            Ok::<_, hyper::Error>(Response::new(Full::new(Bytes::from(body))))
        }
    });
    let (protocol, io) = detect(stream).await.unwrap();
    match protocol {
        Protocol::Http1 => {
            server::conn::http1::Builder::new().serve_connection(io, service).await.unwrap();
        }
        Protocol::Http2 => {
            let builder = server::conn::http2::Builder::new(MauveExecutor);
            builder.serve_connection(io, service).await.unwrap();
        }
    }
}

fn request(uri: &Uri, body: Vec<u8>) -> Request<Full<Bytes>> {
    Request::post(uri).header("host", "here").body(Full::new(Bytes::from(body))).unwrap()
}

async fn check(response: Response<Incoming>, version: Version, body: &[u8]) {
    assert_eq!((response.status().as_u16(), response.version()), (200, version));
    let received = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(received.strip_prefix(b"echo "), Some(body));
}

#[test]
fn one_port_serves_http1_and_http2() {
    run(async {
        let uri = echo_server().await;
        let bytes: Vec<u8> = (0..3_000_000u32).map(|i| (i / 7) as u8).collect();

        let io = connect(&uri).await.unwrap();
        let (mut http1, connection) = client::conn::http1::handshake(io).await.unwrap();
        mauve::spawn(connection);
        for body in [b"".to_vec(), b"one".to_vec(), bytes.clone()] {
            let response = http1.send_request(request(&uri, body.clone())).await.unwrap();
            check(response, Version::HTTP_11, &body).await;
        }

        let io = connect(&uri).await.unwrap();
        let handshake = client::conn::http2::handshake(MauveExecutor, io);
        let (http2, connection) = handshake.await.unwrap();
        mauve::spawn(connection);
        // At the same time, on one connection.
        let send = |body: Vec<u8>| {
            let (mut client, uri) = (http2.clone(), &uri);
            async move {
                let response = client.send_request(request(uri, body.clone())).await.unwrap();
                check(response, Version::HTTP_2, &body).await;
            }
        };
        future::zip(send(bytes), send(b"two".to_vec())).await;
    });
}

#[test]
fn header_read_timeout_ends_a_connection_that_sends_half_a_head() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let timeout = Duration::from_millis(30);
        let start = Instant::now();
        let serving = async {
            let (stream, _) = listener.accept().await.unwrap();
            let service = service_fn(|_| async {
                Ok::<_, Infallible>(Response::new(Full::new(Bytes::from("never"))))
            });
            let mut builder = server::conn::http1::Builder::new();
            builder.timer(MauveTimer).header_read_timeout(timeout);
            builder.serve_connection(MauveIo::new(stream), service).await
        };
        let client = async {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).await.ok();
            rest
        };
        let (served, _) = future::zip(serving, client).await;
        assert!(served.unwrap_err().is_timeout());
        assert!(start.elapsed() >= timeout);
    });
}

#[test]
fn a_sleep_of_the_timer_can_be_reset_and_dropped() {
    run(async {
        let start = Instant::now();
        let mut sleep = MauveTimer.sleep(Duration::from_secs(3600));
        drop(MauveTimer.sleep(Duration::from_secs(3600)));
        MauveTimer.reset(&mut sleep, start + Duration::from_millis(5));
        sleep.await;
        assert!(start.elapsed() >= Duration::from_millis(5));
    });
}

#[mauve::test(start_paused = true)]
async fn the_timer_follows_the_clock_of_the_loop() {
    let (start, hour) = (MauveTimer.now(), Duration::from_secs(3600));
    MauveTimer.sleep(hour).await;
    MauveTimer.sleep_until(start + 2 * hour).await;
    assert_eq!(MauveTimer.now() - start, 2 * hour);
}

#[test]
fn a_unix_stream_carries_http() {
    let path = std::env::temp_dir().join(format!("mauve-hyper-{}", std::process::id()));
    run(async {
        let listener = UnixListener::bind(&path).unwrap();
        mauve::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let service = service_fn(|_| async {
                Ok::<_, Infallible>(Response::new(Full::new(Bytes::from("echo unix"))))
            });
            let builder = server::conn::http1::Builder::new();
            builder.serve_connection(MauveIo::new(stream), service).await
        });
        let io = MauveIo::new(UnixStream::connect(&path).await.unwrap());
        let (mut client, connection) = client::conn::http1::handshake(io).await.unwrap();
        mauve::spawn(connection);
        let response = client.send_request(request(&Uri::from_static("/"), vec![])).await.unwrap();
        check(response, Version::HTTP_11, b"unix").await;
    });
}

#[test]
fn a_client_connects_to_a_name_and_reports_a_uri_it_cannot_use() {
    run(async {
        let uri = echo_server().await;
        let port = uri.port_u16().unwrap();
        let named = format!("http://localhost:{port}/").parse().unwrap();
        connect(&named).await.unwrap();
        for uri in ["/path", "https://localhost/"] {
            let error = connect(&Uri::from_static(uri)).await.err().unwrap();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{uri}");
        }
    });
}
