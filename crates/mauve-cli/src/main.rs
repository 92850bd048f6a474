//! The `mauve` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod demo;
mod table;
mod with;

/// An event loop with libuv's seven phases, made visible.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run one loop with a bit of everything on it, and show what ran in which phase.
    Demo,
    With(with::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Demo => demo::run(),
        Command::With(arguments) => {
            let refusal = with::run(&arguments);
            eprintln!("mauve: {refusal}");
            return refusal.code();
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mauve: {error}");
            ExitCode::FAILURE
        }
    }
}
