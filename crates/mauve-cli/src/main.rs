//! The `mauve` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod demo;
mod run;
mod table;
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
    With(with::Arguments),
}

fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or_else(|| Command::Run(Default::default()));
    let result = match command {
        Command::Demo => demo::run().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        Command::Run(arguments) => run::run(arguments),
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
