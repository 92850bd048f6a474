//! Runs programs under a tool and reads the tool's logs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::Tool;
use super::programs::Program;
use crate::{files, parallel, root, target};

/// A program is killed after this time, because tools slow some down too much. Its log is read
/// nevertheless.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The number of programs that run in parallel.
const THREADS: usize = 2;

/// The number of lines of a log that are printed.
const SHOWN_LINES: usize = 60;

/// Runs all programs. Returns the names of those with errors, and the logs.
pub fn all(
    tool: Tool,
    library: &Path,
    programs: &[Program],
) -> Result<Vec<(String, String)>, String> {
    let reports = Mutex::new(Vec::new());
    parallel::for_each(THREADS, programs, |program| {
        if let Ok(Some(report)) | Err(report) = one(tool, library, program) {
            println!("{}: error in {}", tool.name(), program.name);
            reports.lock().expect("no panic").push((program.name.clone(), report));
        }
        Ok(())
    })?;
    let mut reports = reports.into_inner().expect("no panic");
    reports.sort();
    Ok(reports)
}

/// Runs one program. Returns the log if it reports an error.
fn one(tool: Tool, library: &Path, program: &Program) -> Result<Option<String>, String> {
    let path = program.compile(tool, library)?;
    let logs = target().join("sanitize").join(tool.name()).join("logs").join(&program.name);
    files::create_empty(&logs)?;
    let mut command = command(tool, &path, &logs);
    command.env("LD_LIBRARY_PATH", library);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", tool.name()))?;
    let begin = Instant::now();
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if begin.elapsed() > TIMEOUT {
            child.kill().and_then(|()| child.wait()).map_err(|e| e.to_string())?;
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    report(tool, &logs)
}

/// The command that runs a program under the tool. Each process writes its own log.
fn command(tool: Tool, program: &Path, logs: &Path) -> Command {
    let log = logs.join("log");
    let log = log.display();
    match tool {
        Tool::Address => {
            let mut command = Command::new(program);
            // valgrind detects leaks, with suppressions for the intended ones.
            let options = "detect_leaks=0:detect_stack_use_after_return=1";
            command.env("ASAN_OPTIONS", format!("{options}:log_path={log}"));
            command
        }
        Tool::Thread => {
            let mut command = Command::new(program);
            let file = root().join("xtask/src/sanitize/tsan.supp");
            let options = format!("suppressions={}:log_path={log}", file.display());
            command.env("TSAN_OPTIONS", options);
            command
        }
        Tool::Valgrind => {
            let mut command = Command::new("valgrind");
            let suppressions = root().join("xtask/src/sanitize/valgrind.supp");
            command.args(["--quiet", "--leak-check=full", "--show-leak-kinds=definite"]);
            command.args(["--errors-for-leak-kinds=definite", "--child-silent-after-fork=yes"]);
            command.arg(format!("--suppressions={}", suppressions.display()));
            command.arg(format!("--log-file={log}.%p")).arg(program);
            command
        }
    }
}

fn report(tool: Tool, logs: &Path) -> Result<Option<String>, String> {
    let logs = files::entries(logs)?;
    if logs.is_empty() && tool == Tool::Valgrind {
        return Err("valgrind did not start; is it installed?".to_owned());
    }
    for log in logs {
        let bytes = files::at(&log, fs::read(&log))?;
        let text = String::from_utf8_lossy(&bytes);
        if is_report(tool, &text) {
            let lines: Vec<_> = text.lines().take(SHOWN_LINES).collect();
            return Ok(Some(lines.join("\n")));
        }
    }
    Ok(None)
}

/// Whether a log contains an error, and not only warnings.
fn is_report(tool: Tool, log: &str) -> bool {
    match tool {
        Tool::Address => log.contains("ERROR: AddressSanitizer"),
        Tool::Thread => log.contains("WARNING: ThreadSanitizer") || log.contains("FATAL"),
        Tool::Valgrind => VALGRIND_ERRORS.iter().any(|error| log.contains(error)),
    }
}

const VALGRIND_ERRORS: &[&str] = &[
    "Invalid read",
    "Invalid write",
    "Invalid free",
    "Mismatched free",
    "uninitialised",
    "definitely lost",
    "Jump to the invalid address",
    "Source and destination overlap",
    "Process terminating with default action of signal 11",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_about_a_descriptor_is_not_an_error() {
        let log = "==7== Warning: invalid file descriptor -1 in syscall pwritev2()";
        assert!(!is_report(Tool::Valgrind, log));
        assert!(is_report(Tool::Valgrind, "==7== Invalid read of size 4"));
    }
}
