//! Runs scripts under `node` and under `mauve run`. Their outputs and exit codes must be the same.
//! No expected output is stored.
//!
//! Comments of a script set its arguments, input and environment: `// args: a b`, `// stdin: text`,
//! `// env: NAME=value`. `CORPUS=fs cargo test` runs the scripts whose path contains `fs`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The time limit of a script.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The number of runs that must all differ before a difference is reported.
const ATTEMPTS: usize = 3;

/// `cargo xtask test` skips this module where there is no Node 24.
mod needs_node {
    #[test]
    fn every_script_prints_the_same_as_under_node() {
        super::compare_all(|| {
            let mut command = super::Command::new(super::mauve());
            command.arg("run");
            command
        });
    }

    /// For docs/node-26.md.
    #[test]
    #[ignore = "lists the differences of the node that the variable OTHER_NODE names"]
    fn another_node_prints_the_same() {
        let other = std::env::var_os("OTHER_NODE").expect("OTHER_NODE is the path of a node");
        super::compare_all(|| super::Command::new(&other));
    }
}

/// Compares node with another command.
fn compare_all(other: impl Fn() -> Command + Sync) {
    let version = Command::new(node()).arg("--version").output().expect("node is installed");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    assert!(version.starts_with("v24."), "the corpus is for Node 24, not for {version}");

    let wanted = std::env::var("CORPUS").unwrap_or_default();
    let mut scripts = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"), &mut scripts);
    scripts.retain(|script| script.to_string_lossy().contains(&wanted));
    scripts.sort();
    assert!(!scripts.is_empty(), "no script has {wanted:?} in its path");

    let next = AtomicUsize::new(0);
    let failures = std::thread::scope(|scope| {
        let worker = || {
            let mut failures = Vec::new();
            while let Some(script) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                failures.extend(compare(script, &other));
            }
            failures
        };
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("it collects")).collect()
    });
    let failures: Vec<String> = failures;
    println!("{} scripts, {} differ", scripts.len(), failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Collects the scripts of a folder. Skips folders named `fixtures`.
fn collect(directory: &Path, scripts: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "fixtures") {
                collect(&path, scripts);
            }
        } else if path.extension().is_some_and(|kind| kind == "js" || kind == "mjs") {
            scripts.push(path);
        }
    }
}

/// The difference, if there is one in every attempt. Where system events race with a timer, Node's
/// own output varies.
fn compare(script: &Path, other: &impl Fn() -> Command) -> Option<String> {
    (0..ATTEMPTS).try_fold(None, |_, _| compare_once(script, other()).map(Some)).flatten()
}

fn compare_once(script: &Path, mut other: Command) -> Option<String> {
    let text = std::fs::read_to_string(script).expect("a script is text");
    let node = run(Command::new(node()).arg(script), &text);
    let ours = run(other.arg(script), &text);
    let name = script.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(script).display();
    if node.status.code() != ours.status.code() {
        let stderr = String::from_utf8_lossy(&ours.stderr);
        let (theirs, mine) = (node.status, ours.status);
        return Some(format!("{name}: node exits with {theirs}, mauve with {mine}\n{stderr}"));
    }
    if node.stdout != ours.stdout {
        return Some(format!("{name}: {}", first_difference(&node.stdout, &ours.stdout)));
    }
    None
}

fn first_difference(node: &[u8], ours: &[u8]) -> String {
    let (node, ours) = (String::from_utf8_lossy(node), String::from_utf8_lossy(ours));
    let (mut theirs, mut mine) = (node.lines(), ours.lines());
    for number in 1.. {
        let (a, b) = (theirs.next(), mine.next());
        if a != b || a.is_none() {
            let show = |line: Option<&str>| line.map_or("nothing".to_owned(), |l| format!("{l:?}"));
            return format!("line {number}: node {}, mauve {}", show(a), show(b));
        }
    }
    unreachable!("lines end")
}

/// The node that `cargo xtask setup` has installed, or that of the system.
fn node() -> PathBuf {
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tools/bin/node");
    if own.exists() { own } else { "node".into() }
}

/// The command. The variable MAUVE selects another build.
fn mauve() -> PathBuf {
    std::env::var_os("MAUVE").map_or(env!("CARGO_BIN_EXE_mauve").into(), PathBuf::from)
}

fn run(command: &mut Command, text: &str) -> Output {
    use std::io::Write as _;
    let comment = |what: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(what));
        line.map(|line| line.trim().to_owned())
    };
    if let Some(args) = comment("args:") {
        command.args(args.split_whitespace());
    }
    if let Some((name, value)) = comment("env:").as_deref().and_then(|env| env.split_once('=')) {
        command.env(name, value);
    }
    let input = comment("stdin:");
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    if let Some(input) = input {
        let mut pipe = child.stdin.take().expect("a pipe");
        // Ignores errors: the script may not read its input.
        let _ = pipe.write_all(input.replace("\\n", "\n").as_bytes());
    }
    let pid = child.id();
    let began = Instant::now();
    let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let watch = done.clone();
    let guard = std::thread::spawn(move || {
        while !watch.load(Ordering::Relaxed) {
            if began.elapsed() > TIMEOUT {
                let _ = mauve::process::kill(pid, mauve::signal::SignalKind::kill());
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let output = child.wait_with_output().expect("the output of the command");
    done.store(true, Ordering::Relaxed);
    guard.join().expect("the guard does not panic");
    output
}
