//! The server of the HTTP example, with a blocking client of the standard library.

#[path = "../../examples/http/server.rs"]
mod server;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use futures_lite::future;
use mauve::Loop;
use mauve::net::TcpListener;

use crate::{any_port, pattern};

/// A connection that sends several requests.
struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
        Self(BufReader::new(stream))
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).unwrap();
    }

    /// Reads the next response: its status line, and its body.
    fn response(&mut self) -> (String, String) {
        let mut line = || {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            line.trim_end().to_ascii_lowercase()
        };
        let status = line();
        let mut length = 0;
        loop {
            let header = line();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        (status, String::from_utf8(body).unwrap())
    }

    fn get(&mut self, path: &str) -> (String, String) {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: here\r\n\r\n").as_bytes());
        self.response()
    }
}

/// Runs `client` on another thread while the server runs.
fn with_server(client: impl FnOnce(SocketAddr) + Send + 'static) {
    let lp: Loop = Loop::new().unwrap();
    lp.block_on(async {
        let listener = TcpListener::bind(any_port()).await.unwrap();
        let address = listener.local_addr().unwrap();
        let client = mauve::spawn_blocking(move || client(address));
        let serving = async {
            server::serve(listener).await.unwrap();
        };
        let requests = async { client.await.unwrap() };
        future::or(requests, serving).await;
    });
}

#[test]
fn one_connection_serves_several_requests() {
    with_server(|address| {
        let mut client = Client::connect(address);
        for path in ["/", "/one", "/two/three"] {
            let (status, body) = client.get(path);
            assert_eq!(status, "http/1.1 200 ok");
            assert_eq!(body, format!("GET {path} on mauve\n"));
        }
    });
}

#[test]
fn pipelined_requests_get_responses_in_order() {
    with_server(|address| {
        let mut client = Client::connect(address);
        client.send(b"GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(client.response().1, "GET /a on mauve\n");
        assert_eq!(client.response().1, "GET /b on mauve\n");
    });
}

#[test]
fn a_request_with_a_large_body_is_read_to_its_end() {
    with_server(|address| {
        let mut client = Client::connect(address);
        let body = pattern(3 << 20);
        client.send(
            format!("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", body.len())
                .as_bytes(),
        );
        for piece in body.chunks(100_000) {
            client.send(piece);
        }
        assert_eq!(client.response().1, format!("POST /up on mauve, {} bytes\n", body.len()));
        assert_eq!(client.get("/after").1, "GET /after on mauve\n");
    });
}

#[test]
fn many_connections_are_served_concurrently() {
    with_server(|address| {
        let mut clients: Vec<_> = (0..50).map(|_| Client::connect(address)).collect();
        for _ in 0..3 {
            for client in &mut clients {
                client.send(b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            for client in &mut clients {
                assert_eq!(client.response().1, "GET /x on mauve\n");
            }
        }
    });
}

#[test]
fn an_invalid_request_gets_status_400_and_closes_the_connection() {
    with_server(|address| {
        let mut client = Client::connect(address);
        client.send(b"invalid\r\n\r\n");
        let mut text = String::new();
        client.0.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 400"), "{text:?}");
        // Other connections are still served.
        assert_eq!(Client::connect(address).get("/").1, "GET / on mauve\n");
    });
}
