//! The `mauve` command.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use arguments::value;
use clap::Command;

mod arguments;
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

/// The arguments. Built by calls: the attributes that clap derives this from take five seconds longer to
/// compile.
fn command() -> Command {
    Command::new("mauve")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Run programs on mauve, and see what their event loops do")
        .after_help(EXAMPLES)
        .subcommand(
            Command::new("demo").about(
                "Run a loop with every kind of handle, and print the callbacks of each phase",
            ),
        )
        .subcommands(documents::subcommands())
        .subcommand(run::subcommand())
        .subcommand(top::subcommand())
        .subcommand(trace::subcommand())
        .subcommand(why::subcommand())
        .subcommand(with::subcommand())
}

fn main() -> ExitCode {
    let mut matches = command().get_matches_from(with_run(std::env::args_os().collect()));
    let (name, mut matches) = matches
        .remove_subcommand()
        .map_or(("run".to_owned(), None), |(name, matches)| (name, Some(matches)));
    let result = match (name.as_str(), &mut matches) {
        ("run", Some(matches)) => run::run(run::Arguments::new(matches)),
        ("demo", _) => demo::run().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        ("completions", Some(matches)) => done(documents::completions(matches)),
        ("man", Some(matches)) => done(documents::man(matches)),
        ("top", Some(matches)) => top::run(&top::Arguments::new(matches)).map_err(Into::into),
        ("trace", Some(matches)) => return trace::run(&trace::Arguments::new(matches)),
        ("why", Some(matches)) => done(
            seconds(value(matches, "wait")).and_then(|wait| why::run(value(matches, "pid"), wait)),
        ),
        ("with", Some(matches)) => {
            let refusal = with::run(&with::Arguments::new(matches));
            eprintln!("mauve: {refusal}");
            return refusal.code();
        }
        // Without a command: a prompt.
        _ => run::run(run::Arguments::default()),
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
            || command().find_subcommand(first).is_some()
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
