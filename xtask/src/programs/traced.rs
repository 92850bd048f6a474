//! Programs under `mauve trace`: the trace has the callbacks of a known amount of work, in JSON and in
//! the page.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::check::{Check, TIMEOUT};
use super::environment::Environment;
use super::process::Process;
use crate::page::Browser;
use crate::target;

/// How many callbacks of a kind a trace must have at least.
pub struct Expected {
    pub kind: &'static str,
    pub callbacks: usize,
    /// How many requests run on the pool, at least. The loop may do some file operations itself.
    pub jobs: usize,
}

/// Traces a program. `command` makes the command that runs `mauve` with the arguments.
pub fn check(
    env: &Environment,
    name: &str,
    expected: Expected,
    command: impl Fn(&Path) -> Command,
    program: Vec<OsString>,
) -> Result<Check, String> {
    let folder = env.scratch(&format!("traced-{name}"))?;
    let (json, html) = (folder.join("trace.json"), folder.join("trace.html"));
    let mut command = command(&path());
    command.args(["trace", "--library"]).arg(env.library());
    command.arg("-o").arg(&json).arg("-o").arg(&html).args(program);
    let title = format!("traced, {} callbacks of kind {}", expected.callbacks, expected.kind);
    Ok(Check::new(title, move || {
        build()?;
        let output = Process::start(&mut command, &folder)?.succeed(TIMEOUT)?;
        if !output.contains("all done") {
            return Err(format!("exited before it was done\n{output}"));
        }
        let callbacks = check_json(&json, &expected)?;
        check_page(&html, callbacks)
    }))
}

/// The command `mauve`.
fn path() -> PathBuf {
    target().join("debug/mauve")
}

/// Builds the command, and returns its path.
pub fn build() -> Result<PathBuf, String> {
    let mut cargo = crate::build::cargo();
    cargo.args(["build", "--quiet", "--locked", "-p", "mauve-cli"]).current_dir(crate::root());
    let status = cargo.status().map_err(|e| format!("cargo: {e}"))?;
    if status.success() { Ok(path()) } else { Err("cannot build mauve".to_owned()) }
}

/// Returns the number of callbacks.
fn check_json(file: &Path, expected: &Expected) -> Result<usize, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| e.to_string())?;
    let dropped = &value["otherData"]["dropped"];
    if *dropped != 0 {
        return Err(format!("{dropped} records were dropped"));
    }
    let events = value["traceEvents"].as_array().ok_or("no events")?;
    let callbacks: Vec<&Value> = events.iter().filter(|event| event["cat"] == "callback").collect();
    let found = callbacks.iter().filter(|event| event["args"]["kind"] == expected.kind).count();
    if found < expected.callbacks {
        return Err(format!("{found} callbacks of kind {}", expected.kind));
    }
    // Every job has its arrow: from the submission over the job to the callback.
    let count = |key: &str, value: &str| {
        let is_request = |event: &&Value| event["cat"] == "request" || event["cat"] == "job";
        events.iter().filter(|event| is_request(event) && event[key] == value).count()
    };
    let counts = [count("cat", "job"), count("ph", "s"), count("ph", "t"), count("ph", "f")];
    if counts[0] < expected.jobs || counts.iter().any(|count| *count != counts[0]) {
        return Err(format!("jobs and points of their arrows: {counts:?}"));
    }
    Ok(callbacks.len())
}

/// Opens the page, if Chromium is installed.
fn check_page(file: &Path, callbacks: usize) -> Result<(), String> {
    if !Browser::is_installed() {
        return Ok(());
    }
    let mut browser = Browser::start(&file.with_file_name("profile"), 1200, 800, 1.0)?;
    browser.open(file)?;
    browser.settle()?;
    let shown = browser.evaluate("mauve.model.callbacks.rows")?;
    if shown != callbacks {
        return Err(format!("the page has {shown} callbacks, the JSON {callbacks}"));
    }
    match browser.errors() {
        [] => Ok(()),
        errors => Err(format!("errors of the page: {errors:?}")),
    }
}
