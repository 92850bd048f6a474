//! `mauve with PROGRAM`: runs a program that is linked with libuv on mauve.
//!
//! Nothing is installed: environment variables make the loader find mauve first, and `ld.so --list`
//! shows what it loads ([`loader`]). [`program`] and [`image`] detect programs where this cannot
//! work. The line on stderr is what the loader has resolved.

mod image;
mod library;
mod loader;
mod program;

use std::ffi::OsString;
use std::fmt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Arg, ArgMatches, value_parser};

use crate::arguments::{self, flag, option, values};
use library::Library;
use loader::{Plan, Resolution};
pub use program::Program;

/// The arguments of `mauve with`.
pub struct Arguments {
    library: Option<PathBuf>,
    quiet: bool,
    program: Vec<OsString>,
}

/// The definition of the arguments.
pub fn subcommand() -> clap::Command {
    clap::Command::new("with")
        .about("Run a program that uses libuv on mauve, without installing anything")
        .args([
            library_option(),
            flag("quiet", "Do not print which library the program runs on").short('q'),
            arguments::program("program", "PROGRAM", "The program and its arguments")
                .value_parser(value_parser!(OsString))
                .required(true),
        ])
}

/// The option that selects mauve's library.
pub fn library_option() -> Arg {
    option(
        "library",
        "FILE",
        "The libuv.so.1 to use [default: MAUVE_LIB, or the one near this command]",
    )
    .value_parser(value_parser!(PathBuf))
}

impl Arguments {
    pub fn new(matches: &mut ArgMatches) -> Self {
        Self {
            library: matches.remove_one("library"),
            quiet: matches.get_flag("quiet"),
            program: values(matches, "program"),
        }
    }
}

/// Why a program does not run. The exit codes are those of `env` and `nohup`.
pub enum Refusal {
    NotFound(String),
    NotExecutable(String),
    Impossible(String),
}

impl Refusal {
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::NotFound(_) => 127,
            Self::NotExecutable(_) => 126,
            Self::Impossible(_) => 125,
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::NotFound(why) | Self::NotExecutable(why) | Self::Impossible(why)) = self;
        f.write_str(why)
    }
}

/// Replaces this process with the program. Returns only on failure.
pub fn run(arguments: &Arguments) -> Refusal {
    match prepare(arguments) {
        Ok(mut command) => {
            let error = command.exec();
            let name = command.get_program().to_string_lossy();
            Refusal::NotExecutable(format!("{name}: {error}"))
        }
        Err(refusal) => refusal,
    }
}

fn prepare(arguments: &Arguments) -> Result<Command, Refusal> {
    command(&arguments.program, arguments.library.as_deref(), !arguments.quiet)
}

/// The command that runs a program and its arguments on mauve. `library` is mauve's `libuv.so.1`.
pub fn command(
    program: &[OsString],
    library: Option<&Path>,
    reports: bool,
) -> Result<Command, Refusal> {
    let (name, rest) = program.split_first().expect("clap requires a program");
    let program = Program::find(name)?;
    let library = Library::find(library)?;
    let plan = loader::plan(&program, &library)?;
    if reports {
        eprintln!("mauve: {}", report(&program, &library, &plan));
    }
    let mut command = Command::new(&program.path);
    command.args(rest);
    plan.apply(&mut command);
    Ok(command)
}

/// The line that reports the program's libuv.
fn report(program: &Program, library: &Library, plan: &Plan) -> String {
    let name = program.name();
    let ours = format!("{} ({})", library.path.display(), library.version);
    match &plan.resolution {
        Resolution::Ours => format!("{name} runs on {ours}"),
        Resolution::Later { builtin: false } => {
            format!("{name} is not linked with libuv; its modules and child processes use {ours}")
        }
        Resolution::Later { builtin: true } => format!(
            "{name} is not linked with libuv, but seems to have it built in; its child processes \
             use {ours}"
        ),
    }
}
