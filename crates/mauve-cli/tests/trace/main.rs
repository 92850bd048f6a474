//! `mauve trace`, `mauve top` and the watchdog, on C programs, a Rust program and a script.

mod ends;
mod failures;
mod stacks;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

const MESSAGES: usize = 1000;
const JOBS: usize = 40;

fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trace");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The traced C program, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/traced.c");
        let program = scratch().join("traced");
        let mut compiler = Command::new("cc");
        compiler.args(["-g", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread"]);
        // mauve's header and library: Debian's may be older than `uv_metrics_info`.
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mauve-uv/include");
        let library = std::env::current_exe().expect("this test").with_file_name("libuv.so");
        compiler.arg("-I").arg(include).arg(&source).arg(library);
        let status = compiler.arg("-o").arg(&program).status();
        assert!(status.expect("cc runs").success(), "traced.c does not compile");
        program
    })
}

fn mauve(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command runs")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let library = std::env::current_exe().expect("this test").with_file_name("libuv.so");
    command.env("MAUVE_LIB", library).args(arguments);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The events of a trace of the C program, the output of the command, and its exit code.
struct Traced {
    events: Vec<Value>,
    output: Output,
}

fn traced(name: &str, arguments: &[&str]) -> Traced {
    let file = output_file(name);
    let mut all = vec!["trace", "-o", file.to_str().expect("UTF-8")];
    all.extend(arguments);
    Traced::read(&file, mauve(&all))
}

/// The file for the trace of a test. It does not exist.
fn output_file(name: &str) -> PathBuf {
    let file = scratch().join(name).with_extension("json");
    let _ = std::fs::remove_file(&file);
    file
}

impl Traced {
    fn read(file: &Path, output: Output) -> Self {
        let json = std::fs::read(file).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
        let mut json: Value = serde_json::from_slice(&json).expect("valid JSON");
        let Value::Array(events) = json["traceEvents"].take() else { panic!("no events") };
        Self { events, output }
    }

    /// The events of a category, and of a phase of the Trace Event format.
    fn of(&self, category: &str, phase: &str) -> Vec<&Value> {
        let of = |event: &&Value| event["cat"] == category && event["ph"] == phase;
        self.events.iter().filter(of).collect()
    }

    fn callbacks(&self, name: &str) -> usize {
        self.of("callback", "X").iter().filter(|event| event["name"] == name).count()
    }
}

#[test]
fn a_c_program_has_its_callbacks_requests_and_names_in_the_trace() {
    let traced = traced("whole", &[program().to_str().unwrap()]);
    assert_eq!(traced.output.status.code(), Some(7), "{}", text(&traced.output.stderr));
    // The reads of the client and of the server, which may read less often than it is called.
    assert!(traced.callbacks("on_echo") >= MESSAGES);
    assert!(traced.callbacks("on_message") >= MESSAGES);
    assert_eq!(traced.callbacks("on_hashed"), JOBS);
    assert_eq!(traced.callbacks("block_the_loop"), 1);
    assert_eq!((traced.callbacks("on_connection"), traced.callbacks("on_async")), (1, 1));
    // Every request has an arrow from its submission over the pool thread to its callback.
    for phase in ["s", "t", "f"] {
        assert_eq!(traced.of("request", phase).len(), JOBS, "{phase}");
    }
    let jobs = traced.of("job", "X");
    assert!(jobs.iter().all(|job| job["name"] == "hash_file") && jobs.len() == JOBS, "{jobs:?}");
    let callbacks = traced.of("callback", "X");
    let blocked = callbacks.iter().find(|event| event["name"] == "block_the_loop").unwrap();
    assert!(blocked["dur"].as_f64().unwrap() >= 60_000.0, "{blocked}");
    let function = blocked["args"]["function"].as_str().unwrap();
    assert!(function.contains("traced.c:"), "{function}");
}

#[test]
fn the_metrics_of_libuv_agree_with_the_trace() {
    let traced = traced("metrics", &[program().to_str().unwrap()]);
    let printed = text(&traced.output.stdout);
    let numbers: Vec<f64> =
        printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [iterations, events, events_waiting, idle] = numbers[..] else { panic!("{printed}") };
    let all = traced.of("loop", "X");
    assert_eq!(all.len() as f64, iterations);
    let sum = |of: &str| all.iter().map(|one| one["args"][of].as_f64().unwrap()).sum::<f64>();
    assert_eq!((sum("events"), sum("events_waiting")), (events, events_waiting));
    assert!(events >= 2.0 * MESSAGES as f64, "{printed}");
    let waits = traced.of("wait", "X").into_iter();
    let waits = waits.filter(|wait| wait["args"]["timeout_ns"] != 0);
    let waited: f64 = waits.map(|wait| wait["dur"].as_f64().unwrap() * 1000.0).sum();
    // The trace includes the time that it takes to write a record.
    assert!((waited - idle).abs() < idle * 0.2 + 2e6, "{waited} in the trace, {idle} measured");
}

#[test]
fn a_summary_and_a_page_are_written() {
    let summary = mauve(&["trace", program().to_str().unwrap()]);
    let summary = text(&summary.stderr);
    assert!(summary.contains("block_the_loop") && summary.contains("slowest"), "{summary}");
    let page = scratch().join("page.html");
    let output = mauve(&["trace", "-o", page.to_str().unwrap(), program().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(7));
    assert!(std::fs::read_to_string(page).unwrap().contains("<html"));
}

/// A program that runs a timer until it is dropped.
struct Running(Child);

impl Running {
    fn start() -> Self {
        Self::start_with("forever")
    }

    fn start_with(argument: &str) -> Self {
        let folder = scratch().join("library");
        std::fs::create_dir_all(&folder).expect("a folder");
        let built = std::env::current_exe().expect("this test").with_file_name("libuv.so");
        let _ = std::os::unix::fs::symlink(built, folder.join("libuv.so.1"));
        let mut command = Command::new(program());
        command.arg(argument).env("LD_LIBRARY_PATH", folder).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).expect("a line");
        Self(child)
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_running_process_is_traced_twice_and_goes_on() {
    let mut running = Running::start();
    for name in ["first", "second"] {
        let traced = traced(name, &["--pid", &running.pid(), "--for", "300ms"]);
        assert!(traced.output.status.success(), "{}", text(&traced.output.stderr));
        let ticks = traced.callbacks("tick");
        assert!((10..=310).contains(&ticks), "{ticks} ticks");
    }
    assert!(running.0.try_wait().unwrap().is_none());
}

#[test]
fn top_prints_a_picture_and_metrics() {
    let running = Running::start();
    let picture = mauve(&["top", &running.pid(), "--once", "--window", "300ms"]);
    let picture = text(&picture.stdout);
    assert!(picture.contains("utilisation") && picture.contains("timer"), "{picture}");
    assert!(picture.contains("tick ("), "{picture}");
    // The window begins after the handles were opened.
    let (_, handles) = picture.split_once("handles").expect("a table");
    assert!(handles.contains("timer"), "{picture}");
    let metrics = mauve(&["top", &running.pid(), "--openmetrics", "--window", "300ms"]);
    let metrics = text(&metrics.stdout);
    assert!(metrics.contains("mauve_loop_utilisation{pid=") && metrics.ends_with("# EOF\n"));
    // The counter of iterations has counted before the window, which has the histograms.
    let value = |name: &str| -> f64 {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.split_once("} "));
        line.and_then(|(_, value)| value.parse().ok()).unwrap_or_else(|| panic!("{metrics}"))
    };
    let of_window = value("mauve_loop_busy_seconds_count");
    assert!(of_window > 0.0 && value("mauve_loop_iterations_total") > of_window, "{metrics}");
    let of_timers = format!(
        "mauve_callback_seconds_bucket{{pid=\"{}\",kind=\"timer\",le=\"+Inf\"",
        running.pid()
    );
    assert_eq!(value(&of_timers), value("mauve_callback_seconds_count"), "{metrics}");
}

/// A loop that waits records nothing: the time since its last record belongs to the picture and the trace.
#[test]
fn a_loop_that_waits_for_longer_than_the_window_is_not_busy() {
    let running = Running::start_with("idle");
    let metrics = mauve(&["top", &running.pid(), "--openmetrics", "--window", "1s"]);
    let metrics = text(&metrics.stdout);
    let value = |name: &str| -> f64 {
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.split_once("} "));
        line.and_then(|(_, value)| value.parse().ok()).unwrap_or_else(|| panic!("{metrics}"))
    };
    assert!(value("mauve_loop_utilisation") < 0.5, "{metrics}");
    assert!(value("mauve_window_seconds") > 0.5, "{metrics}");
    let traced = traced("idle", &["--pid", &running.pid(), "--for", "1s"]);
    let waits = traced.of("wait", "X");
    let longest = waits.iter().filter_map(|wait| wait["dur"].as_f64()).fold(0.0, f64::max);
    assert!(longest > 500_000.0, "{waits:?}");
}

/// What the watchdog reports of a program that blocks its loop until its input ends, up to the line of
/// the stack that contains `frame`.
fn watchdog_report(end: &str, frame: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let library = std::env::current_exe().expect("this test").with_file_name("libuv.so");
    command.env("MAUVE_LIB", library).env("MAUVE_WATCHDOG", "10").args(["with", "-q"]);
    // The program stays until its input ends, because names are found after the callback returned.
    command.arg(program()).arg(end).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).spawn().expect("the command runs");
    let errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut report = String::new();
    for line in errors.lines().map_while(Result::ok) {
        report += &format!("{line}\n");
        // Other callbacks may take long, too, on a busy machine.
        if line.starts_with(&format!("    {frame}")) && report.contains("a timer callback") {
            break;
        }
    }
    drop(child.stdin.take());
    let _ = child.wait();
    assert!(report.contains("a timer callback blocks the loop"), "{report}");
    report
}

