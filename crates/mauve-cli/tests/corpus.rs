//! Scripts that run under real `node` and under `mauve run`: what they print and how they end
//! must be the same. Nothing that Node prints is stored here; both are run.
//!
//! A script says with a comment what it needs besides: `// args: a b`, `// stdin: text`,
//! `// env: NAME=value`. `CORPUS=fs cargo test` runs the scripts whose path contains `fs`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a script may take.
const LIMIT: Duration = Duration::from_secs(20);

/// How often a script may differ before it does.
const ATTEMPTS: usize = 3;

#[test]
fn every_script_prints_what_it_prints_under_node() {
    let version = Command::new("node").arg("--version").output().expect("node is installed");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    assert!(version.starts_with("v20."), "the corpus is for Node 20, and this is {version}");

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
                failures.extend(compare(script));
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

/// Files of the scripts themselves are in folders named `fixtures`.
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

/// What differs, in words. Where events of the system race with a timer, Node's own output varies;
/// so a script that differs is run again, and differs only if it does so every time.
fn compare(script: &Path) -> Option<String> {
    (0..ATTEMPTS).try_fold(None, |_, _| compare_once(script).map(Some)).flatten()
}

fn compare_once(script: &Path) -> Option<String> {
    let text = std::fs::read_to_string(script).expect("a script is text");
    let node = run(Command::new("node").arg(script), &text);
    let ours = run(Command::new(mauve()).arg("run").arg(script), &text);
    let name = script.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(script).display();
    if node.status.code() != ours.status.code() {
        let stderr = String::from_utf8_lossy(&ours.stderr);
        let (theirs, mine) = (node.status, ours.status);
        return Some(format!("{name}: node ends with {theirs}, mauve with {mine}\n{stderr}"));
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

/// The command; another build of it if the environment names one.
fn mauve() -> PathBuf {
    std::env::var_os("MAUVE").map_or(env!("CARGO_BIN_EXE_mauve").into(), PathBuf::from)
}

fn run(command: &mut Command, text: &str) -> Output {
    use std::io::Write as _;
    let said = |what: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(what));
        line.map(|line| line.trim().to_owned())
    };
    if let Some(args) = said("args:") {
        command.args(args.split_whitespace());
    }
    if let Some((name, value)) = said("env:").as_deref().and_then(|env| env.split_once('=')) {
        command.env(name, value);
    }
    let input = said("stdin:");
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it can be started");
    if let Some(input) = input {
        let mut pipe = child.stdin.take().expect("asked for");
        // A script need not read.
        let _ = pipe.write_all(input.replace("\\n", "\n").as_bytes());
    }
    let pid = child.id() as i32;
    let began = Instant::now();
    let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let watch = done.clone();
    let guard = std::thread::spawn(move || {
        while !watch.load(Ordering::Relaxed) {
            if began.elapsed() > LIMIT {
                let _ = mauve::process::kill(pid, mauve::process::SIGKILL);
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    let output = child.wait_with_output().expect("it ends");
    done.store(true, Ordering::Relaxed);
    guard.join().expect("it only waits");
    output
}
