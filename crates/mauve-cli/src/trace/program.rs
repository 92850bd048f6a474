//! Starts a program and traces it, with its children.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use mauve::signal::SignalKind;
use mauve_trace::{Reader, Trace};

use super::directory::Directory;
use super::session::{self, End};
use super::{Arguments, Failure, output};
use crate::with;

/// How long a program may take to exit after Ctrl-C before the trace is written.
const GRACE: Duration = Duration::from_secs(1);

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    output::check(&arguments.output)?;
    let mut command = with::command(&arguments.program, arguments.library.as_deref(), false, true)?;
    let directory = Directory::create()?;
    command.env(mauve_trace::VARIABLE, directory.path());
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
    let mut reader = Reader::new(directory.path(), arguments.last);
    let end = read(&mut reader, &mut child)?;
    reader.stop();
    let trace = reader.trace();
    let written = if reader.has_records() {
        output::write(&trace, &arguments.output)
    } else {
        output::write_remarks(&trace);
        eprintln!("mauve: no loop was traced: {}", why_nothing(&trace, &name));
        Ok(())
    };
    // The program may take long to exit after a signal, or ignore it.
    let status = if let Some(status) = end { status } else { wait(&mut child, &name)? };
    written?;
    Ok(exit_code(status, reader.has_records()))
}

/// Reads until the program has exited, or for a moment after a signal. Returns how it exited.
fn read(reader: &mut Reader, child: &mut Child) -> Result<Option<ExitStatus>, String> {
    let mut status = None;
    let mut exited = |_: &mut Reader| {
        status = child.try_wait().ok().flatten();
        status.is_some()
    };
    let end = session::read(reader, &mut exited).map_err(|error| error.to_string())?;
    let End::Signal(signal) = end else { return Ok(status) };
    // Ctrl-C reaches the program, too. Other signals are sent to this command only.
    if signal != SignalKind::interrupt() {
        let _ = mauve::process::kill(child.id(), signal);
    }
    let begin = Instant::now();
    let mut exited = |_: &mut Reader| {
        status = child.try_wait().ok().flatten();
        status.is_some() || begin.elapsed() > GRACE
    };
    session::read(reader, &mut exited).map_err(|error| error.to_string())?;
    Ok(status)
}

fn why_nothing(trace: &Trace, name: &str) -> String {
    if trace.remarks.is_empty() {
        format!("{name} did not run a loop of mauve")
    } else {
        format!("{name} could not record")
    }
}

fn wait(child: &mut Child, name: &str) -> Result<ExitStatus, String> {
    child.wait().map_err(|error| format!("{name}: {error}"))
}

/// The exit code of the program, as a shell has it. Without a trace, a success is none.
fn exit_code(status: ExitStatus, traced: bool) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    match u8::try_from(code).unwrap_or(1) {
        0 if !traced => ExitCode::FAILURE,
        code => ExitCode::from(code),
    }
}
