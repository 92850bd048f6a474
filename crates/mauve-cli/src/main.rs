//! The `mauve` command.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

mod bench;
mod demo;
mod documents;
mod run;
mod table;
mod top;
mod trace;
mod why;
mod with;

const EXAMPLES: &str = "Examples:
  mauve with cmake --version    run a program that is linked with libuv on mauve
  mauve trace -o t.html node app.js   record what its loop does, and show it
  mauve top 1234                show what process 1234 does at present
  mauve why 1234                list what keeps process 1234 alive
  mauve run --phases app.js     run a script, and print the phase of each callback
  mauve app.js                  the same as `mauve run app.js`";

/// Run programs on mauve, and see what their event loops do.
#[derive(Parser)]
#[command(name = "mauve", version, after_help = EXAMPLES)]
struct Arguments {
    /// The command. Without one, start a JavaScript prompt.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run a loop with every kind of handle, and print the callbacks of each phase.
    Demo,
    /// Measure the CPU time of the Rust API, and compare it with bare system calls.
    Bench {
        /// Run only the workloads with this in their name, such as tcp or timers.
        #[arg(default_value = "", hide_default_value = true)]
        name: String,
    },
    /// Run a server for `bench`.
    #[command(name = bench::SERVE, hide = true)]
    BenchServer {
        /// The implementation: closures, tasks or epoll.
        implementation: String,
        /// The service, such as tcp-echo.
        service: String,
    },
    /// Print the completions of this command for a shell.
    #[command(after_help = documents::COMPLETIONS)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of this command to a folder.
    #[command(hide = true)]
    Man {
        /// The folder.
        folder: PathBuf,
    },
    /// Run a JavaScript program with Node's event-loop order.
    Run(run::Arguments),
    Top(top::Arguments),
    Trace(trace::Arguments),
    /// List what keeps a running program alive: loops, handles and requests.
    Why {
        /// The process id.
        pid: u32,
        /// Seconds to wait for a busy loop.
        #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
        wait: f64,
    },
    With(with::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(with_run(std::env::args_os().collect()));
    let command = arguments.command.unwrap_or_else(|| Command::Run(Default::default()));
    let result = match command {
        Command::Demo => demo::run().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        Command::Run(arguments) => run::run(arguments),
        Command::Completions { shell } => done(documents::completions(shell)),
        Command::Man { folder } => done(documents::man(&folder)),
        Command::Bench { name } => done(bench::run(&name)),
        Command::BenchServer { implementation, service } => {
            done(bench::serve(&implementation, &service))
        }
        Command::Top(arguments) => top::run(&arguments).map_err(Into::into),
        Command::Trace(arguments) => return trace::run(&arguments),
        Command::Why { pid, wait } => done(seconds(wait).and_then(|wait| why::run(pid, wait))),
        Command::With(arguments) => {
            let refusal = with::run(&arguments);
            eprintln!("mauve: {refusal}");
            return refusal.code();
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("mauve: {error}");
        ExitCode::FAILURE
    })
}

/// Inserts `run` before the path of a script or an option of `run`. Scripts start others as
/// `process.execPath SCRIPT`.
fn with_run(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_own = |first: &str| {
        matches!(first, "-h" | "--help" | "-V" | "--version" | "help")
            || Command::has_subcommand(first)
    };
    // Node's spellings.
    match arguments.get(1).and_then(|first| first.to_str()) {
        Some("-pe") => arguments[1] = "-p".into(),
        Some("-v") => arguments[1] = "--version".into(),
        _ => {}
    }
    if arguments.get(1).is_some_and(|first| !first.to_str().is_some_and(is_own)) {
        arguments.insert(1, "run".into());
    }
    arguments
}

/// Converts the result of a command without an exit code.
fn done(result: Result<(), String>) -> Result<ExitCode, Box<dyn std::error::Error>> {
    result.map(|()| ExitCode::SUCCESS).map_err(Into::into)
}

fn seconds(number: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}
