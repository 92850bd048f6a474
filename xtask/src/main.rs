//! The project's chores. `cargo xtask` lists them.

use std::process::ExitCode;

mod generate;
mod test;
mod tools;

const USAGE: &str = "usage: cargo xtask <chore>

  generate           make the tables that come from abi/
  generate --check   tell whether they are what it would make
  test               run all tests and checks";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        ["test"] => test::run(),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
