//! The examples, as users run them.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use mauve::process::kill;
use mauve::signal::SignalKind;

/// An example that runs. Dropping it kills it.
struct Example {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Example {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let mut command = Command::new(path(name));
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, output }
    }

    /// The next line of its output.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Interrupts it. Returns the rest of its output, if it succeeds.
    fn interrupt(mut self) -> String {
        kill(self.child.id(), SignalKind::interrupt()).unwrap();
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success());
        rest
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
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

/// The address at the end of a line.
fn address(line: &str) -> &str {
    line.rsplit(' ').next().unwrap()
}

fn temporary(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mauve-example-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a server echoes that closes the connection after the end of the request.
fn echo(address: &str, text: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut received = String::new();
    stream.read_to_string(&mut received).unwrap();
    received
}

#[test]
fn echo_returns_what_it_gets() {
    let mut example = Example::start("echo", &["127.0.0.1:0"]);
    let line = example.line();
    let text = "x".repeat(3 << 20);
    assert!(echo(address(&line), &text) == text);
}

#[test]
fn chat_sends_messages_to_all_clients() {
    let mut example = Example::start("chat", &["127.0.0.1:0"]);
    let line = example.line();
    let connect = || BufReader::new(TcpStream::connect(address(&line)).unwrap());
    let read = |client: &mut BufReader<TcpStream>| {
        let mut line = String::new();
        client.read_line(&mut line).unwrap();
        line
    };
    let mut first = connect();
    assert_eq!(read(&mut first), "* guest 1 joined\n");
    let mut second = connect();
    assert_eq!([read(&mut first), read(&mut second)], ["* guest 2 joined\n"; 2]);
    second.get_mut().write_all(b"hello\n").unwrap();
    assert_eq!([read(&mut first), read(&mut second)], ["guest 2: hello\n"; 2]);
    drop(second);
    assert_eq!(read(&mut first), "* guest 2 left\n");
}

#[test]
fn relay_connects_clients_with_a_server() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = server.local_addr().unwrap().to_string();
    let mut example = Example::start("relay", &["127.0.0.1:0", &to]);
    let line = example.line();
    let from = line.split(' ').next().unwrap();
    let serve = thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut request = String::new();
        stream.read_to_string(&mut request).unwrap();
        stream.write_all(request.to_uppercase().as_bytes()).unwrap();
    });
    assert_eq!(echo(from, "hello"), "HELLO");
    serve.join().unwrap();
}

#[test]
fn cores_serves_on_all_workers_and_shuts_down() {
    let mut example = Example::start("cores", &["127.0.0.1:0"]);
    let line = example.line();
    assert_eq!(echo(address(&line), "hello"), "hello");
    assert!(example.interrupt().contains("shutting down\n"));
}

#[test]
fn udp_ping_gets_all_replies() {
    let output = Command::new(path("udp_ping")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.ends_with("5 of 5 replies received\n"), "{text}");
}

#[test]
fn supervise_restarts_a_command_that_exits() {
    let mut example = Example::start("supervise", &["echo started; exit 3"]);
    let mut starts = 0;
    while starts < 2 {
        starts += usize::from(example.line() == "started");
    }
    example.interrupt();
}

#[test]
fn watch_prints_changes_and_counts_them() {
    let folder = temporary("watch");
    let mut example = Example::start("watch", &[folder.to_str().unwrap()]);
    // The line says that it watches.
    assert_eq!(example.line(), format!("watching {}", folder.display()));
    std::fs::write(folder.join("file"), "text").unwrap();
    assert_eq!(example.line(), "+ file");
    assert!(example.interrupt().ends_with("events\n"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn tail_prints_appended_lines_and_those_of_a_new_file() {
    let folder = temporary("tail");
    let log = folder.join("log");
    std::fs::write(&log, "first\n").unwrap();
    let mut example = Example::start("tail", &[log.to_str().unwrap()]);
    assert_eq!(example.line(), "first");
    let mut file = std::fs::OpenOptions::new().append(true).open(&log).unwrap();
    // A line may be written before the example watches the file: then a later one reports both.
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                file.write_all(b"more\n").unwrap();
                thread::sleep(Duration::from_millis(5));
            }
        });
        assert_eq!(example.line(), "more");
        done.store(true, Ordering::Relaxed);
    });
    std::fs::rename(&log, folder.join("old")).unwrap();
    std::fs::write(&log, "replaced\n").unwrap();
    while example.line() != "replaced" {}
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn copy_copies_a_tree() {
    let folder = temporary("copy");
    let from = folder.join("from");
    std::fs::create_dir_all(from.join("inner")).unwrap();
    for (name, size) in [("small", 10), ("inner/large", 3 << 20)] {
        std::fs::write(from.join(name), vec![7; size]).unwrap();
    }
    let to = folder.join("to");
    let status = Command::new(path("copy")).args([&from, &to]).stderr(Stdio::null()).status();
    assert!(status.unwrap().success());
    for name in ["small", "inner/large"] {
        assert!(std::fs::read(to.join(name)).unwrap() == std::fs::read(from.join(name)).unwrap());
    }
    std::fs::remove_dir_all(folder).unwrap();
}
