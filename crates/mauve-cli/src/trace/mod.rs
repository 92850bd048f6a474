//! `mauve trace`: records what the loops of a program do, and writes it as a summary, as Trace Event
//! JSON or as an HTML page.
//!
//! The traced processes record into files of a private [directory], which this command reads
//! meanwhile. A program is started with the directory in its [environment](program); a running
//! process gets it through its [probe](attach). What was recorded survives a crash of the program.

mod attach;
mod directory;
pub mod output;
mod program;
mod session;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgAction, ArgMatches, value_parser};

pub use attach::Attached;
pub use directory::{Directory, is_abandoned};
pub use session::read as read_until;

use crate::arguments::{option, program, values};
use crate::with::{self, Refusal};

/// The arguments of `mauve trace`.
pub struct Arguments {
    output: Vec<PathBuf>,
    last: Option<Duration>,
    pid: Option<u32>,
    duration: Option<Duration>,
    library: Option<PathBuf>,
    program: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  mauve trace node server.js                     print a summary
  mauve trace -o trace.html node server.js       write a page
  mauve trace -o trace.json --pid 1234 --for 5s  5 s of it, for Perfetto
  mauve trace --last 10s -o end.html ./program   keep only the end";

/// The definition of the arguments.
pub fn subcommand() -> clap::Command {
    clap::Command::new("trace")
        .about("Record what the loops of a program do: phases, callbacks, pool requests, wake-ups")
        .after_help(EXAMPLES)
        .args([
            option(
                "output",
                "FILE",
                "Write the trace to FILE: .html for a page, .json for Perfetto and Chrome. Without it, \
                 print a summary",
            )
            .short('o')
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf)),
            option("last", "TIME", "Keep only the end of the trace, such as 10s").value_parser(time),
            option("pid", "PID", "Trace this running process instead of a program")
                .value_parser(value_parser!(u32))
                .conflicts_with("program"),
            option(
                "for",
                "TIME",
                "How long to trace a running process, such as 5s [default: until Ctrl-C]",
            )
            .value_parser(time)
            .requires("pid"),
            with::library_option(),
            program("program", "PROGRAM", "The program and its arguments")
                .value_parser(value_parser!(OsString))
                .required_unless_present("pid"),
        ])
}

impl Arguments {
    pub fn new(matches: &mut ArgMatches) -> Self {
        Self {
            output: values(matches, "output"),
            last: matches.remove_one("last"),
            pid: matches.remove_one("pid"),
            duration: matches.remove_one("for"),
            library: matches.remove_one("library"),
            program: values(matches, "program"),
        }
    }
}

/// Why there is no trace.
pub enum Failure {
    /// The program cannot run on mauve.
    Refused(Refusal),
    Other(String),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Other(message)
    }
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let result = match arguments.pid {
        Some(pid) => attach::run(pid, arguments),
        None => program::run(arguments),
    };
    match result {
        Ok(code) => code,
        Err(Failure::Refused(refusal)) => {
            eprintln!("mauve: {refusal}");
            refusal.code()
        }
        Err(Failure::Other(message)) => {
            eprintln!("mauve: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a program with a trace, for `mauve run --trace`.
pub fn run_with(output: PathBuf, program: Vec<OsString>) -> ExitCode {
    run(&Arguments {
        output: vec![output],
        last: None,
        pid: None,
        duration: None,
        library: None,
        program,
    })
}

/// Parses a time like `10s`, `500ms`, `2m` or `1.5`, which is in seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[number.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("unknown unit {other}: use ms, s, m or h")),
    };
    let number: f64 = number.parse().map_err(|_| "expected a time like 10s or 500ms".to_owned())?;
    Duration::try_from_secs_f64(number * unit).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        assert!(time("-1s").is_err() && time("5 parsecs").is_err() && time("s").is_err());
    }
}
