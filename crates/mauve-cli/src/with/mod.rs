//! `mauve with PROGRAM`: runs a program that uses libuv on mauve.
//!
//! Nothing is installed. This command [carries](carried) the libraries. Environment variables make the
//! loader find mauve first, and preload an object that redirects a libuv which is linked into the program
//! (crate `mauve-redirect`). `ld.so --list` shows what is loaded ([`loader`]). [`program`] and [`image`]
//! detect programs where this cannot work. The line on stderr is what the loader has resolved.

mod carried;
mod image;
mod library;
mod loader;
pub mod modes;
mod program;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::{Arg, ArgMatches, value_parser};

use crate::arguments::{self, flag, option, values};
use image::{Image, Libuv};
use library::Library;
use loader::{Plan, Resolution};
pub use program::Program;

/// The arguments of `mauve with`.
pub struct Arguments {
    library: Option<PathBuf>,
    quiet: bool,
    /// Whether functions of JavaScript are to have names in stacks.
    names_scripts: bool,
    /// Variables that turn a mode of the library on.
    variables: Vec<(&'static str, String)>,
    program: Vec<OsString>,
}

const EXAMPLES: &str = "Examples:
  mauve with cmake --version             a program that loads libuv.so.1
  mauve with node server.js              a program with libuv linked in
  mauve with --library ./libuv.so node   another build of mauve's library
  MAUVE_SELECTOR=poll mauve with nvim    a variable of the library";

/// The definition of the arguments.
pub fn subcommand() -> clap::Command {
    clap::Command::new("with")
        .after_help(EXAMPLES)
        .about("Run a program that uses libuv on mauve, without installing anything")
        .arg(flag("quiet", "Do not print which library the program runs on").short('q'))
        .args(program_arguments())
}

/// The arguments of every command that runs a program on mauve.
fn program_arguments() -> [Arg; 2] {
    [
        library_option(),
        arguments::program("program", "PROGRAM", "The program and its arguments")
            .value_parser(value_parser!(OsString))
            .required(true),
    ]
}

/// The option that selects mauve's library.
pub fn library_option() -> Arg {
    option(
        "library",
        "FILE",
        "The libuv.so.1 to use [default: MAUVE_LIB, or the one in this command]",
    )
    .value_parser(value_parser!(PathBuf))
}

impl Arguments {
    pub fn new(matches: &mut ArgMatches) -> Self {
        Self { quiet: matches.get_flag("quiet"), ..Self::of_mode(matches) }
    }

    /// The arguments of a command without the option `quiet`.
    fn of_mode(matches: &mut ArgMatches) -> Self {
        Self {
            library: matches.remove_one("library"),
            quiet: true,
            names_scripts: false,
            variables: Vec::new(),
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
    let Arguments { program, library, quiet, names_scripts, .. } = arguments;
    let mut command = command(program, library.as_deref(), !quiet, *names_scripts)?;
    command.envs(arguments.variables.iter().map(|(name, value)| (name, value)));
    Ok(command)
}

/// The command that runs a program and its arguments on mauve. `library` is mauve's `libuv.so.1`.
/// `names_scripts` turns the options of Node on that functions of JavaScript need to have names in stacks.
pub fn command(
    program: &[OsString],
    library: Option<&Path>,
    reports: bool,
    names_scripts: bool,
) -> Result<Command, Refusal> {
    let (name, rest) = program.split_first().expect("clap requires a program");
    let program = Program::find(name)?;
    let image = Image::read(&program.binary).map_err(Refusal::NotExecutable)?;
    let mut command = Command::new(&program.path);
    command.args(rest);
    if image.has_engine && image.libuv != Libuv::Exported {
        if reports {
            eprintln!("mauve: {} contains mauve", program.name());
        }
        return Ok(command);
    }
    let carried = carried::unpack().map_err(Refusal::Impossible)?;
    let library = Library::find(library, &carried)?;
    let plan = loader::plan(&program, &image, &library, &carried.join(carried::REDIRECT))?;
    if reports {
        eprintln!("mauve: {}", report(&program, &library, &plan));
    }
    plan.apply(&mut command);
    if names_scripts {
        // Children inherit them, too.
        let options = std::env::var("NODE_OPTIONS").unwrap_or_default();
        let options = format!("{options} {}", mauve_trace::generated::NODE_OPTIONS);
        command.env("NODE_OPTIONS", options.trim_start());
        command.env(mauve_trace::generated::VARIABLE, "1");
    }
    Ok(command)
}

/// Lets a program read virtual time, if it has a loop with a virtual clock.
pub fn preload_clock(command: &mut Command) -> Result<(), Refusal> {
    let object = carried::unpack().map_err(Refusal::Impossible)?.join(carried::CLOCK);
    let set =
        command.get_envs().find(|(name, _)| *name == "LD_PRELOAD").and_then(|(_, value)| value);
    let before = set.map(OsStr::to_owned).or_else(|| std::env::var_os("LD_PRELOAD"));
    let mut objects = object.into_os_string();
    if let Some(before) = before.filter(|before| !before.is_empty()) {
        objects.push(" ");
        objects.push(before);
    }
    command.env("LD_PRELOAD", objects);
    Ok(())
}

/// The line that reports the program's libuv.
fn report(program: &Program, library: &Library, plan: &Plan) -> String {
    let name = program.name();
    let ours = format!("{} ({})", library.path.display(), library.version);
    match &plan.resolution {
        Resolution::Loaded => format!("{name} runs on {ours}"),
        Resolution::Redirected(path) if *path == program.binary => {
            format!("{name} has libuv linked in, which is redirected to {ours}")
        }
        Resolution::Redirected(path) => {
            format!("{name} runs on {}, which is redirected to {ours}", path.display())
        }
        Resolution::Later { builtin: false } => {
            format!("{name} is not linked with libuv; its modules and child processes use {ours}")
        }
        Resolution::Later { builtin: true } => format!(
            "{name} is not linked with libuv, but seems to have it built in; its child processes \
             use {ours}"
        ),
    }
}
