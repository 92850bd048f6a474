//! The prompt, `mauve` without arguments, on a terminal: a pseudo-terminal whose other end is the test.

#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The time limit of an answer.
const TIMEOUT: Duration = Duration::from_secs(60);

struct Prompt {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
    /// What was printed, without escape sequences.
    seen: String,
    raw: Vec<u8>,
}

impl Prompt {
    fn start(history: &Path) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("its other end is ours");
        unlockpt(&terminal).expect("its other end can be opened");
        let name = ptsname(&terminal, Vec::new()).expect("a name");
        let name = name.to_str().expect("a path");
        let other = OpenOptions::new().read(true).write(true).open(name).expect("its other end");
        let end = || other.try_clone().expect("a descriptor");
        let child = Command::new(env!("CARGO_BIN_EXE_mauve"))
            .env("NODE_REPL_HISTORY", history)
            .env("TERM", "xterm")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("mauve starts");
        let keys = File::from(terminal);
        let mut reader = keys.try_clone().expect("a descriptor");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // It fails when the prompt has ended.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut prompt = Self { child, keys, output, seen: String::new(), raw: Vec::new() };
        prompt.expect("> ");
        prompt
    }

    fn send(&mut self, keys: &str) {
        self.seen.clear();
        self.raw.clear();
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits until a text was printed after the last keys.
    fn expect(&mut self, text: &str) {
        let began = Instant::now();
        while !self.seen.contains(text) {
            let left = TIMEOUT.saturating_sub(began.elapsed());
            let Ok(bytes) = self.output.recv_timeout(left) else {
                panic!("{text:?} was not printed, but {:?}", self.seen);
            };
            self.raw.extend(bytes);
            self.seen = without_escapes(&String::from_utf8_lossy(&self.raw));
        }
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Removes sequences of the form `ESC [ parameters letter`.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find(|character: char| character.is_ascii_alphabetic());
        text + end.map_or("", |end| &part[end + 1..])
    })
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("prompt-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn lines_are_evaluated_and_kept_in_the_history() {
    let history = folder("history").join("history");
    let mut prompt = Prompt::start(&history);
    prompt.send("6 * 7\r");
    prompt.expect("42");
    prompt.send("const { b } = await Promise.resolve({ b: 7 })\r");
    prompt.expect("undefined");
    prompt.send("b * 100 + 1\r");
    prompt.expect("701");
    // Up: the last line, and the one before it.
    prompt.send("\x1b[A\x1b[A\x1b[A\r");
    prompt.expect("42");
    prompt.send("[1, 2\r");
    prompt.expect("... ");
    prompt.send("].length + 39\r");
    prompt.expect("41");
    prompt.send(".exit\r");
    assert!(prompt.child.wait().expect("it ends").success());
    let lines = std::fs::read_to_string(&history).expect("a history");
    assert!(lines.contains("b * 100 + 1\n") && lines.contains("6 * 7\n"), "{lines}");

    // The newest lines are `.exit` and the two of the array.
    let mut again = Prompt::start(&history);
    again.send("\x1b[A\x1b[A\x1b[A\x1b[A\r");
    again.expect("42");
}

#[test]
fn tab_completes_names_and_help_lists_the_commands() {
    let mut prompt = Prompt::start(&folder("tab").join("history"));
    prompt.send("Math.ma\t");
    prompt.expect("Math.max");
    prompt.send("(20, 3) + 1\r");
    prompt.expect("21");
    prompt.send(".he\t\r");
    prompt.expect("Print this help message");
    prompt.send(".nothing\r");
    prompt.expect("Invalid REPL keyword");
}

#[test]
fn control_c_ends_an_evaluation_and_not_the_session() {
    let mut prompt = Prompt::start(&folder("interrupt").join("history"));
    for endless in ["while (true) {}", "await new Promise(() => setInterval(() => {}, 1000))"] {
        prompt.send(&format!("console.log('be' + 'gins'); {endless}\r"));
        prompt.expect("begins");
        let pid = prompt.child.id();
        mauve::process::kill(pid, mauve::signal::SignalKind::interrupt()).expect("a signal");
        prompt.expect("interrupted by `SIGINT`");
        prompt.expect("> ");
    }
    // At the prompt it is a key, which drops the line.
    prompt.send("this is no line\x03");
    prompt.send("'a' + 'live'\r");
    prompt.expect("alive");
    prompt.send("\x03");
    prompt.expect("(To exit, press Ctrl+C again or Ctrl+D or type .exit)");
    prompt.send("\x03");
    assert!(prompt.child.wait().expect("it ends").success());
}
