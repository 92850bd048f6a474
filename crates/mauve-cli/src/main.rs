//! The `mauve` command.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use arguments::value;
use clap::Command;

/// Prints a line, as `println!`, with [`print`].
macro_rules! print_line {
    ($($text:tt)*) => {{
        crate::print(&format!("{}\n", format_args!($($text)*)));
    }};
}

mod arguments;
mod demo;
mod documents;
mod run;
mod sim;
mod suggest;
mod table;
mod top;
mod trace;
mod why;
mod with;

const EXAMPLES: &str = "Examples:
  mauve with node app.js             run a program that uses libuv on mauve
  mauve trace -o t.html node app.js  record what its loop does, and show it
  mauve why 1234                     list what keeps process 1234 alive
  mauve top 1234                     show what process 1234 does at present
  mauve sim node app.js              find races: run it under many orders
  mauve watch node app.js            report callbacks that block the loop
  mauve check ./program              find misuse of libuv's handles
  mauve run --phases app.js          run a script, and print phases
  mauve app.js                       the same as `mauve run app.js`
  mauve help environment             variables and files; also: phases, exit";

/// The arguments. Built by calls: the attributes that clap derives this from take five seconds longer to
/// compile.
fn command() -> Command {
    Command::new("mauve")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Run programs on mauve, and see what their event loops do")
        .after_help(EXAMPLES)
        .subcommand(with::subcommand())
        .subcommand(trace::subcommand())
        .subcommands(why::subcommands())
        .subcommand(top::subcommand())
        .subcommand(sim::subcommand())
        .subcommands(with::modes::subcommands())
        .subcommand(run::subcommand())
        .subcommand(demo::subcommand())
        .subcommands(documents::subcommands())
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let first = arguments.get(1).and_then(|first| first.to_str());
    let is_help = first.is_some_and(|first| first == "help");
    let subject = arguments.get(2).and_then(|subject| subject.to_str()).filter(|_| is_help);
    if let Some(topic) = subject.and_then(documents::find) {
        return print(&topic.print());
    }
    if let Some(subject) = subject.filter(|subject| !is_own(subject)) {
        let topics = documents::topics();
        eprintln!("mauve: there is no command and no topic `{subject}`; the topics are {topics}");
        return ExitCode::from(2);
    }
    let command = command();
    let names = command.get_subcommands().map(Command::get_name);
    let unknown = first.filter(|first| !is_own(first));
    if let Some(message) = unknown.and_then(|first| suggest::correction(first, names)) {
        eprintln!("mauve: {message}");
        return ExitCode::from(2);
    }
    let mut matches = command.get_matches_from(with_run(arguments));
    let (name, mut matches) = matches
        .remove_subcommand()
        .map_or(("run".to_owned(), None), |(name, matches)| (name, Some(matches)));
    let result = match (name.as_str(), &mut matches) {
        ("run", Some(matches)) => run::run(run::Arguments::new(matches)),
        ("demo", Some(matches)) => demo::run(matches),
        ("completions", Some(matches)) => done(documents::completions(matches)),
        ("licenses", _) => return print(documents::LICENSES),
        ("man", Some(matches)) => done(documents::man(matches)),
        ("pids", _) => done(why::list::print_plain()),
        ("top" | "why", Some(matches)) if !matches.contains_id("pid") => {
            done(why::list::print(&name))
        }
        ("top", Some(matches)) => top::run(&top::Arguments::new(matches)).map_err(Into::into),
        ("sim", Some(matches)) => return sim::run(&sim::Arguments::new(matches)),
        ("trace", Some(matches)) => return trace::run(&trace::Arguments::new(matches)),
        ("why", Some(matches)) => done(
            seconds(value(matches, "wait")).and_then(|wait| why::run(value(matches, "pid"), wait)),
        ),
        ("with" | "check" | "watch", Some(matches)) => {
            let refusal = with::run(&match name.as_str() {
                "check" => with::modes::check(matches),
                "watch" => with::modes::watch(matches),
                _ => with::Arguments::new(matches),
            });
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

/// Whether the first argument is of this command, not of `run`.
fn is_own(first: &str) -> bool {
    matches!(first, "-h" | "--help" | "-V" | "--version" | "help")
        || command().find_subcommand(first).is_some()
}

/// Prints a text. A reader that closes its end early, such as a pager, is no error.
fn print(text: &str) -> ExitCode {
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// Converts the result of a command without an exit code.
fn done(result: Result<(), String>) -> Result<ExitCode, Box<dyn std::error::Error>> {
    result.map(|()| ExitCode::SUCCESS).map_err(Into::into)
}

fn seconds(number: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}
