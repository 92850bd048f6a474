//! The `mauve` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

mod demo;
mod run;
mod table;
mod why;
mod with;

/// An event loop with libuv's seven phases, made visible.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// What to do; without a command, read and run JavaScript line by line.
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run one loop with a bit of everything on it, and show what ran in which phase.
    Demo,
    /// Run a script with Node's event loop.
    Run(run::Arguments),
    /// Tell what keeps a running program on mauve alive: its loops, handles and requests.
    Why {
        /// The process.
        pid: u32,
        /// How many seconds to wait for the answer of a loop that is busy.
        #[arg(long, default_value_t = 2.0)]
        wait: f64,
    },
    With(with::Arguments),
}

fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or_else(|| Command::Run(Default::default()));
    let result = match command {
        Command::Demo => demo::run().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        Command::Run(arguments) => run::run(arguments),
        Command::Why { pid, wait } => seconds(wait)
            .and_then(|wait| why::run(pid, wait))
            .map(|()| ExitCode::SUCCESS)
            .map_err(Into::into),
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

fn seconds(number: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}
