//! The `mauve` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

mod bench;
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
    /// Measure what the loop costs on this machine, next to bare system calls.
    Bench {
        /// Only what has this in its name: tcp, timers, ...
        #[arg(default_value = "", hide_default_value = true)]
        name: String,
    },
    /// A server for `bench` to measure.
    #[command(name = bench::SERVE, hide = true)]
    BenchServer {
        /// What it is built with.
        face: String,
        /// What it does.
        service: String,
    },
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
        Command::Bench { name } => done(bench::run(&name)),
        Command::BenchServer { face, service } => done(bench::serve(&face, &service)),
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

/// A command that has succeeded if it has not failed.
fn done(result: Result<(), String>) -> Result<ExitCode, Box<dyn std::error::Error>> {
    result.map(|()| ExitCode::SUCCESS).map_err(Into::into)
}

fn seconds(number: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}
