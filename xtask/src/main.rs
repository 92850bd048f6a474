//! The project's chores. `cargo xtask` lists them.

use std::process::ExitCode;

mod generate;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        _ => Err("usage: cargo xtask generate [--check]".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
