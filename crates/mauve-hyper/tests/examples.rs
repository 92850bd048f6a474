//! The examples, as users run them: they start, and serve a request.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Once;

/// An example that runs. Dropping it kills it.
struct Example(Child);

impl Example {
    /// Starts an example. Returns it and the line that it prints when it listens.
    fn start(name: &str, arguments: &[&str]) -> (Self, String) {
        let mut command = Command::new(path(name));
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Self(child), line.trim_end().to_owned())
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The path of an example. The first test builds them, for runs of this test alone. With the features of
/// the whole workspace and without the variables of this package, so that nothing is compiled again.
fn path(name: &str) -> PathBuf {
    static BUILD: Once = Once::new();
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap().with_file_name("examples");
    BUILD.call_once(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--offline", "--examples", "--workspace"]);
        let variables = std::env::vars().map(|(name, _)| name);
        for name in variables
            .filter(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
        {
            cargo.env_remove(name);
        }
        if folder.parent().unwrap().ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success());
    });
    folder.join(name)
}

/// The first URI in a line.
fn uri(line: &str) -> &str {
    line.split(' ').find(|word| word.contains("://")).expect("a URI")
}

/// The response to a request without a body, whose connection is closed afterwards.
fn request(uri: &str, headers: &str) -> String {
    let authority = uri.split('/').nth(2).unwrap();
    let mut stream = TcpStream::connect(authority).unwrap();
    let head = format!("GET /path HTTP/1.1\r\nHost: {authority}\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut response = Vec::new();
    // A server that ends the connection before it has read the request resets it.
    let _ = stream.read_to_end(&mut response);
    String::from_utf8_lossy(&response).into_owned()
}

#[test]
fn proxy_forwards_requests_to_http() {
    let (_server, line) = Example::start("http", &["127.0.0.1:0"]);
    for version in [None, Some("http2")] {
        let mut arguments = vec!["127.0.0.1:0", uri(&line)];
        arguments.extend(version);
        let (_proxy, line) = Example::start("proxy", &arguments);
        let response = request(uri(&line), "Connection: close\r\n");
        assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
        assert!(response.ends_with("\r\n\r\nGET /path on mauve\n"), "{response}");
    }
}

#[test]
fn https_accepts_connections() {
    let (_server, line) = Example::start("https", &["127.0.0.1:0"]);
    // The server ends a connection that does not begin with a handshake.
    let response = request(&uri(&line).replace("localhost", "127.0.0.1"), "");
    assert!(!response.starts_with("HTTP"), "{response}");
}

#[test]
fn websocket_upgrades_connections() {
    let (_server, line) = Example::start("websocket", &["127.0.0.1:0"]);
    let response = request(uri(&line), "Connection: close\r\n");
    assert!(!response.starts_with("HTTP/1.1 101"), "{response}");

    let authority = uri(&line).split('/').nth(2).unwrap();
    let mut stream = BufReader::new(TcpStream::connect(authority).unwrap());
    let head = format!(
        "GET / HTTP/1.1\r\nHost: {authority}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.get_mut().write_all(head.as_bytes()).unwrap();
    let mut status = String::new();
    stream.read_line(&mut status).unwrap();
    assert!(status.starts_with("HTTP/1.1 101 "), "{status}");
}