#[test]
fn the_watchdog_reports_a_blocked_loop_while_it_is_blocked() {
    let report = watchdog_report("stay", "block_the_loop");
    assert!(report.contains("    block_the_loop"), "the stack has the function: {report}");
}

#[test]
fn the_watchdog_reports_the_stack_of_a_wait_for_a_lock() {
    let report = watchdog_report("lock", "wait_for_the_lock");
    assert!(report.contains(", in futex\n"), "{report}");
    assert!(report.contains("    wait_for_the_lock"), "the stack has the function: {report}");
}

#[test]
fn the_watchdog_does_not_interrupt_a_sleep() {
    let mut command = command(&["with", "-q", program().to_str().unwrap(), "sleep"]);
    let output = command.env("MAUVE_WATCHDOG", "10").output().expect("the command runs");
    let (report, printed) = (text(&output.stderr), text(&output.stdout));
    assert!(!printed.contains("interrupted"), "{printed}");
    assert_eq!(output.status.code(), Some(7), "{report}");
    // With the line if the library was built with the feature that finds it.
    assert!(report.contains(": block_the_loop"), "{report}");
    assert!(report.contains("nanosleep"), "{report}");
}

#[test]
fn a_script_has_its_functions_in_the_trace() {
    let script = scratch().join("script.js");
    let code = "function busy(end) {\n  while (Date.now() < end) {\n    Math.sqrt(2);\n  }\n}\n\
                setTimeout(function later() { busy(Date.now() + 4000); }, 5);\n\
                setImmediate(function soon() { process.nextTick(function tick() {}); });\n\
                Promise.resolve().then(() => 1);\n";
    std::fs::write(&script, code).unwrap();
    let file = scratch().join("script.json");
    let script = script.to_str().unwrap();
    let output = mauve(&["run", "--trace", file.to_str().unwrap(), "--watchdog", "300", script]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let Value::Array(events) = &json["traceEvents"] else { panic!("no events") };
    for (name, kind) in
        [("later", "timeout"), ("soon", "immediate"), ("tick", "tick"), ("main script", "script")]
    {
        let is = |event: &&Value| event["name"] == name && event["args"]["kind"] == kind;
        let event = events.iter().find(is).unwrap_or_else(|| panic!("no {name}"));
        let function = event["args"]["function"].as_str().unwrap();
        assert!(function.contains("script.js"), "{function}");
    }
    assert!(events.iter().any(|event| event["args"]["kind"] == "microtasks"));
    let report = text(&output.stderr);
    assert!(report.contains("later (") && report.contains("script.js:6)"), "{report}");
    // The function that runs, inside of the callback.
    assert!(report.contains("    busy (") && report.contains("script.js:"), "{report}");
}

#[test]
fn a_rust_program_has_the_locations_of_its_closures_and_tasks() {
    let traced = traced("rust", &[env!("CARGO_BIN_EXE_mauve"), "demo"]);
    let callbacks = traced.of("callback", "X");
    let locations: Vec<&str> =
        callbacks.iter().filter_map(|event| event["args"]["function"].as_str()).collect();
    assert!(locations.iter().any(|at| at.contains("demo.rs:")), "{locations:?}");
    assert!(callbacks.iter().any(|event| event["args"]["kind"] == "task"));
}
