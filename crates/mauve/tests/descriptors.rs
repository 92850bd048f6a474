//! A full table of descriptors, in a process of its own.

#![cfg(unix)]

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use futures_lite::AsyncWriteExt as _;
use mauve::net::TcpListener;

/// The variable that makes [`child_process`] the server.
const SERVER: &str = "MAUVE_TEST_SERVER";

/// Number of connections.
const CLIENTS: usize = 3;

/// The process of the other test.
#[test]
fn child_process() {
    if std::env::var_os(SERVER).is_some() {
        serve().unwrap();
    }
}

/// Accepts connections when no descriptor is left, then when some were closed.
#[mauve::main]
async fn serve() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let mut all = Vec::new();
    let full = open_all(&mut all);
    println!("\naddress {}", listener.local_addr()?);
    for _ in 0..3 {
        let accepted = mauve::timeout(Duration::from_secs(60), listener.accept()).await?;
        assert_eq!(accepted.unwrap_err().raw_os_error(), full);
    }
    // While no task accepts, the loop does not spin.
    let lp = mauve::Loop::current();
    let before = lp.metrics();
    mauve::sleep(Duration::from_millis(20)).await;
    let iterations = lp.metrics().since(&before).iterations;
    assert!(iterations < 20, "{iterations} iterations");
    all.clear();
    for _ in 0..CLIENTS {
        let (mut stream, _) = listener.accept().await?;
        stream.write_all(b"hello").await?;
        // The loop finds no descriptor for the next connection while no task accepts. That error is
        // not returned when there are descriptors again.
        open_all(&mut all);
        mauve::sleep(Duration::from_millis(20)).await;
        all.clear();
    }
    Ok(())
}

/// Opens files until no descriptor is left. Returns the error number.
fn open_all(files: &mut Vec<File>) -> Option<i32> {
    loop {
        match File::open("/dev/null") {
            Ok(file) => files.push(file),
            Err(error) => return error.raw_os_error(),
        }
    }
}

#[test]
fn connections_stay_queued_while_no_descriptor_is_left() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 64 && exec \"$0\" --exact child_process --nocapture"]);
    command.arg(std::env::current_exe().unwrap()).env(SERVER, "1").stdout(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    let address = lines.find_map(|line| Some(line.strip_prefix("address ")?.to_owned())).unwrap();
    let clients: Vec<_> = (0..CLIENTS).map(|_| TcpStream::connect(&*address).unwrap()).collect();
    for mut client in clients {
        let mut text = String::new();
        client.read_to_string(&mut text).unwrap();
        assert_eq!(text, "hello");
    }
    lines.for_each(drop);
    assert!(server.wait().unwrap().success());
}
