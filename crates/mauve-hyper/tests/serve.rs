//! Services of tower, their graceful shutdown, and their time limit.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::{Future, IntoFuture as _, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::Duration;

use futures_lite::{AsyncReadExt as _, AsyncWriteExt as _};
use http_body_util::{BodyExt as _, Empty, Full};
use hyper::body::{Bytes, Incoming};
use hyper::rt::{Read as _, Write as _};
use hyper::{Request, Response, Uri, client};
use mauve::net::{TcpListener, TcpStream};
use mauve::{JoinHandle, Loop};
use mauve_hyper::{MauveExecutor, TimeoutLayer, connect, serve};
use tower::{Layer as _, ServiceExt as _, service_fn};

fn run<F: Future>(future: F) -> F::Output {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(future)
}

/// Responds at once, or a moment after the shutdown if the path is `/slow`.
async fn respond(
    request: Request<Incoming>,
    shutdown: Event,
) -> Result<Response<Full<Bytes>>, Infallible> {
    if request.uri().path() == "/slow" {
        shutdown.wait().await;
        mauve::sleep(Duration::from_millis(20)).await;
    }
    Ok(Response::new(Full::new(Bytes::from("hello"))))
}

/// What any number of tasks wait for.
#[derive(Clone, Default)]
struct Event(Rc<RefCell<(bool, Vec<Waker>)>>);

impl Event {
    fn set(&self) {
        let mut state = self.0.borrow_mut();
        state.0 = true;
        state.1.drain(..).for_each(Waker::wake);
    }

    async fn wait(&self) {
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            if state.0 {
                return Poll::Ready(());
            }
            state.1.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

/// Starts a server. The second value ends it.
async fn start() -> (Uri, Event, JoinHandle<std::io::Result<()>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
    let shutdown = Event::default();
    let (signal, slow) = (shutdown.clone(), shutdown.clone());
    let service = service_fn(move |request| respond(request, slow.clone()));
    let server = serve(listener, service)
        .header_timeout(Duration::from_secs(60))
        .with_graceful_shutdown(async move { signal.wait().await });
    let task = mauve::spawn(async move { server.await });
    (uri, shutdown, task)
}

fn request(uri: &Uri, path: &str) -> Request<Empty<Bytes>> {
    let uri = format!("http://{}{path}", uri.authority().unwrap());
    Request::get(uri).header("host", "here").body(Empty::new()).unwrap()
}

async fn text(response: Response<Incoming>) -> Bytes {
    response.into_body().collect().await.unwrap().to_bytes()
}

#[test]
fn the_last_requests_of_http1_and_http2_end_before_the_server() {
    run(async {
        let (uri, shutdown, server) = start().await;
        let io = connect(&uri).await.unwrap();
        let (mut http1, connection) = client::conn::http1::handshake(io).await.unwrap();
        mauve::spawn(connection);
        let io = connect(&uri).await.unwrap();
        let handshake = client::conn::http2::handshake(MauveExecutor, io);
        let (mut http2, connection) = handshake.await.unwrap();
        mauve::spawn(connection);
        // Neither does an idle connection keep the server, nor one that has sent half a request.
        let mut idle = TcpStream::connect((uri.host().unwrap(), uri.port_u16().unwrap())).await;
        let idle = idle.as_mut().unwrap();
        for http1_first in [true, false] {
            let one = http1.send_request(request(&uri, "/"));
            let two = http2.send_request(request(&uri, "/"));
            let (one, two) = futures_lite::future::zip(one, two).await;
            assert_eq!(
                (text(one.unwrap()).await, text(two.unwrap()).await),
                ("hello".into(), "hello".into())
            );
            if http1_first {
                idle.write_all(b"GET").await.unwrap();
            }
        }

        let slow = mauve::spawn(async move {
            let one = http1.send_request(request(&uri, "/slow"));
            let two = http2.send_request(request(&uri, "/slow"));
            let (one, two) = futures_lite::future::zip(one, two).await;
            (text(one.unwrap()).await, text(two.unwrap()).await)
        });
        mauve::sleep(Duration::from_millis(20)).await;
        assert!(!server.is_finished() && !slow.is_finished());
        shutdown.set();
        assert_eq!(slow.await.unwrap(), ("hello".into(), "hello".into()));
        // The time limit for heads, a minute, is not waited for.
        let ended = mauve::timeout(Duration::from_secs(30), server).await;
        ended.expect("half a request keeps the server").unwrap().unwrap();
        assert_eq!(idle.read(&mut [0; 10]).await.unwrap(), 0);
    });
}

#[test]
fn half_a_request_does_not_cut_off_the_response_before_it() {
    const SIZE: usize = 32 << 20;
    run(async {
        let shutdown = Event::default();
        let (signal, called) = (shutdown.clone(), Event::default());
        let event = called.clone();
        let service = service_fn(move |_: Request<Incoming>| {
            event.set();
            async { Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(vec![b'x'; SIZE])))) }
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let server = serve(listener, service)
            .header_timeout(Duration::from_secs(60))
            .with_graceful_shutdown(async move { signal.wait().await });
        let server = mauve::spawn(async move { server.await });
        client.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\nGET / HT").await.unwrap();
        called.wait().await;
        mauve::yield_now().await;
        shutdown.set();
        let mut response = Vec::new();
        let read = mauve::timeout(Duration::from_secs(30), client.read_to_end(&mut response)).await;
        // The kernel resets a connection that is closed with unread bytes, after the response.
        let _ = read.expect("half a request keeps the connection");
        let head = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        assert_eq!(response.len() - head - 4, SIZE);
        server.await.unwrap().unwrap();
    });
}

#[mauve::test(start_paused = true)]
async fn the_time_limit_of_a_head_begins_after_the_response_before_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let service = service_fn(|request| respond(request, Event::default()));
    let server = serve(listener, service).header_timeout(Duration::from_secs(10));
    mauve::spawn(async move { server.await });
    for _ in 0..4 {
        client.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n").await.unwrap();
        let mut response = Vec::new();
        while !response.ends_with(b"hello") {
            let mut buffer = [0; 1000];
            let count = client.read(&mut buffer).await.unwrap();
            assert!(count > 0, "closed between requests");
            response.extend_from_slice(&buffer[..count]);
        }
        mauve::sleep(Duration::from_secs(6)).await;
    }
    client.write_all(b"GET").await.unwrap();
    let begin = mauve::time::Instant::now();
    assert_eq!(client.read(&mut [0; 10]).await.unwrap_or(0), 0);
    // Six seconds of the limit had passed.
    assert!((3..=5).contains(&begin.elapsed().as_secs()), "{:?}", begin.elapsed());
}

