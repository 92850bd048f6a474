//! Scripts under load: many sockets, many requests, and an exit by a signal.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/load").join(name)
}

/// The command. The variable MAUVE selects another build.
fn mauve() -> PathBuf {
    std::env::var_os("MAUVE").map_or(env!("CARGO_BIN_EXE_mauve").into(), PathBuf::from)
}

#[test]
fn ten_thousand_sockets_are_opened_used_and_closed() {
    // Two sockets for each connection. The shell raises the limit to the maximum.
    let run = "ulimit -n \"$(ulimit -H -n)\"; \
               [ \"$(ulimit -n)\" = unlimited ] || [ \"$(ulimit -n)\" -ge 10200 ] || exit 77; \
               exec \"$0\" run \"$1\" 5000";
    let output = Command::new("sh")
        .args(["-c", run])
        .arg(mauve())
        .arg(script("many-connections.js"))
        .output()
        .expect("a shell");
    if output.status.code() == Some(77) {
        panic!("this test needs a limit of 10,200 descriptors; see `ulimit -H -n`");
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "5000 5000 5000\n", "{stderr}");
    assert!(output.status.success());
}

struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(mauve())
            .arg("run")
            .arg(script("hello.js"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("a line with its port");
        Self { child, port: line.trim().parse().expect("a port") }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).expect("a connection")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if the test has killed it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request on an open connection. Returns the body, which has a length or is one chunk.
fn get(stream: &mut TcpStream, path: &str) -> String {
    // One write: Nagle's algorithm would delay the second of two small writes.
    let request = format!("GET {path} HTTP/1.1\r\nHost: here\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("a request is written");
    let mut text = String::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).expect("a response is read");
        assert!(count > 0, "the connection was closed after {text:?}");
        text.push_str(std::str::from_utf8(&buffer[..count]).expect("ASCII"));
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        if head.contains("Transfer-Encoding: chunked") {
            if let Some(body) = body.strip_suffix("\r\n0\r\n\r\n") {
                return body.split_once("\r\n").expect("a size").1.to_owned();
            }
        } else if head.ends_with(&format!("Content-Length: {}", body.len())) {
            return body.to_owned();
        }
    }
}

#[test]
fn thousands_of_requests_leak_no_memory() {
    let server = Server::start();
    let mut stream = server.connect();
    let mut load = |requests: usize| {
        for _ in 0..requests {
            assert_eq!(get(&mut stream, "/"), "Hello World\n");
        }
        get(&mut stream, "/memory").parse::<u64>().expect("bytes")
    };
    // The first requests grow the heap to the size at which QuickJS collects garbage.
    load(5000);
    let before = load(3000);
    let after = load(10_000);
    assert!(after < before + 8_000_000, "{before} bytes grew to {after}");
}

#[test]
fn a_server_survives_clients_that_disconnect() {
    let server = Server::start();
    for length in 0..200 {
        let mut stream = server.connect();
        let request = b"GET / HTTP/1.1\r\nHost: here\r\nX: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n\r\n";
        // Disconnects in the middle of the head, or before the response.
        let _ = stream.write_all(&request[..length.min(request.len())]);
    }
    assert_eq!(get(&mut server.connect(), "/"), "Hello World\n");
}

#[test]
fn sigint_kills_a_server() {
    let mut server = Server::start();
    let mut stream = server.connect();
    get(&mut stream, "/");
    mauve::process::kill(server.child.id(), 2).expect("the server runs");
    let status = server.child.wait().expect("an exit status");
    assert_eq!(status.signal(), Some(2));
}
