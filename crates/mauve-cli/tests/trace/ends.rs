//! How a traced program and a trace end.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{JOBS, Running, Traced, command, output_file, program, text, traced};

/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn send(signal: &str, to: &str) {
    let status = Command::new("kill").args(["-s", signal, "--", to]).status();
    assert!(status.expect("kill runs").success(), "{signal} to {to}");
}

/// A command in a process group of its own, as a shell starts it.
struct Foreground {
    child: Child,
    file: PathBuf,
}

impl Foreground {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let file = output_file(name);
        let mut command = command(&["trace", "-o", file.to_str().unwrap()]);
        command.args(arguments).process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("the command starts");
        let this = Self { child, file };
        wait_until("the command handles Ctrl-C", || this.handles_interrupt());
        this
    }

    fn handles_interrupt(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask & 1 << (2 - 1) != 0)
    }

    /// The process id that the program prints.
    fn program(&mut self) -> String {
        let mut line = String::new();
        let output = self.child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a line");
        line.trim().strip_prefix("ready ").expect("a process id").to_owned()
    }

    /// Ctrl-C: a signal to all processes of the group.
    fn interrupt(&self) {
        send("INT", &format!("-{}", self.child.id()));
    }

    fn end(self) -> Traced {
        let output = self.child.wait_with_output().expect("the command ends");
        Traced::read(&self.file, output)
    }
}

#[test]
fn records_survive_a_crash_and_a_kill() {
    for (end, signal) in [("crash", 11), ("kill", 9)] {
        let traced = traced(end, &[program().to_str().unwrap(), end]);
        assert_eq!(traced.output.status.code(), Some(128 + signal));
        assert_eq!(traced.callbacks("block_the_loop"), 1);
    }
}

#[test]
fn a_forked_child_is_traced_too() {
    let traced = traced("fork", &[program().to_str().unwrap(), "fork"]);
    assert_eq!(traced.callbacks("block_the_loop"), 2);
    assert_eq!(traced.callbacks("on_hashed"), 2 * JOBS);
}

#[test]
fn a_program_that_executes_another_is_traced_on() {
    let traced = traced("exec", &[program().to_str().unwrap(), "exec"]);
    assert_eq!(traced.output.status.code(), Some(7));
    assert_eq!(traced.callbacks("block_the_loop"), 2);
    assert_eq!(traced.callbacks("on_hashed"), 2 * JOBS);
}

#[test]
fn the_end_of_a_trace_is_kept() {
    let traced = traced("last", &["--last", "40ms", program().to_str().unwrap()]);
    let callbacks = traced.of("callback", "X");
    let latest = callbacks.iter().filter_map(|event| event["ts"].as_f64()).fold(0.0, f64::max);
    assert!(!callbacks.is_empty() && latest <= 40_000.0, "{latest} µs after the first record");
}

#[test]
fn an_interrupt_ends_the_trace_and_the_program() {
    let mut traced = Foreground::start("interrupt", &[program().to_str().unwrap(), "forever"]);
    let pid = traced.program();
    traced.interrupt();
    let traced = traced.end();
    assert_eq!(traced.output.status.code(), Some(128 + 2), "{}", text(&traced.output.stderr));
    assert!(!traced.of("callback", "X").is_empty());
    assert!(!Path::new(&format!("/proc/{pid}")).exists());
}

#[test]
fn a_program_that_ignores_an_interrupt_does_not_delay_the_file() {
    let mut traced = Foreground::start("ignore", &[program().to_str().unwrap(), "ignore"]);
    let pid = traced.program();
    traced.interrupt();
    let file = traced.file.clone();
    wait_until("the trace is written", || {
        // It is complete if it can be parsed.
        let json = std::fs::read(&file).unwrap_or_default();
        serde_json::from_slice::<serde_json::Value>(&json).is_ok()
    });
    assert!(Path::new(&format!("/proc/{pid}")).exists(), "the program goes on");
    send("KILL", &pid);
    let traced = traced.end();
    assert_eq!(traced.output.status.code(), Some(128 + 9), "{}", text(&traced.output.stderr));
    assert!(traced.callbacks("tick") > 0);
}

#[test]
fn an_interrupt_ends_the_trace_of_a_running_process() {
    let mut running = Running::start();
    let traced = Foreground::start("detach", &["--pid", &running.pid()]);
    std::thread::sleep(Duration::from_millis(200));
    traced.interrupt();
    let traced = traced.end();
    assert_eq!(traced.output.status.code(), Some(0), "{}", text(&traced.output.stderr));
    assert!(traced.callbacks("tick") > 0);
    assert!(running.0.try_wait().unwrap().is_none(), "the process goes on");
}

#[test]
fn a_wakeup_from_a_signal_handler_allocates_nothing_and_has_an_arrow() {
    let traced = traced("signal", &[program().to_str().unwrap(), "signal"]);
    assert_eq!(traced.output.status.code(), Some(7), "{}", text(&traced.output.stderr));
    assert_eq!(traced.callbacks("on_async"), 1);
    assert_eq!((traced.of("wakeup", "s").len(), traced.of("wakeup", "f").len()), (1, 1));
}

/// The command that traces may be killed, or its terminal closed, before it can end the trace.
#[test]
fn a_process_can_be_traced_again_when_the_tracing_command_was_killed() {
    let running = Running::start();
    let pid = running.pid();
    let mut killed = Foreground::start("killed", &["--pid", &pid]);
    let directory = format!("mauve-records-{}-", killed.child.id());
    let records = || {
        let entries = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        let mut entries = entries.chain(std::fs::read_dir(std::env::temp_dir()).unwrap().flatten());
        let found =
            entries.find(|entry| entry.file_name().to_string_lossy().starts_with(&directory));
        found.map(|entry| entry.path())
    };
    wait_until("the process records", || {
        records().is_some_and(|path| std::fs::read_dir(path).is_ok_and(|files| files.count() > 0))
    });
    let refused = traced_again(&pid);
    assert!(refused.contains("is being traced already"), "{refused}");
    killed.child.kill().expect("killed");
    killed.child.wait().expect("ended");
    assert!(records().is_some());
    let traced = traced("again", &["--pid", &pid, "--for", "300ms"]);
    assert!(traced.output.status.success(), "{}", text(&traced.output.stderr));
    assert!(traced.callbacks("tick") > 0);
    assert!(records().is_none(), "the records of the killed command take memory");
}

/// What `mauve top` reports of a process that is being traced.
fn traced_again(pid: &str) -> String {
    text(
        &command(&["top", pid, "--once", "--window", "100ms"])
            .output()
            .expect("the command runs")
            .stderr,
    )
}
