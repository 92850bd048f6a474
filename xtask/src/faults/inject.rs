//! Runs a workload under the injector and parses the result.

use std::fmt;
use std::process::{Command, Stdio};

use super::build::Tools;
use super::errors::Error;

/// One injected fault.
#[derive(Clone, Debug)]
pub struct Fault {
    pub workload: &'static str,
    pub call: String,
    pub error: Error,
    /// The occurrence that fails, counted from 1.
    pub nth: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { name, mode } = self.error;
        write!(f, "{} --call {} --error {name}", self.workload, self.call)?;
        write!(f, " --when {} --mode {}", self.nth, mode.name())
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal(i32),
    Timeout,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub end: End,
    /// How often the error was injected.
    pub hits: u64,
    /// Processor time in milliseconds.
    pub cpu: u64,
    /// What the workload printed.
    pub text: String,
}

/// Why a run has no outcome.
pub enum Failure {
    /// Tracing is not permitted.
    Forbidden,
    Broken(String),
}

/// Counts the calls of a workload without a fault.
pub fn count(tools: &Tools, workload: &str) -> Result<Vec<(String, u64)>, Failure> {
    let (outcome, calls) = run(tools, workload, &["count".to_owned()], 60_000)?;
    if outcome.end != End::Exit(0) {
        let why = format!("{workload} fails without a fault: {:?}\n{}", outcome.end, outcome.text);
        return Err(Failure::Broken(why));
    }
    Ok(calls)
}

/// Runs a workload with a fault. The workload is killed after `timeout` milliseconds.
pub fn inject(tools: &Tools, fault: &Fault, timeout: u64) -> Result<Outcome, Failure> {
    let arguments = [
        fault.call.clone(),
        fault.error.name.to_owned(),
        fault.nth.to_string(),
        fault.error.mode.name().to_owned(),
    ];
    run(tools, fault.workload, &arguments, timeout).map(|(outcome, _)| outcome)
}

type Counted = (Outcome, Vec<(String, u64)>);

fn run(
    tools: &Tools,
    workload: &str,
    arguments: &[String],
    timeout: u64,
) -> Result<Counted, Failure> {
    let mut command = Command::new(&tools.inject);
    command.arg(timeout.to_string()).args(arguments).arg(tools.program(workload));
    command.env("LD_LIBRARY_PATH", &tools.library).env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null());
    let output = command.output().map_err(|e| Failure::Broken(format!("inject: {e}")))?;
    if output.status.code() == Some(77) {
        return Err(Failure::Forbidden);
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    parse(&text).ok_or_else(|| Failure::Broken(format!("unexpected output of inject:\n{text}")))
}

/// Separates the injector's lines from those of the workload.
fn parse(text: &str) -> Option<Counted> {
    let mut calls = Vec::new();
    let mut own = String::new();
    let mut result = None;
    for line in text.lines() {
        if let Some(call) = line.strip_prefix("call: ") {
            let (name, count) = call.split_once(' ')?;
            calls.push((name.to_owned(), count.parse().ok()?));
        } else if let Some(end) = line.strip_prefix("result: ") {
            result = Some(end);
        } else {
            own += line;
            own.push('\n');
        }
    }
    let fields: Vec<&str> = result?.split(' ').collect();
    let [kind, number, hits, cpu] = fields[..] else { return None };
    let number = number.parse().ok()?;
    let end = match kind {
        "exit" => End::Exit(number),
        "signal" => End::Signal(number),
        "timeout" => End::Timeout,
        _ => return None,
    };
    let outcome = Outcome { end, hits: hits.parse().ok()?, cpu: cpu.parse().ok()?, text: own };
    Some((outcome, calls))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_injectors_lines_are_separated_from_the_workloads() {
        let text = "ok: 0 errors\ncall: read 7\nresult: signal 6 1 40\n";
        let (outcome, calls) = parse(text).expect("a result");
        assert_eq!(outcome.end, End::Signal(6));
        assert_eq!((outcome.hits, outcome.cpu, &*outcome.text), (1, 40, "ok: 0 errors\n"));
        assert_eq!(calls, [("read".to_owned(), 7)]);
    }
}
