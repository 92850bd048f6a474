//! `mauve trace`: what it records of a C program, a Rust program and a script, and its errors.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// An empty folder.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Compiles `tests/programs/traced.c`.
fn compile(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/traced.c");
    let program = folder.join("traced");
    let mut compiler = Command::new("cc");
    compiler.args(["-g", "-Wall", "-Wextra", "-Werror"]).arg(source).arg("-o").arg(&program);
    let output = compiler.arg("-luv").output().expect("cc");
    assert!(output.status.success(), "{}", text(&output.stderr));
    program
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn mauve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let test = std::env::current_exe().expect("the path of this test");
    command.args(arguments).env("MAUVE_LIB", test.with_file_name("libuv.so"));
    command.env_remove("LD_LIBRARY_PATH").env_remove("LD_PRELOAD");
    command
}

/// Traces a program into a file. Returns the file's events and the output.
fn trace(file: &Path, program: &[&str]) -> (Events, Output) {
    let output = mauve(&["trace", "-o"]).arg(file).args(program).output().expect("mauve");
    (Events::read(file, &output), output)
}

/// The events of a Trace Event file.
struct Events(Vec<Value>);

impl Events {
    fn read(file: &Path, output: &Output) -> Self {
        let bytes = std::fs::read(file).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stderr)));
        let value: Value = serde_json::from_slice(&bytes).expect("JSON");
        Self(value["traceEvents"].as_array().expect("events").clone())
    }

    /// How many events have these values.
    fn count(&self, wanted: &[(&str, &str)]) -> usize {
        let has = |event: &&Value| wanted.iter().all(|(key, value)| event[*key] == *value);
        self.0.iter().filter(has).count()
    }

    fn callbacks(&self, function: &str) -> usize {
        self.count(&[("cat", "callback"), ("name", function)])
    }
}

