//! `mauve why`, asked about running programs.
//!
//! The programs are C, on our `libuv.so.1`, and know nothing of being asked. Who may not debug
//! other processes cannot run these tests, and they say so.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A program that is ended with its children when the test is over.
struct Running {
    child: Child,
    /// What the program calls its loop.
    address: String,
}

impl Running {
    fn start(program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).env("LD_LIBRARY_PATH", library()).stdout(Stdio::piped());
        // A group of its own, so that what it starts can be ended with it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        let address = line.strip_prefix("ready ").expect("it is ready").trim().to_owned();
        Self { child, address }
    }

    fn why(&self, more: &[&str]) -> Output {
        why(&self.child.id().to_string(), more)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let group = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let _ = self.child.wait();
    }
}

fn why(process: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.arg("why").arg(process).args(more).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder in which our library goes by the name that the loader looks for. Cargo builds it for
/// this test, and puts it beside it.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let built = test.parent().expect("a folder").join("libuv.so");
    assert!(built.exists(), "there is no {}", built.display());
    let folder = scratch().join("library");
    std::fs::create_dir_all(&folder).expect("a folder");
    let link = folder.join("libuv.so.1");
    // Several tests make the same link.
    let _ = std::os::unix::fs::symlink(&built, &link);
    assert_eq!(std::fs::read_link(&link).expect("a link"), built);
    folder
}

fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("why")
}

fn compiled(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name);
    let program = scratch().join(name).with_extension(format!("{:?}", std::thread::current().id()));
    std::fs::create_dir_all(scratch()).expect("a folder");
    let mut compiler = Command::new("cc");
    compiler.args(["-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread"]);
    let status = compiler.arg(&source).arg("-o").arg(&program).arg("-luv").status();
    assert!(status.expect("cc runs").success(), "{name} does not compile");
    program
}

/// The line of the answer that begins with `what`, marked as a reason to stay alive or not.
fn line<'a>(answer: &'a str, mark: char, what: &str) -> &'a str {
    let begin = format!("  {mark} {what} 0x");
    let mut lines = answer.lines().filter(|line| line.starts_with(&begin));
    let found = lines.next().unwrap_or_else(|| panic!("no {begin:?} in\n{answer}"));
    assert_eq!(lines.next(), None, "more than one {what} in\n{answer}");
    found
}

#[test]
fn a_sleeping_program_says_all_that_keeps_it_alive() {
    let running = Running::start(&compiled("busy.c"), &[]);
    for _ in 0..2 {
        let output = running.why(&[]);
        let answer = text(&output.stdout);
        assert!(output.status.success(), "{}{answer}", text(&output.stderr));
        let title = format!("loop {}, run by thread {}: ", running.address, running.child.id());
        assert!(answer.contains(&title), "{title} in\n{answer}");
        assert!(answer.contains("6 things keep it alive"), "{answer}");

        let server = line(&answer, '*', "tcp");
        assert!(server.contains(", at 127.0.0.1:"), "{server}");
        assert!(server.contains(", listening, ") && server.contains(", fd "), "{server}");
        let timer = line(&answer, '*', "timer");
        assert!(
            timer.contains(", due in 3") && timer.contains(", repeats every 1000 ms"),
            "{timer}"
        );
        assert!(timer.ends_with(" old"), "{timer}");
        let write = line(&answer, '*', "write");
        assert!(write.contains(" bytes left"), "{write}");
        assert!(line(&answer, '*', "process").contains(", pid "), "{answer}");
        assert!(line(&answer, '*', "signal").contains(", watches signal 12"), "{answer}");
        line(&answer, '*', "work");

        assert!(line(&answer, ' ', "pipe").contains(" bytes unsent"), "{answer}");
        let event = line(&answer, ' ', "fs_event");
        assert!(event.contains(", watches /tmp, unreferenced"), "{event}");
        assert!(line(&answer, ' ', "idle").contains(", inactive"), "{answer}");
    }
}

#[test]
fn a_loop_that_watches_nothing_answers_as_any_other() {
    // With a timer, without one, and with something to watch every other millisecond.
    for arguments in [&[][..], &["patient"], &["restless"]] {
        let running = Running::start(&compiled("quiet.c"), arguments);
        for _ in 0..20 {
            let output = running.why(&[]);
            let answer = text(&output.stdout);
            assert!(output.status.success(), "{}{answer}", text(&output.stderr));
            let title = format!("loop {}, run by thread {}: ", running.address, running.child.id());
            assert!(answer.contains(&title), "{arguments:?}: {title} in\n{answer}");
            line(&answer, '*', "async");
        }
    }
}

#[test]
fn a_program_whose_callback_does_not_return_is_said_to_be_in_it() {
    let running = Running::start(&compiled("busy.c"), &["stuck"]);
    let output = running.why(&["--wait", "0.3"]);
    let answer = text(&output.stdout);
    assert!(output.status.success(), "{}{answer}", text(&output.stderr));
    assert!(answer.contains("does not answer. It is in a callback since "), "{answer}");
    assert!(answer.contains("state: S (sleeping)"), "{answer}");
    assert!(answer.contains("gdb -p"), "{answer}");
}

#[test]
fn a_process_without_a_loop_of_ours_is_told_apart() {
    let mut child = Command::new("sleep").arg("60").spawn().expect("sleep starts");
    let output = why(&child.id().to_string(), &[]);
    child.kill().and_then(|()| child.wait()).expect("sleep ends");
    assert!(!output.status.success());
    let error = text(&output.stderr);
    assert!(error.contains("(sleep) does not use mauve"), "{error}");
}

#[test]
fn a_process_that_does_not_exist_is_said_not_to() {
    let output = why("999999999", &[]);
    assert!(!output.status.success());
    let error = text(&output.stderr);
    assert!(error.contains("there is no process 999999999"), "{error}");
}