#[test]
fn a_server_closes_its_listener_at_the_shutdown() {
    run(async {
        let (uri, shutdown, server) = start().await;
        shutdown.set();
        server.await.unwrap().unwrap();
        let address = (uri.host().unwrap(), uri.port_u16().unwrap());
        assert!(TcpStream::connect(address).await.is_err());
    });
}

#[test]
fn a_service_takes_over_an_upgraded_connection() {
    async fn echo(upgrade: hyper::upgrade::OnUpgrade) {
        let mut stream = upgrade.await.unwrap();
        let mut bytes = [0; 100];
        let mut buffer = hyper::rt::ReadBuf::new(&mut bytes);
        poll_fn(|context| Pin::new(&mut stream).poll_read(context, buffer.unfilled()))
            .await
            .unwrap();
        let filled = buffer.filled();
        let written = poll_fn(|context| Pin::new(&mut stream).poll_write(context, filled)).await;
        assert_eq!(written.unwrap(), filled.len());
    }
    run(async {
        let service = service_fn(async |request: Request<Incoming>| {
            mauve::spawn(echo(hyper::upgrade::on(request)));
            let response = Response::builder().status(101).header("upgrade", "echo");
            let response = response.header("connection", "upgrade");
            Ok::<_, Infallible>(response.body(Empty::<Bytes>::new()).unwrap())
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let server = mauve::spawn(serve(listener, service).into_future());
        let head = "GET / HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n";
        // The first bytes of the other protocol may come with the request.
        client.write_all(format!("{head}hello").as_bytes()).await.unwrap();
        let mut response = String::new();
        client.read_to_string(&mut response).await.unwrap();
        assert!(
            response.starts_with("HTTP/1.1 101") && response.ends_with("\r\n\r\nhello"),
            "{response}"
        );
        server.abort();
    });
}

#[test]
fn a_request_beyond_its_time_fails_with_elapsed() {
    run(async {
        let service = service_fn(async |limit| {
            mauve::sleep(limit).await;
            Ok::<_, Infallible>(7)
        });
        let service = TimeoutLayer::new(Duration::from_millis(50)).layer(service);
        assert_eq!(service.clone().oneshot(Duration::ZERO).await.unwrap(), 7);
        let error = service.oneshot(Duration::from_secs(3600)).await.unwrap_err();
        assert!(error.is::<mauve::Elapsed>(), "{error}");
    });
}
