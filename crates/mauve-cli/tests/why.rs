//! `mauve why` on running C programs, which are linked with mauve's `libuv.so.1`.
//!
//! These tests need the permission to debug other processes.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A running program. Dropping it kills the program and its children.
struct Running {
    child: Child,
    /// The address of the program's loop.
    address: String,
}

impl Running {
    fn start(program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).env("LD_LIBRARY_PATH", library()).stdout(Stdio::piped());
        // A process group, so that its children can be killed with it.
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

/// A folder with a link `libuv.so.1` to mauve's library, which cargo builds beside this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let built = test.parent().expect("a folder").join("libuv.so");
    assert!(built.exists(), "{} does not exist", built.display());
    let folder = scratch().join("library");
    std::fs::create_dir_all(&folder).expect("a folder");
    let link = folder.join("libuv.so.1");
    // Several tests create the same link.
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
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mauve-uv/include");
    compiler.arg("-I").arg(include).arg(&source).arg(library().join("libuv.so.1"));
    let status = compiler.arg("-o").arg(&program).status();
    assert!(status.expect("cc runs").success(), "{name} does not compile");
    program
}

/// The line of the report that starts with `what`. The mark `*` means that it keeps the loop alive.
fn line<'a>(report: &'a str, mark: char, what: &str) -> &'a str {
    let begin = format!("  {mark} {what} 0x");
    let mut lines = report.lines().filter(|line| line.starts_with(&begin));
    let found = lines.next().unwrap_or_else(|| panic!("no {begin:?} in\n{report}"));
    assert_eq!(lines.next(), None, "more than one {what} in\n{report}");
    found
}

#[test]
fn the_handles_and_requests_of_a_sleeping_loop_are_listed() {
    let running = Running::start(&compiled("many_handles.c"), &[]);
    for _ in 0..2 {
        let output = running.why(&[]);
        let report = text(&output.stdout);
        assert!(output.status.success(), "{}{report}", text(&output.stderr));
        let title = format!("loop {}, run by thread {}: ", running.address, running.child.id());
        assert!(report.contains(&title), "{title} in\n{report}");
        assert!(report.contains("6 things keep it alive"), "{report}");

        let server = line(&report, '*', "tcp");
        assert!(server.contains(", at 127.0.0.1:"), "{server}");
        assert!(server.contains(", listening, ") && server.contains(", fd "), "{server}");
        let timer = line(&report, '*', "timer");
        assert!(
            timer.contains(", due in 3") && timer.contains(", repeats every 1000 ms"),
            "{timer}"
        );
        assert!(timer.contains(" old, calls on_timer"), "{timer}");
        assert!(server.contains(", calls on_connection"), "{server}");
        let write = line(&report, '*', "write");
        assert!(write.contains(" bytes left"), "{write}");
        assert!(line(&report, '*', "process").contains(", pid "), "{report}");
        assert!(line(&report, '*', "signal").contains(", watches signal 12"), "{report}");
        assert!(line(&report, '*', "work").contains(", calls after_work"), "{report}");

        assert!(line(&report, ' ', "pipe").contains(" bytes unsent"), "{report}");
        let event = line(&report, ' ', "fs_event");
        assert!(event.contains(", watches /tmp, unreferenced"), "{event}");
        assert!(line(&report, ' ', "idle").contains(", inactive"), "{report}");
    }
}

#[test]
fn a_loop_without_descriptors_responds() {
    // With a timer, without one, and with a poll handle that starts and stops every millisecond.
    for arguments in [&[][..], &["no_timer"], &["toggle"]] {
        let running = Running::start(&compiled("no_descriptors.c"), arguments);
        for _ in 0..20 {
            let output = running.why(&[]);
            let report = text(&output.stdout);
            assert!(output.status.success(), "{}{report}", text(&output.stderr));
            let title = format!("loop {}, run by thread {}: ", running.address, running.child.id());
            assert!(report.contains(&title), "{arguments:?}: {title} in\n{report}");
            line(&report, '*', "async");
        }
    }
}

#[test]
fn a_callback_that_does_not_return_is_reported() {
    let running = Running::start(&compiled("many_handles.c"), &["stuck"]);
    let output = running.why(&["--wait", "0.3"]);
    let report = text(&output.stdout);
    assert!(output.status.success(), "{}{report}", text(&output.stderr));
    assert!(report.contains("does not respond. It has been in a callback for "), "{report}");
    assert!(report.contains("state: S (sleeping)"), "{report}");
    let (_, stack) = report.split_once("below what it has called:\n").expect("a stack");
    // Up to the function that the loop has called.
    let last = stack.trim_end().lines().last().expect("a function");
    assert!(last.starts_with("    never_returns"), "{report}");
}

/// A script that runs until the value is dropped. It has printed a line.
fn start_script(name: &str, code: &str) -> (Child, PathBuf) {
    std::fs::create_dir_all(scratch()).expect("a folder");
    let script = scratch().join(name);
    std::fs::write(&script, code).expect("a script");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let mut child =
        command.arg("run").arg(&script).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).expect("a line");
    (child, script)
}

