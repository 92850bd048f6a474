//! `mauve run`: runs JavaScript with Node's event-loop order.

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{ArgMatches, value_parser};
use mauve_node::CommandLine;

use crate::arguments::{flag, option, program, values};
use crate::trace;

/// The exit code for a wrong option, as in Node.
const BAD_OPTION: u8 = 9;

/// The arguments of `mauve run`.
#[derive(Default)]
pub struct Arguments {
    phases: bool,
    trace: Option<PathBuf>,
    watchdog: Option<u64>,
    eval: Option<String>,
    print: Option<String>,
    script: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  mauve run app.js                     run CommonJS or ES modules
  mauve run --phases app.js            print phase and queue of each callback
  mauve run --trace trace.html app.js  write a page of what the loop did
  mauve run --watchdog 50 app.js       report functions above 50 ms
  mauve run -p '6 * 7'                 print the value of an expression
  mauve run                            start a prompt";

/// The definition of the arguments.
pub fn subcommand() -> clap::Command {
    let command = clap::Command::new("run").after_help(EXAMPLES);
    command.about("Run a JavaScript program with Node's event-loop order").args([
        flag("phases", "Print the phase and the queue of each callback to stderr"),
        option(
            "trace",
            "FILE",
            "Record what the loop and JavaScript's queues do, and write it to FILE (.html or .json)",
        )
        .value_parser(value_parser!(PathBuf)),
        option(
            "watchdog",
            "MILLISECONDS",
            "Report functions that run longer than this, while they still run",
        )
        .value_parser(value_parser!(u64)),
        option("eval", "CODE", "Run CODE instead of a script").short('e'),
        option("print", "CODE", "Run CODE and print its value").short('p').conflicts_with("eval"),
        program(
            "script",
            "SCRIPT ARGS",
            "The script and its arguments. Without a script, start a prompt",
        ),
    ])
}

pub fn run(mut arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    if let Some(file) = arguments.trace.take() {
        return Ok(trace::run_with(file, arguments.command_line()?));
    }
    if let Some(limit) = arguments.watchdog {
        mauve_trace::watchdog::watch_all(Duration::from_millis(limit.max(1)));
    }
    let line = match arguments.node_command_line() {
        Ok(line) => line,
        Err(problem) => {
            eprintln!("mauve: {problem}");
            return Ok(ExitCode::from(BAD_OPTION));
        }
    };
    let argv0 = std::env::args_os().next().unwrap_or_default().to_string_lossy().into_owned();
    let code = mauve_node::run(mauve_node::Options { argv0, line, phases: arguments.phases })?;
    // Exits without freeing the script's objects, which is faster.
    std::process::exit(code)
}

impl Arguments {
    pub fn new(matches: &mut ArgMatches) -> Self {
        Self {
            phases: matches.get_flag("phases"),
            trace: matches.remove_one("trace"),
            watchdog: matches.remove_one("watchdog"),
            eval: matches.remove_one("eval"),
            print: matches.remove_one("print"),
            script: values(matches, "script"),
        }
    }

    /// Node's options, from NODE_OPTIONS and from the command line, and the script.
    fn node_command_line(&mut self) -> Result<CommandLine, String> {
        let inherited = std::env::var("NODE_OPTIONS").unwrap_or_default();
        let words = inherited.split_whitespace().map(str::to_owned).collect();
        let mut inherited = CommandLine::parse(words)?;
        let mut words = Vec::new();
        // The options that clap has found are words of Node's command line again.
        for (option, code) in [("-e", self.eval.take()), ("-p", self.print.take())] {
            words.extend(code.into_iter().flat_map(|code| [option.to_owned(), code]));
        }
        words.append(&mut self.script);
        let mut line = CommandLine::parse(words)?;
        inherited.flags.append(&mut line.flags);
        line.flags = inherited.flags;
        Ok(line)
    }

    /// The command that runs the script in a process of its own.
    fn command_line(self) -> Result<Vec<OsString>, Box<dyn Error>> {
        let mut words = vec![std::env::current_exe()?.into_os_string(), "run".into()];
        if self.phases {
            words.push("--phases".into());
        }
        if let Some(limit) = self.watchdog {
            words.extend(["--watchdog".into(), limit.to_string().into()]);
        }
        for (option, code) in [("--eval", self.eval), ("--print", self.print)] {
            words.extend(code.into_iter().flat_map(|code| [option.into(), code.into()]));
        }
        words.extend(self.script.into_iter().map(OsString::from));
        Ok(words)
    }
}