#[test]
fn the_callbacks_of_a_c_program_are_counted() {
    let folder = scratch("counts");
    let program = compile(&folder);
    let (events, output) = trace(&folder.join("x.json"), &[program.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(7), "{}", text(&output.stderr));
    assert_eq!(events.callbacks("on_tick"), 10);
    assert_eq!(events.callbacks("after_job"), 20);
    assert_eq!(events.callbacks("on_message"), 30);
    assert_eq!(events.callbacks("on_sent"), 30);
    assert_eq!(events.callbacks("on_connection"), 1);
    assert_eq!(events.callbacks("on_wakeup"), 1);
    // Every job has its block and its arrow.
    assert_eq!(events.count(&[("cat", "job"), ("name", "run_job")]), 20);
    for point in ["s", "t", "f"] {
        assert_eq!(events.count(&[("cat", "request"), ("ph", point)]), 20, "{point}");
    }
    assert_eq!(events.count(&[("cat", "wakeup"), ("ph", "s")]), 1);
    let tick = events.0.iter().find(|event| event["name"] == "on_tick").expect("a tick");
    let function = tick["args"]["function"].as_str().expect("a name");
    assert!(function.contains("traced.c:"), "{function}");
    assert_eq!(tick["args"]["phase"], "timers");
}

#[test]
fn a_summary_is_printed_without_a_file() {
    let program = compile(&scratch("summary"));
    let output = mauve(&["trace"]).arg(program).output().expect("mauve");
    let summary = text(&output.stderr);
    for part in ["utilisation", "loop 1 (traced)", "slowest callbacks", "traced.c:", "queued"] {
        assert!(summary.contains(part), "{part} is missing in\n{summary}");
    }
}

#[test]
fn a_page_is_written() {
    let folder = scratch("page");
    let file = folder.join("x.html");
    let output = mauve(&["trace", "-o"]).arg(&file).arg(compile(&folder)).output().expect("mauve");
    assert_eq!(output.status.code(), Some(7), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(&file).expect("a page");
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("<script id=\"data\""));
}

#[test]
fn the_trace_of_a_program_that_crashes_is_kept() {
    let folder = scratch("crash");
    let program = compile(&folder);
    for (end, code) in [("crash", 139), ("kill", 137)] {
        let program = [program.to_str().expect("UTF-8"), end];
        let (events, output) = trace(&folder.join("x.json"), &program);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        assert_eq!(events.callbacks("on_tick"), 10);
        assert_eq!(events.callbacks("after_job"), 20);
    }
}

/// A program that runs until it is dropped.
struct Running(Child);

impl Running {
    fn start(folder: &Path) -> Self {
        let mut command = mauve(&["with", "-q"]);
        command.arg(compile(folder)).arg("wait").stdout(Stdio::piped());
        let mut child = Self(command.spawn().expect("mauve"));
        let mut line = String::new();
        let output = child.0.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        child
    }

    /// Runs a command of mauve on the program, which must go on.
    fn observe(&mut self, before: &[&str], after: &[&str]) -> Output {
        let pid = self.0.id().to_string();
        let output = mauve(before).arg(pid).args(after).output().expect("mauve");
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(self.0.try_wait().expect("a child").is_none(), "the program has ended");
        output
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_running_program_is_traced() {
    let folder = scratch("running");
    let file = folder.join("x.json");
    let file_name = file.to_str().expect("UTF-8");
    let mut program = Running::start(&folder);
    let output = program.observe(&["trace", "--pid"], &["--for", "300ms", "-o", file_name]);
    let events = Events::read(&file, &output);
    assert!(events.callbacks("on_tick") > 3);
}

#[test]
fn top_prints_a_picture_and_metrics() {
    let mut program = Running::start(&scratch("top"));
    let picture = text(&program.observe(&["top"], &["--once", "--interval", "300ms"]).stdout);
    for part in ["traced", "utilisation", "iterations/s", "\ntimer ", "on_tick"] {
        assert!(picture.contains(part), "{part} is missing in\n{picture}");
    }
    let metrics =
        text(&program.observe(&["top"], &["--openmetrics", "--interval", "300ms"]).stdout);
    assert!(metrics.contains("mauve_callback_seconds_count{kind=\"timer\"} "), "{metrics}");
    assert!(metrics.ends_with("# EOF\n"));
}

#[test]
fn a_rust_program_is_traced() {
    let folder = scratch("rust");
    let (events, output) = trace(&folder.join("x.json"), &[env!("CARGO_BIN_EXE_mauve"), "demo"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("10! = 3628800"));
    // The demo has three timers, a task that sleeps, one job and one wake-up.
    let kind = |kind: &str| {
        let is_kind = |event: &&Value| event["cat"] == "callback" && event["args"]["kind"] == kind;
        events.0.iter().filter(is_kind).count()
    };
    assert_eq!(kind("timer"), 4);
    assert_eq!(kind("work"), 1);
    assert_eq!(events.count(&[("cat", "job")]), 1);
    // The task uses a wake-up of its own.
    assert!(kind("async") >= 1);
}

#[test]
fn a_script_is_traced() {
    let folder = scratch("script");
    let (script, file) = (folder.join("x.js"), folder.join("x.json"));
    let source = "
        const fs = require('fs');
        let left = 5;
        const interval = setInterval(function onInterval() {
            if (--left === 0) clearInterval(interval);
        }, 1);
        for (let i = 0; i < 4; i++) setImmediate(function onImmediate() {});
        fs.stat('.', function onStat() { process.nextTick(function onTick() {}); });
    ";
    std::fs::write(&script, source).expect("a script");
    let output = mauve(&["run", "--trace"]).arg(&file).arg(&script).output().expect("mauve");
    let events = Events::read(&file, &output);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let timers = events.0.iter().filter(|event| {
        event["cat"] == "callback"
            && event["args"]["phase"] == "timers"
            && event["args"]["kind"] == "timer"
    });
    assert!(timers.count() >= 5);
}

#[test]
fn errors_are_one_line() {
    let folder = scratch("errors");
    let missing = folder.join("missing/x.html");
    let missing = missing.to_str().expect("UTF-8");
    for (arguments, part) in [
        (vec!["trace", "true"], "no loop was traced"),
        (vec!["trace", "-o", "x.txt", "true"], ".html or .json"),
        (vec!["trace", "-o", missing, "true"], "there is no directory"),
        (vec!["trace", "--pid", "4194304", "--for", "1s"], "4194304"),
        (vec!["trace", "/no/such/program"], "/no/such/program"),
        (vec!["top", "4194304", "--once"], "4194304"),
    ] {
        let output = mauve(&arguments).output().expect("mauve");
        let errors = text(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
}
