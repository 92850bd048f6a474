//! `mauve check` and `mauve watch`: run a program on mauve with a mode of the library turned on.

use std::time::Duration;

use clap::{ArgMatches, Command};

use super::{Arguments, program_arguments};
use crate::arguments::{flag, option, value};
use crate::trace::time;

const CHECK: &str = "Examples:
  mauve check ./program              name the first misuse, and abort
  mauve check --backtrace ./program  say where the handle is from, too
  mauve check --open ./program       list what is open at the exit, too";

const WATCH: &str = "Examples:
  mauve watch node server.js                   report callbacks above 50 ms
  mauve watch --limit 5ms ./program            report those above 5 ms
  mauve watch node server.js 2> blocked.txt    write the reports to a file";

/// The definitions of `check` and `watch`.
pub fn subcommands() -> [Command; 2] {
    [
        Command::new("check")
            .about("Run a program on mauve, and abort with a message where it misuses libuv")
            .after_help(CHECK)
            .args([
                flag("backtrace", "Print where the handle was created and closed, too"),
                flag("open", "Print the handles that are open at exit, too"),
            ])
            .args(program_arguments()),
        Command::new("watch")
            .about("Run a program on mauve, and report callbacks that block its loop, with stacks")
            .after_help(WATCH)
            .arg(
                option("limit", "TIME", "How long a callback may take, such as 50ms")
                    .value_parser(time)
                    .default_value("50ms"),
            )
            .args(program_arguments()),
    ]
}

/// The arguments of `check`, as of `with`.
pub fn check(matches: &mut ArgMatches) -> Arguments {
    let level = if matches.get_flag("open") { "2" } else { "1" };
    let mut variables = vec![("MAUVE_CHECK", level.to_owned())];
    if matches.get_flag("backtrace") {
        variables.push(("MAUVE_BACKTRACE", "1".to_owned()));
    }
    Arguments { variables, ..Arguments::of_mode(matches) }
}

/// The arguments of `watch`, as of `with`.
pub fn watch(matches: &mut ArgMatches) -> Arguments {
    let limit: Duration = value(matches, "limit");
    let limit = limit.as_millis().max(1).to_string();
    let variables = vec![(mauve_trace::watchdog::VARIABLE, limit)];
    Arguments { variables, names_scripts: true, ..Arguments::of_mode(matches) }
}
