//! `mauve top PID`: shows what the loops of a running process do, live.
//!
//! The process is traced as by `mauve trace --pid`, and the last seconds of the trace are shown as a
//! [picture](picture) that is renewed every second: on the full [screen], once as text, or as
//! [metrics](openmetrics) for a scraper. The process goes on when this command ends.

mod openmetrics;
mod picture;
mod screen;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches, value_parser};
use mauve_trace::Reader;

use crate::arguments::{flag, option, value};
use crate::trace::{Attached, Directory, read_until, time};
use picture::Picture;

/// The arguments of `mauve top`.
pub struct Arguments {
    pid: u32,
    once: bool,
    openmetrics: bool,
    window: Duration,
}

const EXAMPLES: &str = "Examples:
  mauve top                     list the processes that run on mauve
  mauve top 1234                show what its loops do, until q is pressed
  mauve top --once 1234         print it once
  mauve top --openmetrics 1234  print metrics for a scraper";

/// The definition of the arguments.
pub fn subcommand() -> clap::Command {
    let command = clap::Command::new("top").after_help(EXAMPLES);
    command.about("Show what the loops of a running program do, live").args([
        Arg::new("pid")
            .value_name("PID")
            .help("The process id. Without it, list the processes that run on mauve")
            .value_parser(value_parser!(u32)),
        flag("once", "Print one picture as text, and exit"),
        flag("openmetrics", "Print metrics in the format of OpenMetrics, and exit")
            .conflicts_with("once"),
        option("window", "TIME", "How much of the past a picture covers")
            .value_parser(time)
            .default_value("2s"),
    ])
}

impl Arguments {
    pub fn new(matches: &mut ArgMatches) -> Self {
        Self {
            pid: value(matches, "pid"),
            once: matches.get_flag("once"),
            openmetrics: matches.get_flag("openmetrics"),
            window: value(matches, "window"),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, String> {
    let directory = Directory::create()?;
    let attached = Attached::new(arguments.pid, &directory)?;
    let mut reader = Reader::new(directory.path(), Some(arguments.window));
    let result = if arguments.once || arguments.openmetrics {
        show_once(arguments, &attached, &mut reader)
    } else {
        screen::run(&attached, &mut reader)
    };
    attached.detach();
    reader.stop();
    result.map(|()| ExitCode::SUCCESS)
}

/// Traces for one window, and prints the result.
fn show_once(
    arguments: &Arguments,
    attached: &Attached,
    reader: &mut Reader,
) -> Result<(), String> {
    let begin = Instant::now();
    let ended = |_: &mut Reader| attached.has_exited() || begin.elapsed() >= arguments.window;
    read_until(reader, ended).map_err(|error| error.to_string())?;
    let trace = reader.trace_until(Reader::now());
    let picture = Picture::new(&trace, attached.title(), attached.stuck_loops());
    if arguments.openmetrics {
        print!("{}", openmetrics::format(&trace, arguments.pid));
    } else {
        print!("{}", picture.text());
    }
    Ok(())
}
