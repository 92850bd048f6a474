//! Runs a program with a timeout.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::library::Library;
use super::target;

/// How a program terminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal(i32),
    TimedOut,
}

/// The result of running a program.
pub struct Outcome {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `program` on `library`.
pub fn run(
    program: &Path,
    library: &Library,
    environment: &[(String, String)],
) -> Result<Outcome, String> {
    // Output goes to files, because a full pipe would block the program.
    let output_file = |what: &str| program.with_extension(format!("{}.{what}", label(library)));
    let (out, err) = (output_file("out"), output_file("err"));
    let file = |path| File::create(path).map_err(|e| format!("{}: {e}", program.display()));
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(file(&out)?).stderr(file(&err)?);
    // Variables that affect the programs are not inherited from the test.
    command.env_remove("LD_LIBRARY_PATH").env_remove("UV_THREADPOOL_SIZE");
    command.env_remove("MAUVE_CHECK").env_remove("MAUVE_BACKTRACE");
    command.envs(environment.iter().map(|(name, value)| (name, value)));
    if let Some(directory) = library.directory() {
        command.env("LD_LIBRARY_PATH", directory);
    }
    let child = command.spawn().map_err(|e| format!("{}: {e}", program.display()))?;
    let end = wait(child)?;
    let read = |path| std::fs::read(path).map_err(|e| e.to_string());
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Outcome { end, stdout: text(read(&out)?), stderr: text(read(&err)?) })
}

fn label(library: &Library) -> &'static str {
    match library {
        Library::Debian => "debian",
        Library::Ours => "ours",
        Library::Newer(_) => "newer",
    }
}

fn wait(mut child: Child) -> Result<End, String> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(ended(status));
        }
        if begin.elapsed() > target::timeout() {
            let _ = child.kill();
            child.wait().map_err(|e| e.to_string())?;
            return Ok(End::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn ended(status: ExitStatus) -> End {
    match status.code() {
        Some(code) => End::Exit(code),
        None => End::Signal(status.signal().unwrap_or_default()),
    }
}