#[test]
fn top_and_trace_say_which_loop_is_in_a_callback_since_before_the_trace() {
    let running = Running::start(&compiled("many_handles.c"), &["stuck"]);
    // Longer than the resolution of the loop's clock.
    std::thread::sleep(std::time::Duration::from_millis(100));
    let pid = running.child.id().to_string();
    for arguments in [["top", "--once", "--window=100ms"], ["trace", "--for=100ms", "--pid"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
        let output = command.args(arguments).arg(&pid).output().expect("the command runs");
        let report = text(&output.stdout) + &text(&output.stderr);
        let expected = format!("loop {} has been in a callback for ", running.address);
        assert!(report.contains(&expected), "{report}");
        assert!(report.contains(&format!("`mauve why {pid}` shows where")), "{report}");
    }
}

#[test]
fn the_timers_of_a_script_have_the_names_of_their_functions() {
    let code = "setInterval(function poll() {}, 60000);\nsetTimeout(() => {}, 70000);\n\
                setImmediate(() => console.log('ready'));\n";
    let (mut child, script) = start_script("timers.js", code);
    let report = text(&why(&child.id().to_string(), &[]).stdout);
    child.kill().and_then(|()| child.wait()).expect("it ends");
    let script = script.display();
    assert!(report.contains(&format!("setInterval poll ({script}:1), 60000 ms\n")), "{report}");
    assert!(
        report.contains(&format!("setTimeout (anonymous) ({script}:2), 70000 ms\n")),
        "{report}"
    );
}

#[test]
fn the_servers_of_a_script_have_the_names_of_their_functions() {
    let code = "const net = require('net');\nconst http = require('http');\n\
                net.createServer(function onClient() {}).listen(0, '127.0.0.1');\n\
                const server = http.createServer(handle).listen(0, '127.0.0.1');\n\
                server.on('clientError', () => {});\nfunction handle() {}\n\
                setImmediate(() => console.log('ready'));\n";
    let (mut child, script) = start_script("servers.js", code);
    let report = text(&why(&child.id().to_string(), &[]).stdout);
    child.kill().and_then(|()| child.wait()).expect("it ends");
    let script = script.display();
    for (event, function, line) in
        [("connection", "onClient", 3), ("request", "handle", 6), ("clientError", "(anonymous)", 5)]
    {
        let line = format!(", {event} {function} ({script}:{line})\n");
        assert!(report.contains("    server fd ") && report.contains(&line), "{line} in\n{report}");
    }
    let mut servers = report.lines().filter(|line| line.contains("server fd "));
    assert!(servers.all(|line| !line.contains("(node:")), "{report}");
}

#[test]
fn what_a_script_waits_for_has_the_names_of_its_functions() {
    let code = "const net = require('net');\n\
                net.createServer().listen(0, '127.0.0.1', function listening() {\n\
                const socket = net.connect(this.address().port, '127.0.0.1', () => console.log('ready'));\n\
                socket.on('data', function onData() {});\n});\n\
                require('fs').watch('/', function onChange() {});\n\
                require('child_process').spawn('sleep', ['60']).on('exit', function onExit() {});\n\
                require('dgram').createSocket('udp4').on('message', function onMessage() {}).bind(0, '127.0.0.1');\n\
                process.on('SIGUSR2', function onSignal() {});\n";
    let (mut child, script) = start_script("waits.js", code);
    let report = text(&why(&child.id().to_string(), &["--wait", "60"]).stdout);
    let sleep = report.lines().find_map(|line| line.trim().strip_prefix("child process "));
    let sleep = sleep.and_then(|line| line.split(',').next()?.parse().ok());
    let sleep = sleep.and_then(rustix::process::Pid::from_raw).expect("the child");
    rustix::process::kill_process(sleep, rustix::process::Signal::KILL).expect("it runs");
    child.kill().and_then(|()| child.wait()).expect("it ends");
    let script = script.display();
    for (label, function, line) in [
        ("socket fd ", ", data onData", 4),
        ("watcher of /, ", "change onChange", 6),
        ("child process ", ", exit onExit", 7),
        ("datagram socket fd ", ", message onMessage", 8),
        ("signal SIGUSR2, ", "onSignal", 9),
    ] {
        let end = format!("{function} ({script}:{line})");
        let mut lines = report.lines().map(str::trim);
        assert!(
            lines.any(|line| line.starts_with(label) && line.ends_with(&end)),
            "{label}{end} in\n{report}"
        );
    }
}

#[test]
fn a_script_that_does_not_return_has_its_functions_in_the_report() {
    let code = "function spin() { for (;;); }\nsetTimeout(function later() {\n  \
                console.log('ready');\n  spin();\n}, 1);\n";
    let (mut child, script) = start_script("spin.js", code);
    let report = text(&why(&child.id().to_string(), &["--wait", "60"]).stdout);
    child.kill().and_then(|()| child.wait()).expect("it ends");
    let script = script.display();
    let functions = format!("    spin\n    later ({script}:4)\n");
    assert!(report.contains(&functions), "{functions} in\n{report}");
}

#[test]
fn a_process_without_mauve_is_an_error() {
    let mut child = Command::new("sleep").arg("60").spawn().expect("sleep starts");
    let output = why(&child.id().to_string(), &[]);
    child.kill().and_then(|()| child.wait()).expect("sleep ends");
    assert!(!output.status.success());
    let error = text(&output.stderr);
    assert!(error.contains("(sleep) does not use mauve"), "{error}");
}

#[test]
fn a_process_that_does_not_exist_is_an_error() {
    let output = why("999999999", &[]);
    assert!(!output.status.success());
    let error = text(&output.stderr);
    assert!(error.contains("there is no process 999999999"), "{error}");
}
