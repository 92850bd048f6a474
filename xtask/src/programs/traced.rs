//! Traces of programs: a script runs while its loops are recorded, and the trace is checked.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use mauve_trace::model::CallbackKind;
use mauve_trace::{Reader, Trace, html, json};

use super::check::{Check, TIMEOUT};
use crate::process::Process;
use crate::{files, page};

/// A check that runs a script of the program with a trace. There must be at least `wanted` callbacks
/// of a kind. Every pool request must have its callback, and the part on the pool thread unless the
/// loop performed it.
pub fn check(
    title: &str,
    mut command: Command,
    folder: PathBuf,
    (kind, wanted): (CallbackKind, usize),
) -> Check {
    Check::new(format!("a trace of: {title}"), move || {
        let trace = record(&mut command, &folder)?;
        let found = trace.callbacks.iter().filter(|callback| callback.kind == kind).count();
        if found < wanted {
            return Err(format!("{found} {} callbacks, {wanted} expected", kind.name()));
        }
        if trace.dropped > 0 {
            return Err(format!("{} records were dropped", trace.dropped));
        }
        let lost = trace.requests.iter().filter(|request| request.callback.is_none()).count();
        let unnamed = trace.callbacks.iter().filter(|c| c.depth == 0 && c.name.is_none()).count();
        if lost > 0 || unnamed > found {
            return Err(format!("{lost} requests without a callback, {unnamed} without a name"));
        }
        written(&trace, &folder)
    })
}

/// A check that a callback in the trace of a script has the name of a function of the script.
pub fn named(function: &'static str, mut command: Command, folder: PathBuf) -> Check {
    Check::new("a trace names the JavaScript function that computes", move || {
        let trace = record(&mut command, &folder)?;
        let names = trace.callbacks.iter().filter_map(|callback| callback.name);
        let mut names: Vec<&str> = names.map(|name| trace.names[name].function.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        if names.contains(&function) { Ok(()) } else { Err(format!("the names are {names:?}")) }
    })
}

/// Runs the command to its end, and reads its trace meanwhile.
pub fn record(command: &mut Command, folder: &Path) -> Result<Trace, String> {
    let directory = files::create(folder.join("trace"))?;
    command.env(mauve_trace::VARIABLE, &directory);
    let mut process = Process::start(command, folder)?;
    let mut reader = Reader::new(&directory, None);
    let begin = Instant::now();
    while process.exit_status()?.is_none() && begin.elapsed() < TIMEOUT {
        reader.poll();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    process.succeed(TIMEOUT)?;
    Ok(reader.trace())
}

/// Checks that the trace can be written as JSON, with all callbacks, and as a page.
fn written(trace: &Trace, folder: &Path) -> Result<(), String> {
    let (mut page, mut text) = (Vec::new(), Vec::new());
    html::write(trace, &mut page).map_err(|e| e.to_string())?;
    json::write(trace, &mut text).map_err(|e| e.to_string())?;
    let value: serde_json::Value = serde_json::from_slice(&text).map_err(|e| e.to_string())?;
    let events = value["traceEvents"].as_array().ok_or("the JSON has no events")?;
    let callbacks = events.iter().filter(|event| event["cat"] == "callback").count();
    if callbacks != trace.callbacks.len() || page.is_empty() {
        return Err(format!("{callbacks} callbacks in JSON, {} traced", trace.callbacks.len()));
    }
    let file = folder.join("trace.html");
    files::write(&file, page)?;
    shown(&file, callbacks)
}

/// Opens the page, if Chromium is installed.
fn shown(file: &Path, callbacks: usize) -> Result<(), String> {
    if page::lacks_browser().is_some() {
        return Ok(());
    }
    let (file, callbacks) = (file.display().to_string(), callbacks.to_string());
    page::script("pictures.js", ["check", &file, &callbacks]).map(drop)
}
